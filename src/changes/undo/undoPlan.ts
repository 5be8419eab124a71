/** Decides the action of an undo of one file's changes, from the review, the disk and the editor. Pure. */
import { applyEdit, type TextEdit } from '../../core/fileChanges/hunks';
import { type FileState, isOnlyUnseen, sameState } from '../../core/fileChanges/records';
import { isGitMode, modeFor } from '../disk/inPlace';
import { EXECUTE, isCreation, isEmptyCreation, isExecutable, type ReviewFile } from '../review/reviewFile';
import { keepsLineEnds } from './editorText';

/** A file whose changes the user wants undone. */
export interface UndoTarget {
  readonly file: ReviewFile;
  /** The whole file when absent. */
  readonly hunkIds?: readonly number[];
}

/**
 * The file in the editor. `unsaved`: a text document with unsaved changes. `unsavedOther`: a notebook or a custom editor with unsaved changes, whose
 * content an extension cannot read.
 */
export type EditorState = 'closed' | 'clean' | 'unsaved' | 'unsavedOther';

/** The facts about a file at the time of the undo. */
export interface UndoFacts {
  /** False when a folder above the file leads elsewhere, is outside the session, or is a `.git`. */
  readonly inPlace: boolean;
  /** The state on disk. */
  readonly now: FileState;
  /** The number of names of the file on disk; absent when it does not exist. */
  readonly names?: number | undefined;
  /** The inode on disk; absent when nothing exists. */
  readonly inode?: number | undefined;
  /** True where another file was moved to the path of the one that the session left there. Its content may have no other copy. */
  readonly isOther?: boolean;
  /** The text on disk as the editor reads it; absent when there is none. */
  readonly diskText?: string | undefined;
  /** The state that the agent left on disk, as far as it is known. */
  readonly after?: FileState | undefined;
  /** The text of `before`, as the editor reads it; absent when there is none. */
  readonly beforeText?: string | undefined;
  /** True when the store has the bytes of `before`. */
  readonly isStored: boolean;
  readonly editor: EditorState;
  /** True while a turn runs, for a file whose changes no document without unsaved text reports. */
  readonly isRunning?: boolean;
  /** The text of the open document. */
  readonly documentText?: string | undefined;
  /** For a moved file: the state at its old path, and whether that path is in place. */
  readonly atOldPath?: FileState | undefined;
  readonly oldInPlace?: boolean;
}

/**
 * The reason why a file is left unchanged.
 *
 * - `unknown`: the earlier version is not known.
 * - `not_stored`: the earlier version is known, and its bytes are not available.
 * - `shared`: the user or another session wrote the file in the same turn.
 * - `unseen`: the file changed while no window followed the turn, so that its author is not known. A deleted file is put back anyway.
 * - `changed_since`: the agent left the file in another state.
 * - `unsaved`: the file has unsaved changes in an editor.
 * - `elsewhere`: the path leads to another place than when it was recorded.
 * - `old_name_taken`: another file has the old name of a moved file.
 * - `changing`: the file is being written at the moment.
 * - `running`: the turn that runs has changed the file, and the review gets its changes at the end.
 * - `failed`: the write failed.
 * - `cancelled`: the user cancelled before the file was written.
 * - `linked`: the agent made the path as another name of a file, which an undo of a change would write, too.
 * - `moved`: the path has the only copy of another file, which is left, too.
 * - `replaced`: another file was moved to the path, and it may be the only copy of its content.
 */
export type LeftReason =
  | 'unknown'
  | 'not_stored'
  | 'shared'
  | 'unseen'
  | 'changed_since'
  | 'unsaved'
  | 'elsewhere'
  | 'old_name_taken'
  | 'changing'
  | 'running'
  | 'failed'
  | 'cancelled'
  | 'linked'
  | 'moved'
  | 'replaced';

/** The wanted state of one path. A text is encoded like the file on disk. `mode`: the permission bits. */
export type WantedState = FileState | { readonly kind: 'text'; readonly text: string; readonly mode: number };

/** One write on disk. `before` is the state expected there. */
export interface UndoWrite {
  readonly path: string;
  readonly before: FileState;
  readonly after: WantedState;
}

export type UndoEffect = 'change' | 'delete' | 'create' | 'move';

/**
 * The action of an undo.
 *
 * - `edit`: undoes the hunks in the open document, and saves it if `save` is set. `moveTo` renames it afterwards; `mode` are the wanted permissions.
 * - `write`: writes the disk, `writes` first and `removals` only after they succeeded.
 * - `settle`: the file already has the earlier state; nothing is written.
 * - `leave`: nothing is done. `canForce` is the action for a user who wants to replace the newer version.
 */
