/** The commands that put something beside the next message of the session in front. */
import * as vscode from 'vscode';
import { acceptedContent } from '../../core/model/select';
import { isForeignShare } from '../../core/model/networkPath';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { t } from '../shared/l10n';
import type { SessionPanels } from '../chat/panels';
import type { CheckedFile } from '../mentions/checkedContent';
import { problemsOfActiveEditor } from './problems';
import { isRunning } from '../sessions/overview';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';

export interface AttachCommandsDependencies {
  readonly panels: SessionPanels;
  readonly activity: UserActivity;
  sessions(): Sessions['all'];
  /** Starts one; undefined when the user leaves. */
  newSession(): Promise<Session | undefined>;
}

export class AttachCommands {
  /** Whether the user is asked about what was dropped. */
  private asking = false;

  constructor(private readonly ports: AttachCommandsDependencies) {}

  /** What a command was handed, or files that are asked for, go to the session in front. */
  async filesOf(uri: unknown, uris: unknown): Promise<void> {
    return this.files(await this.session(), urisOf(uri, uris));
  }

  /** Files that the user is asked for. */
  chosen(session: Session): Promise<void> {
    return this.files(session);
  }

  /** What the page says was dropped on it. Only files: other addresses are nothing to read, and other machines are not asked. While the user is asked about some, no others. */
  async dropped(session: Session, uris: readonly string[]): Promise<void> {
    if (this.asking) {
      return;
    }
    this.asking = true;
    try {
      const [{ agreedFiles }, { isOfThisMachine }] = await Promise.all([import('./attachFiles'), import('./droppedFiles')]);
      const files = uris.flatMap((text) => {
        const uri = uriOf(text);
        // What a remote file is called in the window is no name of it here.
        return uri && isOfThisMachine(uri, vscode.env.remoteName) ? [uri.scheme === 'file' ? uri : vscode.Uri.file(uri.path)] : [];
      });
      const { cwd, additionalDirectories } = session.roots;
      const near = files.filter(({ fsPath }) => !isForeignShare(fsPath, [cwd, ...additionalDirectories]));
      if (near.length < files.length) {
        void window.showWarningMessage(t("Files on another machine can't be attached by dropping them. Use ACP: Attach Files… instead."));
      }
      const agreed = await agreedFiles(this.ports.activity, session.roots, near, session.consents);
      if (agreed.length > 0) {
        await this.attachFiles(session, agreed);
      }
    } finally {
      this.asking = false;
    }
  }

  async problems(): Promise<void> {
    const present = this.present();
    // First what there is to add: a new session takes the place of the active editor.
    const problems = await problemsOfActiveEditor(!present || acceptedContent(present.store.state).embeddedContext);
    const session = problems && (present ?? (await this.ports.newSession()));
    const { mayAttachTextOf } = await import('./attachFiles');
    // A problem may quote the file.
    if (session && (await mayAttachTextOf(problems.uri, this.ports.activity, session))) {
      this.attach(session, [problems.block]);
    }
  }

  private async files(session: Session | undefined, chosen?: readonly vscode.Uri[]): Promise<void> {
    if (!session) {
      return;
    }
    const uris = chosen ?? (await this.ports.activity.during(async () => (await import('./attachPick')).pickFiles(session.roots)));
    const { chosenFiles } = await import('./attachFiles');
    if (uris) {
      await this.attachFiles(session, await chosenFiles(this.ports.activity, session.roots, uris, session.consents));
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
    this.ports.panels.attach(session, blocks);
    this.ports.panels.open(session);
  }

  /** The session whose panel was in front last, else the newest that runs, else a new one. */
  async session(): Promise<Session | undefined> {
    return this.present() ?? (await this.ports.newSession());
  }

  /** A session that has ended, or a replayed log, takes no message. */
  private present(): Session | undefined {
    const { active } = this.ports.panels;
    return active && active.store.state.status !== 'ended' && !active.isRecorded
      ? active
      : this.ports.sessions().findLast(({ store }) => isRunning(store.state));
  }
}

/** Of a page's text; undefined when it is no address at all. */
function uriOf(text: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
}

/** What VS Code's explorer hands to a command: the file under the pointer, and all that are selected. */
export function urisOf(uri: unknown, uris: unknown): readonly vscode.Uri[] | undefined {
  const all = Array.isArray(uris) && uris.length > 0 ? (uris as unknown[]) : [uri];
  const found = all.filter((one) => one instanceof vscode.Uri);
  return found.length > 0 ? found : undefined;
}
