/** The commands of the review of changes; loaded with the first of them. */
import path from 'node:path';
import * as vscode from 'vscode';
import { hunkAtLine, hunkBeside, hunksAt } from '../../changes/review/hunkPlaces';
import type { ChangeCommandName } from './changeCommandIds';
import { t } from '../shared/l10n';
import { openChanges, openDiff, window } from '../shared/window';
import type { BaselineDocuments } from './baselineDocuments';
import type { Reply } from '../comments/commentThreads';
import type { LineComments } from '../comments/lineComments';
import { inGroup, type PendingFile, type PendingFiles, pendingOf, sessionsIn } from './pendingFiles';
import type { ReportActions } from './reportActions';
import { areSettled } from './undo/settledChanges';
import type { RestoreCommands } from './restore/restoreCommands';
import { undoChanges } from './undo/undoChanges';
import type { EditorWritePreviews } from './writePreviews';

/** The file or hunks that a command acts on. */
interface Target extends PendingFile {
  /** Absent: the whole file. */
  readonly hunkIds?: readonly number[];
}

/** A change as VS Code's peek passes it. Lines count from 1; an end of 0 marks a change without lines. */
interface LineChange {
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

export interface ChangeCommandsDependencies {
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

type Act = (target: Target) => Promise<unknown>;

export class ChangeCommands {
  constructor(
    private readonly changes: PendingFiles,
    private readonly ports: ChangeCommandsDependencies,
  ) {}

  async run(name: ChangeCommandName, args: readonly unknown[]): Promise<unknown> {
    if (ON_WHOLE_FILES.has(name) && !(await areSettled(this.changes.sessions))) {
      return undefined;
    }
    switch (name) {
      case 'nextChange':
        return this.move(1);
      case 'previousChange':
        return this.move(-1);
      case 'keepChange':
        return this.forEach(this.changesMeant(args), keep);
      case 'undoChange':
        return this.undo(this.changesMeant(args));
      case 'keepFileChanges':
        return this.forEach(this.filesMeant(args), keep);
      case 'undoFileChanges':
        return this.undo(this.filesMeant(args));
      case 'keepAllChanges':
        return this.forEach(this.groupsMeant(args), keep);
      case 'undoAllChanges':
        return this.undo(this.groupsMeant(args));
      case 'keepTurnChanges':
        return this.forEach(this.turnMeant(), keep);
      case 'undoTurnChanges':
        return this.undo(this.turnMeant());
      case 'markChangeReviewed':
        return this.forEach(this.changesMeant(args), toggleReviewed);
      case 'acceptProposedChange':
        return this.ports.previews().decide(true, uriIn(args));
      case 'rejectProposedChange':
        return this.ports.previews().decide(false, uriIn(args));
      case 'showProposedChange':
        return this.ports.previews().reveal();
      case 'reviewAllChanges':
        return this.reviewAll(this.groupsMeant(args));
      case 'openFileChanges':
        return this.forEach(this.filesMeant(args), (target) => this.openFile(target));
      case 'restoreCheckpoint':
      case 'undoRestore':
        return (await this.ports.restores())[name]();
      case 'applyUndoneChange':
        return (await this.ports.reports()).chooseUndone(this.changes.sessions);
      case 'reviewSessionChanges':
        return this.reviewSession(name, args);
      case 'deleteCheckpoints':
        return this.ports.deleteCheckpoints();
      case 'addComment':
        // A user's own key binding passes no argument.
        return args[0] ? (await this.ports.comments())?.add(args[0] as Reply) : undefined;
      case 'deleteComment':
        return (await import('../comments/commentCommands')).deleteComments(await this.ports.comments());
      case 'commentForAgent':
        return this.ports.commentForAgent();
      case 'openPlan':
        return this.ports.openPlan();
    }
  }

  /** Reviews a session by its key, the row of a menu, or the active session. */
  private async reviewSession(name: string, args: readonly unknown[]): Promise<void> {
    const [first] = args;
    const isRow = args.length > 1 || typeof first === 'object';
    const key = isRow ? await this.ports.sessionKeyIn(name, args) : typeof first === 'string' ? first : undefined;
    if (!isRow || key !== undefined) {
      await this.ports.reviewSession(key);
    }
  }

  private async undo(targets: readonly Target[]): Promise<void> {
    if (targets.length === 0) {
      void window.showInformationMessage(t('There are no changes to review here.'));
      return;
    }
    await undoChanges(targets, (target) => this.openFile(target));
  }

  private async forEach(targets: readonly Target[], act: Act): Promise<void> {
    if (targets.length === 0) {
      void window.showInformationMessage(t('There are no changes to review here.'));
    }
    for (const target of targets) {
      await act(target);
    }
  }

  /** The hunks of a code lens, of the peek, or under the cursor. */
  private changesMeant([first, second, third]: readonly unknown[]): readonly Target[] {
    if (isPlace(first) && first.hunkId !== undefined) {
      return this.fileAt(first).map((each) => ({ ...each, hunkIds: [first.hunkId!] }));
    }
    const editor = vscode.window.activeTextEditor;
    if (first instanceof vscode.Uri && Array.isArray(second) && typeof third === 'number') {
      const { modifiedStartLineNumber: from, modifiedEndLineNumber: to } = (second as readonly LineChange[])[third]!;
      const span = to === 0 ? { first: from, end: from } : { first: from - 1, end: to };
      return this.changes
        .pendingAt(first)
        .slice(0, 1)
        .flatMap((each) => hunkTarget(each, each.file.hunks ? hunksAt(each.file.hunks, span) : []));
    }
    const line = editor?.selection.active.line ?? 0;
    return (editor ? this.changes.pendingAt(editor.document.uri) : []).flatMap((each) => {
      const hunk = each.file.hunks && hunkAtLine(each.file.hunks, line);
      return hunkTarget(each, hunk ? [hunk] : []);
    });
  }

