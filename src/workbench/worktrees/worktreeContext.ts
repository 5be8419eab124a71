/** Shared parts of the worktree commands: the repository, the folder for worktrees, and the messages about failures. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Failure, failureOf } from '../../core/model/failure';
import type { Session } from '../../session/session';
import { windowGit } from '../git/gitProgram';
import { type Repository, type Worktree, Worktrees } from '../../worktree/worktrees';
import { holds } from '../../application/window/workspacePaths';
import { rememberTrust } from '../trust/trustedFolders';
import { settledFolders } from '../window/workspaceFolders';
import { type InertText, joined, inertLine } from '../../application/shared/escape';
import { failureText } from '../../application/shared/failureText';
import { settings } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { userValue } from '../settings/userValue';

const MAX_FOLDER = 120;
const MAX_DETAIL = 300;

/** A folder of the workspace and its repository. */
export interface WorkspaceRepository {
  readonly repository: Repository;
  /** The path of the folder in the repository; '' for its root. */
  readonly inside: string;
}

export class WorktreeContext {
  readonly worktrees = new Worktrees(windowGit());

  constructor(
    readonly activity: UserActivity,
    private readonly globalStorage: vscode.Uri,
    private readonly globalState: vscode.Memento,
  ) {}

  /** Trusts a worktree that was just created: its files come from a repository of the workspace, which the user trusts. */
  trustCreated({ path: folder }: Worktree): Promise<void> {
    return rememberTrust(this.globalState, folder);
  }

  /** Returns the repository of the workspace's folder, or of the one that the user chooses. @throws Fault */
  async repository(): Promise<WorkspaceRepository | undefined> {
    const folders = await settledFolders();
    if (folders.length === 0) {
      void window.showInformationMessage(t('Open a folder of a Git repository first.'));
      return undefined;
    }
    const rows = folders.map((folder) => ({
      label: inertLine(path.basename(folder), MAX_FOLDER),
      detail: inertLine(folder, MAX_FOLDER),
      folder,
    }));
    const placeHolder = t('Select the repository');
    const folder =
      folders.length === 1 ? folders[0] : (await this.activity.during(() => window.showQuickPick(rows, { placeHolder })))?.folder;
    if (folder === undefined) {
      return undefined;
    }
    const repository = await this.worktrees.repositoryOf(folder);
    const top = await this.worktrees.git.text(folder, ['rev-parse', '--show-prefix']);
    return { repository, inside: path.normalize(top).replace(/^\.$/, '') };
  }

  /** Returns the absolute path of the folder for this repository's worktrees. */
  parentOf({ root }: Repository): string {
    if (userValue(settings.worktreesFolder) === 'globalStorage') {
      const id = createHash('sha256').update(root).digest('hex').slice(0, 8);
      return path.join(this.globalStorage.fsPath, 'worktrees', `${path.basename(root)}-${id}`);
    }
    return `${root}.worktrees`;
  }

  /** Runs `run` with a progress notification that can be cancelled. @throws any error of `run` */
  progress<T>(title: InertText, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return Promise.resolve(
      window.withProgress(options, (_progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        return run(abort.signal);
      }),
    );
  }

  /** Runs `doing` and reports a failure. Resolves to undefined after a failure. */
  async trying<T>(doing: () => Promise<T>): Promise<T | undefined> {
    try {
      return await doing();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code !== 'request.cancelled') {
        void this.showFailure(failure);
      }
      return undefined;
    }
  }

  /** Reports a failure with the end of Git's output. */
  async showFailure(failure: Failure): Promise<void> {
    const { detail = '' } = failure;
    const said = detail.trim().split('\n').slice(-3).join(' ');
    const text = failureText(failure, t);
    const message = said === '' ? text : t('{failure} Git: {output}', { failure: text, output: inertLine(said, MAX_DETAIL) });
    await window.showWarningMessage(message);
  }
}

/** Returns the sessions that work in this worktree. */
export function sessionsIn<S extends Pick<Session, 'roots'>>(sessions: readonly S[], worktree: Worktree): readonly S[] {
  return sessions.filter(({ roots }) => holds(worktree.path, roots.cwd));
}

/** Returns the documents with unsaved changes in a folder. */
export function unsavedIn(root: string): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file' && holds(root, uri.fsPath));
}

/** Asks to save unsaved documents, because worktrees use the files on the disk. Resolves to false when the user cancels. */
export async function saveFirst({ activity }: Pick<WorktreeContext, 'activity'>, root: string): Promise<boolean> {
  const unsaved = unsavedIn(root);
  if (unsaved.length === 0) {
    return true;
  }
  const save = t('Save and Continue');
  const message = t('Some files of the repository have unsaved changes.');
  const detail = joined(
    unsaved.slice(0, 10).map(({ fileName }) => inertLine(path.relative(root, fileName), MAX_FOLDER)),
    '\n',
  );
  if ((await activity.during(() => window.showWarningMessage(message, { modal: true, detail }, save))) !== save) {
    return false;
  }
  return (await Promise.all(unsaved.map((document) => document.save()))).every(Boolean);
}
