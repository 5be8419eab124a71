/** The commands that copy or export a conversation: as a document, to the clipboard, to a file. Loaded by the first of them. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Session } from '../../session/session';
import type { InertText } from '../../application/shared/escape';
import { exportConversation, type ExportDependencies, secretsOf } from './exportConversation';
import { markdownPieces } from '../../application/export/exportLines';
import { t, verbatim } from '../shared/l10n';
import { chooseSession } from '../sessions/openSession';
import { gathered, inTimeSlices } from '../../application/shared/timeSlice';
import type { SessionPanels } from '../chat/panels';
import { TranscriptDocuments } from './transcriptDocument';
import { transcriptStrings } from '../../application/export/transcriptStrings';
import { withDelayedProgress } from '../shared/withProgress';
import { window } from '../shared/window';
import { sessionTitle } from '../../text/transcript/sessionTitle';

/** The number of UTF-16 units that other programs are likely to accept. */
const MAX_COPIED = 32 * 1024 * 1024;

export interface ExportCommandsDependencies extends ExportDependencies {
  readonly panels: SessionPanels;
  sessions(): readonly Session[];
}

export class ExportCommands implements Disposable {
  private readonly documents = new TranscriptDocuments();

  constructor(private readonly deps: ExportCommandsDependencies) {}

  async showDocument(): Promise<void> {
    const session = await this.choose(t('Select the conversation to open as a document'));
    if (session) {
      await this.documents.show(session, await this.deps.panels.whereIs(session.key));
    }
  }

  showHelp(): Promise<void> {
    return this.documents.showHelp();
  }

  async copy(): Promise<void> {
    const session = await this.choose(t('Select the conversation to copy'));
    if (!session) {
      return;
    }
    const { state } = session.store;
    const pieces = markdownPieces(
      state,
      transcriptStrings(state.agentName, verbatim),
      sessionTitle(state).replace(/\s+/g, ' '),
      secretsOf(this.deps, session),
    );
    const copied = await withDelayedProgress(t('Copying the conversation'), state.entries.length, (check) =>
      gathered(inTimeSlices(pieces, check), MAX_COPIED),
    );
    if (!copied) {
      return;
    }
    if (copied.done !== undefined) {
      await vscode.env.clipboard.writeText(copied.done);
      window.setStatusBarMessage(t('Conversation copied to the clipboard.'), 4000);
      return;
    }
    const instead = t('Export Conversation');
    const button = await window.showWarningMessage(t('This conversation is too long for the clipboard.'), instead);
    if (button === instead) {
      await exportConversation(this.deps, session);
    }
  }

  /** @param target the target file; the user is asked when it is absent */
  async export(target?: unknown): Promise<void> {
    const session = await this.choose(t('Select the conversation to export'));
    if (session) {
      await exportConversation(this.deps, session, target);
    }
  }

  /** Asks for the target and exports this session. */
  exportOf(session: Session): Promise<void> {
    return exportConversation(this.deps, session);
  }

  dispose(): void {
    this.documents.dispose();
  }

  /** Returns the session in front, the only session, or the one that the user chooses. */
  private async choose(placeHolder: InertText): Promise<Session | undefined> {
    const { active } = this.deps.panels;
    const sessions = this.deps.sessions();
    if (active ?? sessions.length < 2) {
      return active ?? sessions[0];
    }
    const choice = await chooseSession(sessions, [], this.deps.activity, placeHolder);
    return choice && 'session' in choice ? choice.session : undefined;
  }
}