  /** The files of the selected rows, else of the active editor. */
  private filesMeant(args: readonly unknown[]): readonly Target[] {
    const places = args.flat().filter(isPlace);
    if (places.length > 0) {
      return places.flatMap((place) => (place.turnId === undefined ? this.fileAt(place) : this.partAt(place, place.turnId)));
    }
    const [uri = vscode.window.activeTextEditor?.document.uri] = args;
    return uri instanceof vscode.Uri ? this.changes.pendingAt(uri) : [];
  }

  /** The files of the selected group, which is a session or a turn, else all files. */
  private groupsMeant([group]: readonly unknown[]): readonly Target[] {
    const id = group && typeof group === 'object' && 'id' in group ? group.id : group;
    const { sessionKey, turnId } = typeof id === 'string' ? inGroup(id) : { sessionKey: '' };
    const changes = this.changes.get(sessionKey);
    if (!changes) {
      return this.changes.pending;
    }
    const pending = pendingOf(changes).map((file) => ({ changes, file }));
    return turnId === undefined ? pending : this.turn(pending, turnId);
  }

  /** The changes of the newest turn, in the session that changed the active file, else in the newest session. */
  private turnMeant(): readonly Target[] {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const [here = this.changes.pending.at(-1)] = uri ? this.changes.pendingAt(uri) : [];
    const pending = here ? this.changes.pending.filter(({ changes }) => changes === here.changes) : [];
    return this.turn(pending, undefined);
  }

  /** @param turnId absent: the newest */
  private turn(pending: readonly PendingFile[], turnId: string | undefined): readonly Target[] {
    const turns = sessionsIn(pending).flatMap((session) => session.turns);
    const turn = turnId === undefined ? turns.at(-1) : turns.find((each) => each.turnId === turnId);
    return (turn?.parts ?? []).map(({ pending: each, hunkIds }) => ({ ...each, ...(hunkIds && { hunkIds }) }));
  }

  private partAt(place: Place, turnId: string): readonly Target[] {
    return this.fileAt(place).flatMap((each) => this.turn([each], turnId));
  }

  private fileAt({ sessionKey, path: real }: Place): readonly PendingFile[] {
    const changes = this.changes.get(sessionKey);
    const file = changes && pendingOf(changes).find((each) => each.path === real);
    return changes && file ? [{ changes, file }] : [];
  }

  /** To the next one in the file, else to the first of the next file, and round. */
  private async move(direction: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const files = this.changes.pending.filter(({ file }) => file.hunks);
    const here = editor ? this.changes.pendingAt(editor.document.uri).find(({ file }) => file.hunks) : undefined;
    const beside = here && hunkBeside(here.file.hunks!, editor!.selection.active.line, direction);
    if (here && beside) {
      return reveal(here, here.file.hunks!.linesOf(beside).first);
    }
    const at = files.findIndex(({ file }) => file === here?.file);
    const next = files.at(at < 0 ? (direction > 0 ? 0 : -1) : (at + direction + files.length) % files.length);
    const hunk = next?.file.hunks!.hunks.at(direction > 0 ? 0 : -1);
    if (!next) {
      void window.showInformationMessage(t('There are no changes to review here.'));
      return;
    }
    return reveal(next, hunk ? next.file.hunks!.linesOf(hunk).first : 0);
  }

  private async reviewAll(targets: readonly Target[]): Promise<void> {
    const baselines = await this.ports.baselines();
    const resources = targets.map((target): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] => {
      const now = target.changes.uriOf(target.file.path);
      const before = target.file.before.kind === 'none' ? undefined : baselines.uriOf(target);
      return [now, before, target.file.isDeleted && !target.file.isBack ? undefined : now];
    });
    if (resources.length === 0) {
      void window.showInformationMessage(t('There are no changes to review here.'));
      return;
    }
    await openChanges(t('Changes to Review'), resources);
  }

  /** The difference between its baseline and what it is now, which can be edited. */
  private async openFile(target: Target): Promise<void> {
    const baselines = await this.ports.baselines();
    const { file, changes } = target;
    const now = changes.uriOf(file.path);
    if (!file.hunks && !file.isDeleted) {
      await vscode.commands.executeCommand('vscode.open', now, { preview: true });
      return;
    }
    const title = t('{file} (Changes to Review)', { file: path.basename(file.path) });
    // The user may have created a deleted file again.
    const isGone = file.isDeleted && !(await exists(now));
    await openDiff(baselines.uriOf(target), isGone ? baselines.emptyUriOf(target) : now, title, { preview: true });
  }
}

/** A file or hunk, as rows and code lenses pass it. */
interface Place {
  readonly sessionKey: string;
  readonly path: string;
  readonly hunkId?: number;
  readonly turnId?: string;
}

function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null && 'sessionKey' in value && 'path' in value;
}

function hunkTarget(pending: PendingFile, hunks: readonly { readonly hunkId: number }[]): readonly Target[] {
  return hunks.length > 0 ? [{ ...pending, hunkIds: hunks.map(({ hunkId }) => hunkId) }] : [];
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

async function reveal({ changes, file }: PendingFile, line: number): Promise<void> {
  const selection = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(changes.uriOf(file.path), { selection, preview: true });
}

/** The editor whose title has the button that was pressed; undefined for a key or the command palette. */
function uriIn([first]: readonly unknown[]): vscode.Uri | undefined {
  return first instanceof vscode.Uri ? first : undefined;
}
