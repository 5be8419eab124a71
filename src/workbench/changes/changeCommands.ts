/** The commands of the review of changes; loaded with the first of them. */
import * as vscode from 'vscode';
import { hunkBeside, presentLineOf } from '../../changes/review/hunksAtLines';
import { editorColumn, leaveConversation, showEditors } from '../window/columns';
import type { InertText } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { titleLabel, titleOf } from '../../application/shared/sessionTitle';
import { openChanges, openDiff, window } from '../shared/window';
import type { BaselineDocuments } from './versions/baselineDocuments';
import { diffTitle } from '../../application/changes/text/fileNames';
import { baselineScheme, type ChangeCommandName } from '../../application/shared/changeCommandIds';
import { ChangeTargets, groupIdOf, type Target } from './review/changeTargets';
import type { Reply } from '../comments/commentThreads';
import type { LineComments } from '../comments/lineComments';
import { removeDecidedFiles, reviewInFront } from './review/decidedFiles';
import { targetOfDiff } from './review/documentTargets';
import { type OpenReviews, reviewedFile } from './review/openReviews';
import { inGroup, type PendingFiles } from './session/pendingFiles';
import type { ReportActions } from './reportActions';
import type { SessionChanges } from './session/sessionChanges';
import { turnTitle } from './text/turnTitles';
import { areSettled } from './undo/settledChanges';
import type { RestoreCommands } from './restore/restoreCommands';
import { undoChanges } from './undo/undoChanges';
import type { EditorWritePreviews } from './writePreviews';

export interface ChangeCommandsDependencies {
  readonly reviews: OpenReviews;
  baselines(): Promise<BaselineDocuments>;
  restores(): Promise<RestoreCommands>;
  reports(): Promise<ReportActions>;
  /** @param key absent: the session in front */
  reviewSession(key: string | undefined): Promise<void>;
  /** The session that a row of the sessions view is, by what its menu passes; undefined when the user leaves. */
  sessionKeyIn(command: string, args: readonly unknown[]): Promise<string | undefined>;
  previews(): EditorWritePreviews;
  deleteCheckpoints(): Promise<void>;
  comments(): Promise<LineComments | undefined>;
  commentForAgent(): Promise<void>;
  openPlan(): Promise<void>;
}

/** Commands that must see every change of the turns that have ended. */
const ON_WHOLE_FILES: ReadonlySet<ChangeCommandName> = new Set([
  'keepFileChanges',
  'undoFileChanges',
  'keepAllChanges',
  'undoAllChanges',
  'keepTurnChanges',
  'undoTurnChanges',
  'reviewAllChanges',
]);

/** Commands after which a file may have no changes to review. */
const DECIDING: ReadonlySet<ChangeCommandName> = new Set([
  'keepChange',
  'undoChange',
  'keepFileChanges',
  'undoFileChanges',
  'keepAllChanges',
  'undoAllChanges',
  'keepTurnChanges',
  'undoTurnChanges',
]);

/** UTF-16 units of a session's title in a tab, and in a question. */
const MAX_TAB_TITLE = 30;
const MAX_TITLE = 60;

type Act = (target: Target) => Promise<unknown>;

export class ChangeCommands {
  private readonly targets: ChangeTargets;

  constructor(
    private readonly changes: PendingFiles,
    private readonly deps: ChangeCommandsDependencies,
  ) {
    this.targets = new ChangeTargets(changes, deps.reviews);
  }

  async run(name: ChangeCommandName, args: readonly unknown[]): Promise<unknown> {
    if (ON_WHOLE_FILES.has(name) && !(await areSettled(this.changes.sessions))) {
      return undefined;
    }
    const review = DECIDING.has(name) ? reviewInFront(this.deps.reviews) : undefined;
    const result = await this.act(name, args);
    if (review) {
      const open = (groupId: string | undefined): Promise<boolean> => this.openReview([groupId], async () => undefined);
      await removeDecidedFiles(review, { pending: this.changes.pending, open });
    }
    return result;
  }

