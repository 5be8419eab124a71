/** The agent's changes in an earlier state of a file, from the records of its turns, undos and restores. A restore to that state brings them back. */
import type { Hunk } from '../../core/fileChanges/hunks';
import { type ChangeRecord, type FileRecord, type FileState, sameState } from '../../core/fileChanges/records';
import { diffTexts } from '../../text/diff/lines';
import { LiveHunks } from './liveHunks';

/** The records before and after the state to which a restore returns. */
export interface RestoredPoint {
  readonly earlier: readonly ChangeRecord[];
  readonly later: readonly ChangeRecord[];
}

/** The agent's changes in a state. */
export interface RecordedChanges {
  /** The state before the first of them. */
  readonly before: FileState;
  /** The state that the last record left. Another author may have written the file since. */
  readonly after: FileState;
  /** The path before the first of them, if the file was moved. */
  readonly oldPath?: string;
  readonly turns: readonly string[];
  /** Another author may have made a part of them: the records do not separate the user's lines in a turn. */
  readonly shared?: true;
  /** The changes one by one, in the text of the state; absent for a file without text. */
  readonly hunks?: LiveHunks;
}

/** Returns the text of a state; undefined where there is none. */
export type TextOfState = (path: string, state: FileState) => Promise<string | undefined>;

interface Step {
  readonly type: 'turn' | 'restore' | 'undo';
  readonly turnId?: string;
  readonly file: FileRecord;
}

/** Returns undefined when the agent has not changed the file before that state, or when its earlier texts cannot be compared. */
export async function recordedChanges(
  { earlier }: Pick<RestoredPoint, 'earlier'>,
  path: string,
  textOf: TextOfState,
): Promise<RecordedChanges | undefined> {
  const steps = stepsOf(earlier, path);
  const turns = steps.filter(({ type }) => type === 'turn');
  const [first] = turns;
  if (!first) {
    return undefined;
  }
  const oldPath = first.file.oldPath ?? first.file.path;
  const { after } = steps.at(-1)!.file;
  const isWhole = turns.some(({ file }) => file.binary || file.after.kind === 'link') || after.kind !== 'file';
  if (isWhole && !turns.some(({ file }) => sameState(file.after, after))) {
    return undefined;
  }
  const since = steps.slice(steps.indexOf(first));
  const hunks = isWhole ? undefined : await replayed(since, textOf);
  return isWhole || hunks
    ? {
        before: hunks ? first.file.before : wholeBefore(since),
        after,
        ...(oldPath !== path && { oldPath }),
        turns: [...new Set(turns.flatMap(({ turnId }) => turnId ?? []))],
        ...(turns.some(({ file }) => file.shared || file.userEdits) && { shared: true }),
        ...(hunks && { hunks }),
      }
    : undefined;
}

/** True when a restore of the file to `to` brings a change back that the user has undone since. @param now the present state */
export async function bringsBackUndone(
  point: RestoredPoint,
  { path, to, now }: { readonly path: string; readonly to: FileState; readonly now: FileState },
  textOf: TextOfState,
): Promise<boolean> {
  const undos = stepsOf(point.later, path).flatMap(({ type, file }) => (type === 'undo' ? [file] : []));
  const recorded = undos.length === 0 ? undefined : await recordedChanges(point, path, textOf);
  if (!recorded) {
    return false;
  }
  const { hunks } = recorded;
  if (!hunks) {
    return undos.some(({ before, after }) => sameState(before, to) && !sameState(after, to)) && !sameState(now, to);
  }
  const idsIn = async (state: FileState): Promise<ReadonlySet<number> | undefined> => {
    const text = await textOf(path, state);
    return text === undefined ? undefined : hunksIn(hunks, text);
  };
  const present = (await idsIn(now)) ?? new Set();
  for (const { before, after } of undos) {
    const [had, left] = [await idsIn(before), await idsIn(after)];
    if (had && left && [...had].some((id) => !left.has(id) && !present.has(id))) {
      return true;
    }
  }
  return false;
}

