/** Finds undos that depend on other undos, because they overwrite the only copy of another file. */
import { applyEdit } from '../../core/fileChanges/hunks';
import type { FileState } from '../../core/fileChanges/records';
import { heldLines, isComparable, type RunContents } from '../heldLines';
import { canHold, contentKey, hasOrigins, isNoFile, type Origins } from '../origins';
import type { KeptFile } from '../review/keptAway';
import type { FileNote } from '../review/changeReport';
import type { ReviewFile } from '../review/review';
import type { PlannedUndo } from './plannedUndo';

export interface UndoOrderDependencies {
  readonly review: { readonly files: readonly ReviewFile[]; readonly awayFiles: readonly KeptFile[] };
  readonly states: { of(path: string, keep: boolean): Promise<{ readonly state: FileState }> };
}

/** The plans that can be performed next, and those that are left: each would overwrite the only copy of a file that is left, too. */
export interface NextUndos<Plan> {
  readonly next: readonly Plan[];
  readonly onlyCopies: readonly Plan[];
}

/** The most bytes of contents that are searched for lines of other files. */
const HELD_BYTES = 16 * 1024 * 1024;

/** Returns the files among the plans that hold lines of other files, including those that are left. @param get reads a stored content */
export async function heldByUndos(
  plans: readonly PlannedUndo[],
  get: (hash: string) => Promise<Uint8Array | undefined>,
  keptAway: readonly KeptFile[] = [],
): Promise<Origins> {
  const read = async (state: FileState): Promise<Uint8Array | undefined> => (state.kind === 'file' ? get(state.hash) : undefined);
  const contents: RunContents[] = [];
  let budget = plans.length > 1 || keptAway.length > 0 ? HELD_BYTES : 0;
  for (const { target, facts, action } of plans) {
    const { path, before, hunks } = target.file;
    budget -= sizeOf(facts.now) + sizeOf(before);
    if (budget < 0 || !isComparable(facts.now)) {
      continue;
    }
    const isLeft = action.type === 'leave' || action.type === 'settle';
    const edits = hunks?.undoEdits(target.hunkIds ?? hunks.hunks.map(({ hunkId }) => hunkId));
    contents.push({
      // No undo of a settled file restores lines that another program has replaced in it.
      path: action.type === 'settle' ? `${path}\0` : path,
      now: hunks && !isLeft ? Buffer.from(hunks.text) : await read(facts.now),
      to: hunks && edits && !isLeft ? Buffer.from(edits.reduce(applyEdit, hunks.text)) : await read(before),
      isLeft,
    });
  }
  for (const { path, before } of keptAway.filter((file) => !contents.some((each) => each.path === file.path))) {
    budget -= sizeOf(before);
    if (budget >= 0) {
      // The lines are not at their path, and no undo of the run brings them back.
      contents.push({ path, now: undefined, to: await read(before), isLeft: true });
    }
  }
  return heldLines(contents);
}

/**
 * True when a file has the only copy of a content that the agent had moved over another file, and that file does not have it again. An undo of such a
 * move is two notes, and each can be applied again without the other.
 * @param note of the file that would be overwritten or deleted
 * @param others the notes of other files
 */
export async function hasOnlyCopy(
  { path, actual, believed }: FileNote,
  others: readonly FileNote[],
  states: UndoOrderDependencies['states'],
): Promise<boolean> {
  const key = contentKey(actual);
  if (key === undefined || key === contentKey(believed)) {
    return false;
  }
  const places = others.filter((note) => note.path !== path && contentKey(note.believed) === key);
  for (const place of places) {
    if (contentKey((await states.of(place.path, false)).state) === key) {
      return false;
    }
  }
  return places.length > 0;
}

function sizeOf(state: FileState): number {
  return state.kind === 'file' ? state.size : 0;
}

/**
 * Returns the undos that can run next. The agent may have moved a file over another one. An undo of the second removes the content of the first,
 * which must be restored to its old place before.
 * @param open plans that are not performed yet
 * @param held the result of {@link heldByUndos}
 * @param done the paths of performed plans
 */
