/** The commands that attach something to the next message of the session in front. */
import * as vscode from 'vscode';
import { acceptedContent, isRunning } from '../../core/model/select';
import { isForeignShare } from '../../core/model/networkPath';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { t } from '../shared/l10n';
import type { SessionPanels } from '../chat/panels';
import type { CheckedFile } from './checkedContent';
import { problemsOfActiveEditor } from '../editor/problems';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface AttachCommandsDependencies {
  readonly panels: SessionPanels;
  readonly activity: UserActivity;
  sessions(): Sessions['all'];
  /** Starts a session. Resolves to undefined when the user cancels. */
  newSession(): Promise<Session | undefined>;
}

export class AttachCommands {
  /** True while the user is asked about dropped files. */
  private asking = false;

  constructor(private readonly deps: AttachCommandsDependencies) {}

  /** Attaches the files from a command's arguments, or files that the user chooses, to the session in front. */
  async filesOf(uri: unknown, uris: unknown): Promise<void> {
    return this.files(await this.session(), urisOf(uri, uris));
  }

  /** Attaches files that the user chooses. */
  chosen(session: Session): Promise<void> {
    return this.files(session);
  }

  /**
   * Attaches files that the page reports as dropped. Other addresses cannot be read, and other machines are not contacted. Drops are ignored while
   * the user is being asked about an earlier one.
   */
  async dropped(session: Session, uris: readonly string[]): Promise<void> {
    if (this.asking) {
      return;
    }
    this.asking = true;
    try {
      const [{ agreedFiles }, { isOfThisMachine }] = await Promise.all([
        import('./attachFiles'),
        import('../../application/attachments/droppedFiles'),
      ]);
      const files = uris.flatMap((text) => {
        const uri = uriOf(text);
        // The address of a remote file in the window is not a path on this machine.
        return uri && isOfThisMachine(uri, vscode.env.remoteName) ? [uri.scheme === 'file' ? uri : vscode.Uri.file(uri.path)] : [];
      });
      const { cwd, additionalDirectories } = session.roots;
      const near = files.filter(({ fsPath }) => !isForeignShare(fsPath, [cwd, ...additionalDirectories]));
      if (near.length < files.length) {
        void window.showWarningMessage(t("Files on another machine can't be attached by dropping them. Use ACP: Attach Files… instead."));
      }
      const agreed = await agreedFiles(this.deps.activity, session.roots, near, session.consents);
      if (agreed.length > 0) {
        await this.attachFiles(session, agreed);
      }
    } finally {
      this.asking = false;
    }
  }

  async problems(): Promise<void> {
    const active = this.activeSession();
    // The problems are read first, because a new session takes the place of the active editor.
    const problems = await problemsOfActiveEditor(!active || acceptedContent(active.store.state).embeddedContext);
    const session = problems && (active ?? (await this.deps.newSession()));
    const { mayAttachTextOf } = await import('./attachFiles');
    // A problem may quote the file.
    if (session && (await mayAttachTextOf(problems.uri, this.deps.activity, session))) {
      this.attach(session, [problems.block]);
    }
  }

  private async files(session: Session | undefined, chosen?: readonly vscode.Uri[]): Promise<void> {
    if (!session) {
      return;
    }
    const uris = chosen ?? (await this.deps.activity.during(async () => (await import('./attachPick')).pickFiles(session.roots)));
    const { chosenFiles } = await import('./attachFiles');
    if (uris) {
      await this.attachFiles(session, await chosenFiles(this.deps.activity, session.roots, uris, session.consents));
    }
  }

  private async attachFiles(session: Session, files: readonly CheckedFile[]): Promise<void> {
    const { fileBlocks } = await import('./attachFiles');
    const blocks = await fileBlocks(files, acceptedContent(session.store.state));
    if (blocks.length > 0) {
      this.attach(session, blocks);
    }
  }

  private attach(session: Session, blocks: Parameters<SessionPanels['attach']>[1]): void {
    this.deps.panels.attach(session, blocks);
    this.deps.panels.open(session);
  }

  /** Returns the session whose panel was in front last, or the newest running session, or a new one. */
  async session(): Promise<Session | undefined> {
    return this.activeSession() ?? (await this.deps.newSession());
  }

  /** Leaves out an ended session and a replayed log, which accept no message. */
  private activeSession(): Session | undefined {
    const { active } = this.deps.panels;
    return active && active.store.state.status !== 'ended' && !active.isRecorded
      ? active
      : this.deps.sessions().findLast(({ store }) => isRunning(store.state));
  }
}

/** Parses an address from a page. Returns undefined when it is invalid. */
function uriOf(text: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
}

/** Returns the files from the arguments that VS Code's explorer passes: the file under the pointer, and all selected ones. */
export function urisOf(uri: unknown, uris: unknown): readonly vscode.Uri[] | undefined {
  const all = Array.isArray(uris) && uris.length > 0 ? (uris as unknown[]) : [uri];
  const found = all.filter((one) => one instanceof vscode.Uri);
  return found.length > 0 ? found : undefined;
}