export type UndoAction =
  | {
      readonly type: 'edit';
      readonly edits: readonly TextEdit[];
      readonly save: boolean;
      readonly mode?: number;
      readonly moveTo?: string;
      readonly effect: UndoEffect;
    }
  | {
      readonly type: 'write';
      readonly writes: readonly UndoWrite[];
      readonly removals: readonly UndoWrite[];
      readonly effect: UndoEffect;
      /** The edits that turn the present text into the new one, where the file has hunks. */
      readonly edits?: readonly TextEdit[];
    }
  | { readonly type: 'settle' }
  | { readonly type: 'leave'; readonly reason: LeftReason; readonly canForce?: UndoAction };

const NONE: FileState = { kind: 'none' };
/** The three permissions to read. */
const READ = 0o444;

/** Plans the undo of a file, or of some of its hunks. */
export function planUndo(target: UndoTarget, facts: UndoFacts): UndoAction {
  const action = plannedAction(target, facts);
  // The undo can remove a new name of a file, but the content belongs to the other names.
  return target.file.before.kind !== 'file' && (facts.names ?? 1) > 1 && writesContent(action, target.file.path) ? leave('linked') : action;
}

function plannedAction({ file, hunkIds }: UndoTarget, facts: UndoFacts): UndoAction {
  if (!facts.inPlace) {
    return leave('elsewhere');
  }
  if (facts.editor === 'unsavedOther') {
    return leave('unsaved');
  }
  if (isCreation(file) && facts.now.kind === 'none' && facts.editor !== 'unsaved') {
    // Another program or the user has deleted it.
    return { type: 'settle' };
  }
  if (hunkIds) {
    return planText(file, hunkIds, facts, false);
  }
  if (file.shared && !(isOnlyUnseen(file) && isOnlyGone(file, facts))) {
    return leave(isOnlyUnseen(file) ? 'unseen' : 'shared');
  }
  return file.hunks ? planText(file, undefined, facts, true) : planWhole(file, facts);
}

/** True for a deleted file at whose path nothing exists: putting it back loses nothing, so that the author of the deletion does not matter. */
function isOnlyGone({ isDeleted, oldPath }: ReviewFile, { now }: UndoFacts): boolean {
  return isDeleted && oldPath === undefined && now.kind === 'none';
}

function writesContent(action: UndoAction, file: string): boolean {
  const isContent = ({ path, after }: UndoWrite): boolean => path === file && (after.kind === 'file' || after.kind === 'text');
  return action.type === 'edit' || (action.type === 'write' && action.writes.some(isContent));
}

/** Returns the mode `present` with the permission to execute of `earlier`. The other bits belong to the user. */
export function withExecutable(present: number, earlier: number): number {
  if (isExecutable(present) === isExecutable(earlier)) {
    return present;
  }
  return isExecutable(earlier) ? present | ((present & READ) >> 2) : present & ~EXECUTE;
}

function planText(file: ReviewFile, hunkIds: readonly number[] | undefined, facts: UndoFacts, isWhole: boolean): UndoAction {
  const { now, editor } = facts;
  const hunks = file.hunks;
  if (!hunks) {
    return leave('changed_since');
  }
  const edits = hunks.undoEdits(hunkIds ?? hunks.hunks.map(({ hunkId }) => hunkId));
  const mode = isWhole ? wantedMode(file, facts) : undefined;
  const from = isWhole ? file.oldPath : undefined;
  if (edits.length === 0 && from === undefined && mode === undefined && !(isWhole && isEmptyCreation(file))) {
    return { type: 'settle' };
  }
  if (from !== undefined && !isFree(facts)) {
    return leave('old_name_taken');
  }
  const text = resultOf(hunks.text, edits);
  const isTypable = keepsText(hunks.text, text);
  if (editor === 'unsaved' && facts.documentText === hunks.text && from === undefined) {
    if (!isTypable) {
      return leave('unsaved');
    }
    // The user's typing is in the same text: undo by edits, and let the user save.
    const isCreated = file.before.kind === 'none' && isWhole && text === '';
    return isCreated ? leave('unsaved') : { type: 'edit', edits, save: false, effect: 'change' };
  }
  if (editor === 'unsaved' && (!isWhole || from !== undefined)) {
    return leave('unsaved');
  }
  if (now.kind !== 'file' || facts.diskText !== hunks.text) {
    return leave(now.kind !== 'file' ? 'changed_since' : facts.isRunning ? 'running' : 'changing');
  }
  if (file.before.kind === 'none' && isWhole && text === '' && from === undefined) {
    return editor === 'unsaved'
      ? leave('unsaved')
      : { type: 'write', writes: [{ path: file.path, before: now, after: NONE }], removals: [], effect: 'delete', edits };
  }
  if (editor === 'clean' && facts.documentText !== hunks.text) {
    return leave('changing');
  }
  // The editor saves into a file with several names. It cannot follow the remaining hunks in a text with two kinds of line ends.
  if (editor === 'clean' && !file.relinked && (isTypable || (!isWhole && !keepsLineEnds(text)))) {
    return {
      type: 'edit',
      edits,
      save: true,
      ...(mode !== undefined && { mode }),
      ...(from !== undefined && { moveTo: from }),
      effect: from === undefined ? 'change' : 'move',
    };
  }
  const after = wantedText(file, facts, text, now, isWhole);
  if (from !== undefined) {
    const writes = [{ path: from, before: NONE, after }];
    return { type: 'write', writes, removals: [{ path: file.path, before: now, after: NONE }], effect: 'move', edits };
  }
  return { type: 'write', writes: [{ path: file.path, before: now, after }], removals: [], effect: 'change', edits };
}