export async function nextUndos<Plan extends PlannedUndo>(
  open: readonly Plan[],
  deps: UndoOrderDependencies,
  held: Origins = new Map(),
  done: readonly string[] = [],
): Promise<NextUndos<Plan>> {
  const openPaths = new Set(open.map(({ target }) => target.file.path));
  const left = open.filter(
    ({ target: { file } }) => !hasOrigins(held, file.path, (origin) => openPaths.has(origin) || done.includes(origin)),
  );
  if (left.length > 0) {
    return { next: [], onlyCopies: left };
  }
  const waiting = new Map(await waitingFor(open, deps, done));
  for (const plan of open) {
    const origins = (held.get(plan.target.file.path) ?? []).flat().filter((origin) => openPaths.has(origin));
    if (origins.length > 0) {
      waiting.set(plan, [...(waiting.get(plan) ?? []), ...origins]);
    }
  }
  const ready = open.filter((plan) => !waiting.has(plan));
  if (ready.length > 0) {
    return { next: ready, onlyCopies: [] };
  }
  // Files that the agent exchanged wait for each other.
  let next = open;
  for (let count = -1; count !== next.length; ) {
    count = next.length;
    const paths = new Set(next.map(({ target }) => target.file.path));
    next = next.filter((plan) => waiting.get(plan)!.some((file) => paths.has(file)));
  }
  return { next, onlyCopies: open.filter((plan) => !next.includes(plan)) };
}

/** Returns the plans for a path with another file, whose content no undo of the session brings back to its place. */
export async function replacedFiles<Plan extends PlannedUndo>(
  plans: readonly Plan[],
  deps: UndoOrderDependencies,
): Promise<ReadonlySet<Plan>> {
  const others = plans.filter(({ facts }) => facts.isOther);
  const waiting = others.length > 0 ? await waitingFor(others, deps) : new Map<Plan, readonly string[]>();
  return new Set(others.filter((plan) => waiting.get(plan)?.length === 0));
}

/** A file that may no longer be at its path. */
type Away = KeptFile & Pick<ReviewFile, 'oldPath' | 'after'>;

const NONE: FileState = { kind: 'none' };

/** True for a file that may no longer be at its path: it was deleted or moved, a link is there, or its earlier content has no copy. */
function mayBeAway({ isDeleted, oldPath, before, after }: ReviewFile): boolean {
  return isDeleted || oldPath !== undefined || before.kind === 'unknown' || (before.kind === 'file' && after.kind === 'link');
}

/** Returns the size of the content that the plan removes or replaces, in bytes or UTF-16 units; undefined for a plan that writes nothing. */
function removedSize({ facts: { now }, action }: PlannedUndo): number | undefined {
  if (action.type !== 'write' && action.type !== 'edit') {
    return undefined;
  }
  const isRemoved = action.type === 'write' && action.effect !== 'change';
  return action.edits && !isRemoved ? action.edits.reduce((sum, { start, end }) => sum + end - start, 0) : sizeOf(now);
}

/**
 * Returns the plans that would overwrite the only copy of files, with the old paths of these.
 * @param done paths that the same undo has written, and that may have the content of another file at the path of a plan
 */
async function waitingFor<Plan extends PlannedUndo>(
  open: readonly Plan[],
  { review, states }: UndoOrderDependencies,
  done: readonly string[] = [],
): Promise<ReadonlyMap<Plan, readonly string[]>> {
  const byContent = new Map<string, string[]>();
  // The content of a file that is still in its place may be equal by chance, and its undo has its own version.
  const away: readonly Away[] = [...review.files.filter(mayBeAway), ...review.awayFiles.map((file): Away => ({ ...file, after: NONE }))];
  for (const { path: file, oldPath, before } of away) {
    const key = contentKey(before);
    if (key !== undefined) {
      byContent.set(key, [...(byContent.get(key) ?? []), oldPath ?? file]);
    }
  }
  const waiting = new Map<Plan, readonly string[]>();
  for (const plan of open) {
    const { path: own, oldPath } = plan.target.file;
    const key = contentKey(plan.facts.now);
    const size = removedSize(plan);
    const present = sizeOf(plan.facts.now);
    const held = away.filter(
      ({ before, after }) => size !== undefined && (canHold(present, before, false) || (isNoFile(after) && canHold(size, before, true))),
    );
    const olds = [...(size === undefined ? [] : (byContent.get(key ?? '') ?? [])), ...held.map((file) => file.oldPath ?? file.path)].filter(
      (file) => file !== own && file !== oldPath,
    );
    // Another file at the path has a content that only a path of the review can have, too.
    const isOnlyCopy = size !== undefined && plan.facts.isOther === true && !plan.force;
    let isElsewhere = false;
    for (const file of isOnlyCopy ? [...olds, ...done] : olds) {
      isElsewhere ||= key !== undefined && contentKey((await states.of(file, false)).state) === key;
    }
    if ((olds.length > 0 || isOnlyCopy) && !isElsewhere) {
      waiting.set(plan, olds);
    }
  }
  return waiting;
}