/** Returns the ids of the pending hunks that another text of the file has, too. Lines added beside a hunk do not matter. */
export function hunksIn(hunks: LiveHunks, text: string): ReadonlySet<number> {
  const changes = diffTexts(hunks.text, text, 'unified')?.changes;
  const isIn = (hunk: Hunk): boolean => {
    const { first, end } = hunks.linesOf(hunk);
    return changes!.every(({ oldStart, oldEnd, newStart, newEnd }) => {
      const isApart = oldStart === oldEnd ? oldStart <= first || oldStart >= end : oldEnd <= first || oldStart >= end;
      // A deletion is no longer there when lines are in its place.
      return first === end ? newStart === newEnd || oldEnd < first || oldStart > first : isApart;
    });
  };
  return new Set(changes ? hunks.hunks.filter(isIn).map(({ hunkId }) => hunkId) : []);
}

/** True when the user has undone changes of the file since that state. */
export function wasUndone({ later }: Pick<RestoredPoint, 'later'>, path: string): boolean {
  return stepsOf(later, path).some(({ type }) => type === 'undo');
}

/** Returns the version that an undo of the whole file restores. A version of another author between two records is not the agent's, as in a review. */
function wholeBefore(steps: readonly Step[]): FileState {
  const known: { readonly state: FileState; readonly before: FileState }[] = [];
  for (const { type, file } of steps) {
    const last = known.at(-1);
    const before = last && sameState(last.state, file.before) ? last.before : file.before;
    const back = type === 'turn' ? undefined : (known.findLast(({ state }) => sameState(state, file.after))?.before ?? file.after);
    known.push({ state: file.before, before }, { state: file.after, before: back ?? before });
  }
  return known.at(-1)!.before;
}

/** Replays the texts of the steps, the first of which is a turn. */
async function replayed(steps: readonly Step[], textOf: TextOfState): Promise<LiveHunks | undefined> {
  const known: { readonly state: FileState; readonly hunks: LiveHunks }[] = [];
  let hunks: LiveHunks | undefined;
  for (const { type, turnId = '', file } of steps) {
    const [before, after] = [await textOf(file.oldPath ?? file.path, file.before), await textOf(file.path, file.after)];
    if (before === undefined || after === undefined) {
      return undefined;
    }
    hunks = hunks?.copy() ?? LiveHunks.of(before);
    known.push({ state: file.before, hunks: hunks.copy() });
    const back = type === 'restore' ? known.findLast(({ state }) => sameState(state, file.after)) : undefined;
    if (back) {
      hunks = back.hunks.copy();
    } else if (
      // The user or another program may have written between two records.
      !hunks.replace(before, { type: 'user' }) ||
      !hunks.replace(after, type === 'turn' ? { type: 'agent', by: turnId } : { type: 'user' })
    ) {
      return undefined;
    }
    known.push({ state: file.after, hunks });
  }
  return hunks;
}

/** Returns the steps of the file that has the path after the last record, oldest first. Leaves out writes that a restore or undo did not make. */
function stepsOf(records: readonly ChangeRecord[], path: string): readonly Step[] {
  const ends = new Map(records.flatMap((record) => (record.type === 'done' ? [[record.id, record.written] as const] : [])));
  const steps: Step[] = [];
  let name = path;
  for (const record of records.toReversed()) {
    const file = 'files' in record ? filesByPath(record).get(name) : undefined;
    if (!file || !('files' in record)) {
      continue;
    }
    const id = record.type === 'restore' ? record.restoreId : record.type === 'undo' ? record.undoId : undefined;
    if (id === undefined || ends.get(id)?.includes(name) !== false) {
      steps.push({ type: record.type, ...(record.type === 'turn' && { turnId: record.turnId }), file });
      name = file.oldPath ?? name;
    }
  }
  return steps.reverse();
}

type WithFiles = Extract<ChangeRecord, { readonly files: readonly FileRecord[] }>;

/** A restore reads the records of many files. */
const indexes = new WeakMap<WithFiles, ReadonlyMap<string, FileRecord>>();

function filesByPath(record: WithFiles): ReadonlyMap<string, FileRecord> {
  const index = indexes.get(record) ?? new Map(record.files.map((file) => [file.path, file]));
  indexes.set(record, index);
  return index;
}