/** Returns the exact earlier bytes when the text is the earlier one; otherwise the text. */
function wantedText(
  { before }: ReviewFile,
  { beforeText, isStored, after }: UndoFacts,
  text: string,
  now: FileState & { readonly kind: 'file' },
  isWhole: boolean,
): WantedState {
  const mode = isWhole && before.kind === 'file' ? earlierMode(now.mode, before.mode, after) : now.mode;
  return isWhole && before.kind === 'file' && isStored && beforeText === text ? { ...before, mode } : { kind: 'text', text, mode };
}

function planWhole(file: ReviewFile, facts: UndoFacts): UndoAction {
  const { before, path, oldPath } = file;
  const { now, after } = facts;
  if (before.kind === 'unknown') {
    return leave('unknown');
  }
  if (before.kind === 'file' && !facts.isStored) {
    return leave('not_stored');
  }
  if (oldPath !== undefined && !isFree(facts)) {
    return leave('old_name_taken');
  }
  if (facts.editor === 'unsaved') {
    return leave('unsaved');
  }
  if (oldPath === undefined && sameState(now, before)) {
    return { type: 'settle' };
  }
  const action = wholeAction(file, facts);
  const isAsLeft = after !== undefined && sameState(now, after);
  if (isAsLeft) {
    return action;
  }
  // The newer version must reach the store first, and a file that did not exist is never deleted with a later version.
  const canForce = oldPath === undefined && before.kind !== 'none' && (now.kind !== 'file' || now.kept) && now.kind !== 'unknown';
  return { type: 'leave', reason: 'changed_since', ...(canForce && { canForce: action }) };

  function wholeAction({ before: wanted }: ReviewFile, { now: present }: UndoFacts): UndoAction {
    const mode = wanted.kind === 'file' && present.kind === 'file' ? earlierMode(present.mode, wanted.mode, after) : undefined;
    const state = wanted.kind === 'file' && mode !== undefined ? { ...wanted, mode } : wanted;
    if (oldPath !== undefined) {
      const removals = [{ path, before: present, after: NONE }];
      return { type: 'write', writes: [{ path: oldPath, before: NONE, after: state }], removals, effect: 'move' };
    }
    const effect = wanted.kind === 'none' ? 'delete' : present.kind === 'none' ? 'create' : 'change';
    return { type: 'write', writes: [{ path, before: present, after: state }], removals: [], effect };
  }
}

/** Returns the permissions that the file should get; undefined where they need no change. */
function wantedMode({ before }: ReviewFile, { now, after }: UndoFacts): number | undefined {
  const mode = before.kind === 'file' && now.kind === 'file' ? earlierMode(now.mode, before.mode, after) : undefined;
  return now.kind === 'file' && mode !== now.mode ? mode : undefined;
}

/**
 * Returns the permissions for the earlier version. Those that were read from a disk narrow the present ones, unless the user has changed them since.
 */
function earlierMode(present: number, earlier: number, after: FileState | undefined): number {
  const isAsLeft = after?.kind === 'file' && after.mode === present;
  return isAsLeft && !isGitMode(earlier) ? modeFor(present, earlier) : withExecutable(present, earlier);
}

function isFree({ atOldPath, oldInPlace }: UndoFacts): boolean {
  return oldInPlace !== false && atOldPath?.kind === 'none';
}

/** True when a document with the text `present` keeps `text` unchanged: a document has one kind of line ends. */
function keepsText(present: string, text: string): boolean {
  return keepsLineEnds(text) && (!text.includes('\n') || !present.includes('\n') || text.includes('\r\n') === present.includes('\r\n'));
}

function resultOf(text: string, edits: readonly TextEdit[]): string {
  return edits.reduce(applyEdit, text);
}

function leave(reason: LeftReason): UndoAction {
  return { type: 'leave', reason };
}