  private async act(name: ChangeCommandName, args: readonly unknown[]): Promise<unknown> {
    switch (name) {
      case 'nextChange':
        return this.move(1);
      case 'previousChange':
        return this.move(-1);
      case 'keepChange':
        return this.forEach(this.targets.ofChanges(args), keep);
      case 'undoChange':
        return this.undo(this.targets.ofChanges(args));
      case 'keepFileChanges':
        return this.forEach(this.targets.ofFiles(args), keep);
      case 'undoFileChanges':
        return this.undo(this.targets.ofFiles(args));
      case 'keepAllChanges':
        return this.forEach(this.targets.ofGroups(args), keep);
      case 'undoAllChanges':
        return this.undo(this.targets.ofGroups(args));
      case 'keepTurnChanges':
        return this.forEach(this.targets.ofTurn(), keep);
      case 'undoTurnChanges':
        return this.undo(this.targets.ofTurn());
      case 'markChangeReviewed':
        return this.forEach(this.targets.ofChanges(args), toggleReviewed);
      case 'acceptProposedChange':
        return this.deps.previews().decide(true, uriIn(args));
      case 'rejectProposedChange':
        return this.deps.previews().decide(false, uriIn(args));
      case 'showProposedChange':
        return this.deps.previews().reveal();
      case 'reviewAllChanges':
        return this.reviewAll(args);
      case 'openFileChanges':
        return this.forEach(this.targets.ofFiles(args), (target) => this.openFile(target));
      case 'restoreCheckpoint':
      case 'undoRestore':
        return (await this.deps.restores())[name]();
      case 'applyUndoneChange':
        return (await this.deps.reports()).chooseUndone(this.changes.sessions);
      case 'reviewSessionChanges':
        return this.reviewSession(name, args);
      case 'deleteCheckpoints':
        return this.deps.deleteCheckpoints();
      case 'addComment':
        // A user's own key binding passes no argument.
        return args[0] ? (await this.deps.comments())?.add(args[0] as Reply) : undefined;
      case 'deleteComment':
        return (await import('../comments/commentCommands')).deleteComments(await this.deps.comments());
      case 'commentForAgent':
        return this.deps.commentForAgent();
      case 'openPlan':
        return this.deps.openPlan();
    }
  }

  /** Reviews a session by its key, the row of a menu, or the active session. */
  private async reviewSession(name: string, args: readonly unknown[]): Promise<void> {
    const [first] = args;
    const isRow = args.length > 1 || typeof first === 'object';
    const key = isRow ? await this.deps.sessionKeyIn(name, args) : typeof first === 'string' ? first : undefined;
    if (!isRow || key !== undefined) {
      await this.deps.reviewSession(key);
    }
  }

  private async undo(targets: readonly Target[]): Promise<void> {
    if (targets.length === 0) {
      void window.showInformationMessage(t('There are no changes to review here.'));
      return;
    }
    await undoChanges(
      targets,
      (target) => this.openFile(target),
      (key) => titleOfSession(this.changes.get(key)),
    );
  }

  private async forEach(targets: readonly Target[], act: Act): Promise<void> {
    if (targets.length === 0) {
      void window.showInformationMessage(t('There are no changes to review here.'));
    }
    for (const target of targets) {
      await act(target);
    }
  }

  /** To the next one in the file, else to the first of the next file, and round. In a diff the next file opens as a diff, too. */
  private async move(direction: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const uri = editor?.document.uri;
    const files = this.changes.pending.filter(({ file }) => file.hunks);
    const here = uri ? this.targets.ofDocument(uri).find(({ file }) => file.hunks) : undefined;
    const isDiff = uri !== undefined && targetOfDiff(uri) !== undefined;
    const live = here?.file.hunks;
    const line = editor?.selection.active.line ?? 0;
    const present = live && uri?.scheme === baselineScheme ? presentLineOf(live, line) : line;
    const beside = live && hunkBeside(live, present, direction);
    if (here && beside) {
      return this.reveal(here, live.linesOf(beside).first, isDiff);
    }
    const at = files.findIndex(({ file }) => file === here?.file);
    const next = files.at(at < 0 ? (direction > 0 ? 0 : -1) : (at + direction + files.length) % files.length);
    const hunk = next?.file.hunks!.hunks.at(direction > 0 ? 0 : -1);
    if (!next) {
      void window.showInformationMessage(t('There are no changes to review here.'));
      return;
    }
    return this.reveal(next, hunk ? next.file.hunks!.linesOf(hunk).first : 0, isDiff);
  }

  /** @param inDiff the user reads a diff, and stays in one */
  private async reveal(target: Target, line: number, inDiff: boolean): Promise<void> {
    const { changes, file } = target;
    const uri = changes.uriOf(file.path);
    const selection = new vscode.Range(line, 0, line, 0);
    const editor = vscode.window.activeTextEditor;
    // The editor in front may be a side of a diff, or of a review of several files.
    if (editor?.document.uri.toString() === uri.toString()) {
      editor.selection = new vscode.Selection(selection.start, selection.end);
      editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    } else if (inDiff) {
      await this.openFile(target, selection);
    } else {
      await vscode.window.showTextDocument(uri, { selection, preview: true });
    }
  }

  private async reviewAll(args: readonly unknown[]): Promise<void> {
    if (await this.openReview(args, showEditors)) {
      await leaveConversation();
    } else {
      void window.showInformationMessage(t('There are no changes to review here.'));
    }
  }

  /** Opens the review of a group, or of all sessions, after `show`. Resolves to false without changes. */
  async openReview(args: readonly unknown[], show: () => Promise<void>): Promise<boolean> {
    const targets = this.targets.ofGroups(args);
    const baselines = await this.deps.baselines();
    const resources = filesOf(targets).flatMap((same) => {
      // A file that several sessions changed is listed once, unless their changes overlap.
      const merged = same.length > 1 ? baselines.mergedUriOf(same) : undefined;
      return (merged ? same.slice(0, 1) : same).map((target): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] => {
        const now = target.changes.uriOf(target.file.path);
        const before = target.file.before.kind === 'none' ? undefined : (merged ?? baselines.uriOf(target));
        return [now, before, target.file.isDeleted && !target.file.isBack ? undefined : now];
      });
    });
    if (resources.length === 0) {
      return false;
    }
    const [only, ...others] = [...new Set(targets.map(({ changes }) => changes))];
    const groupId = groupIdOf(args[0]) ?? (others.length === 0 ? only!.key : undefined);
    const files = new Set(targets.map(keyOf));
    const name = this.reviewName(groupId)!;
    const title = this.deps.reviews.add(name, { name, files, ...(groupId !== undefined && { groupId }) });
    await show();
    await openChanges(title, resources);
    return true;
  }

  /** Returns the files that a review of a group, or of all sessions, would show now. */
  reviewedFiles(groupId: string | undefined): readonly string[] {
    return this.targets.ofGroups([groupId]).map(keyOf);
  }

  /** Returns the name of the review of a group, or of all sessions; undefined for a session that is not followed. */
  reviewName(groupId: string | undefined): InertText | undefined {
    const changes = groupId === undefined ? undefined : this.changes.get(inGroup(groupId).sessionKey);
    return groupId === undefined
      ? t('Changes to Review')
      : changes && t('Changes to Review: {session}', { session: nameOf(changes, groupId) });
  }

  /** The difference between its baseline and what it is now, which can be edited. A created file opens as it is: VS Code would show an empty line as removed. */
  private async openFile(target: Target, selection?: vscode.Range): Promise<void> {
    const baselines = await this.deps.baselines();
    const { file, changes } = target;
    const now = changes.uriOf(file.path);
    const options = { preview: true, viewColumn: editorColumn(), ...(selection && { selection }) };
    const isCreated = file.before.kind === 'none' && file.oldPath === undefined;
    if (isCreated && !(await exists(now))) {
      // The row goes where nothing is left to review.
      await changes.review?.checkExistence(file.path);
      if (changes.review?.file(file.path)?.isGone) {
        return;
      }
    }
    if (!file.isDeleted && (isCreated || !file.hunks)) {
      await vscode.commands.executeCommand('vscode.open', now, options);
      return;
    }
    const isShared = this.changes.pending.some((other) => other.changes !== changes && other.file.path === file.path);
    const title = diffTitle(file.path, isShared ? titleLabel(titleOf(changes.session.store.state), MAX_TAB_TITLE) : undefined, t);
    // The user may have created a deleted file again.
    const isGone = file.isDeleted && !(await exists(now));
    await openDiff(baselines.uriOf(target), isGone ? baselines.emptyUriOf(target) : now, title, options);
  }
}

/** Returns the key of a file in an open review. */
function keyOf({ changes, file }: Target): string {
  return reviewedFile(changes.key, file.path);
}

function titleOfSession(changes: SessionChanges | undefined): InertText | undefined {
  return changes && titleLabel(titleOf(changes.session.store.state), MAX_TITLE);
}

/** The targets of each file, in their order. */
function filesOf(targets: readonly Target[]): readonly (readonly Target[])[] {
  const byPath = new Map<string, Target[]>();
  targets.forEach((target) => byPath.set(target.file.path, [...(byPath.get(target.file.path) ?? []), target]));
  return [...byPath.values()];
}

/** Returns the title of a session, or of one of its turns. */
function nameOf({ session }: SessionChanges, groupId: string): InertText {
  const { turnId } = inGroup(groupId);
  return turnId === undefined ? titleLabel(titleOf(session.store.state), MAX_TAB_TITLE) : turnTitle(session, turnId, MAX_TAB_TITLE);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

async function keep({ changes, file, hunkIds }: Target): Promise<void> {
  changes.review?.keep(file.path, hunkIds);
}

async function toggleReviewed({ changes, file, hunkIds = [] }: Target): Promise<void> {
  const isReviewed = file.hunks?.hunks.every((hunk) => hunk.reviewed || !hunkIds.includes(hunk.hunkId)) ?? false;
  changes.review?.setReviewed(file.path, hunkIds, !isReviewed);
}

/** The editor whose title has the button that was pressed; undefined for a key or the command palette. */
function uriIn([first]: readonly unknown[]): vscode.Uri | undefined {
  return first instanceof vscode.Uri ? first : undefined;
}
