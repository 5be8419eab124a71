/**
 * The pending changes of one text, kept correct while agent and user continue to write it. An edit only moves ranges. Only lines that an agent or
 * another program wrote are compared. Keeping and undoing never change the text outside a hunk.
 *
 * Each call is near linear in the text and its edits, and is refused where it would take more than a few tens of milliseconds.
 */
import { EditBatch } from '../../core/fileChanges/editBatch';
import {
  baselineOf,
  cutsHunk,
  type Hunk,
  joinHunks,
  type MappedHunks,
  mapHunks,
  movedRange,
  type SetAsideHunk,
  type TextEdit,
} from '../../core/fileChanges/hunks';
import { diffTexts } from '../../text/diff/lines';
import { editByAgent } from './agentEdit';
import { alignedEdits } from './alignedEdits';
import { type CoveredHunks, movedCovered, returnedHunks, withCovered } from './coveredHunks';
import { lineEdits } from './lineEdits';
import { withLineEnds, withoutReturns } from './lineEnds';
import { LineIndex } from './lineIndex';
import { withReturned } from './returnedChanges';
import {
  MAX_HUNKS,
  canReturn,
  isInPlace,
  movedSetAside,
  overwrittenBy,
  recognizeReturn,
  revive,
  splitByOthers,
  withoutAgentText,
  withSetAside,
} from './setAside';

/** The author of an edit: the editor, with its formatters and its undo; the agent in the turn `by`; or another program, such as a checkout. */
export type Author = { readonly type: 'user' } | { readonly type: 'agent'; readonly by: string } | { readonly type: 'external' };

/** The state that a reload restores, beside the text that it belongs to. */
export interface StoredHunks {
  readonly nextId: number;
  readonly hunks: readonly Hunk[];
  readonly setAside: readonly SetAsideHunk[];
}

interface Parked {
  readonly text: string;
  readonly hunks: readonly Hunk[];
}

/** The most earlier texts whose hunks are remembered: checking out the branch again brings its hunks back. */
const MAX_PARKED = 4;
/** UTF-16 units of a text beyond which a file is reviewed as a whole, as it is beyond `MAX_HUNKS`. */
const MAX_UNITS = 2 * 1024 * 1024;
/** The most edits of an agent that are followed one by one. Beyond them the lines of the texts are compared. */
const MAX_AGENT_EDITS = 1000;

export class LiveHunks {
  private parked: readonly Parked[] = [];
  private covered: readonly CoveredHunks[] = [];
  private readonly lines = new LineIndex();

  private constructor(
    private present: string,
    private pending: readonly Hunk[],
    private setAsideHunks: readonly SetAsideHunk[],
    private nextId: number,
  ) {}

  /** Returns the state for a text without changes. */
  static of(text: string): LiveHunks {
    return new LiveHunks(text, [], [], 1);
  }

  /** @param text at the time when the hunks were stored */
  static from({ nextId, hunks, setAside }: StoredHunks, text: string): LiveHunks {
    return new LiveHunks(text, hunks, setAside, nextId);
  }

  copy(): LiveHunks {
    const copy = new LiveHunks(this.present, this.pending, this.setAsideHunks, this.nextId);
    [copy.parked, copy.covered] = [this.parked, this.covered];
    return copy;
  }

  get stored(): StoredHunks {
    return { nextId: this.nextId, hunks: this.pending, setAside: this.setAsideHunks };
  }

  get text(): string {
    return this.present;
  }

  /** The text with every pending change undone. */
  get baseline(): string {
    return baselineOf(this.present, this.pending);
  }

  /** The pending hunks, in order. */
  get hunks(): readonly Hunk[] {
    return this.pending;
  }

  /** Undone, stale and similar hunks, oldest first. The user can read them or apply them again, and the agent is notified of them. */
  get setAside(): readonly SetAsideHunk[] {
    return this.setAsideHunks;
  }

  /**
   * @param edits each refers to the text that the edit before it left
   * @returns false when they are too many to follow: nothing has changed here, and the file must be reviewed as a whole
   */
  edit(edits: readonly TextEdit[], author: Author): boolean {
    const batch = EditBatch.ofSequence(edits);
    if (!batch) {
      // Overlapping edits are rare, and their result is enough.
      return this.replace(
        edits.reduce((text, edit) => new EditBatch([edit]).applyTo(text), this.present),
        author,
      );
    }
    if (author.type === 'agent' && batch.edits.length > MAX_AGENT_EDITS) {
      return this.replace(batch.applyTo(this.present), author);
    }
    return (
      batch.edits.length === 0 ||
      (author.type === 'agent' ? this.editByAgent(batch, author.by, false) : this.editByOthers(batch, author.type))
    );
  }

  /** Compares the lines of the present text with those of `text`. @returns the same as {@link edit} */
  replace(text: string, author: Author): boolean {
    if (text === this.present) {
      return true;
    }
    if (text.length > MAX_UNITS) {
      return false;
    }
    if (withoutReturns(text) === withoutReturns(this.present)) {
      [this.pending, this.setAsideHunks] = withLineEnds(this.pending, this.setAsideHunks, this.present, text);
      [this.present, this.covered] = [text, []];
      return true;
    }
    const edits = lineEdits(this.present, text, author.type === 'agent' ? 'runs' : 'lines');
    if (!edits) {
      return false;
    }
    const batch = new EditBatch(edits);
    return author.type === 'agent' ? this.editByAgent(batch, author.by, true) : this.editByOthers(batch, author.type);
  }

  /** The user typed while the hunks did not follow. Text that replaces the agent's belongs to no hunk. @returns the same as {@link edit} */
  savedOver(text: string): boolean {
    const edits = lineEdits(this.present, text, 'runs') ?? [];
    const over = overwrittenBy(edits, this.pending, this.present);
    const left = this.pending.filter(({ hunkId }) => !over.some((hunk) => hunk.hunkId === hunkId));
    this.pending = left.flatMap((hunk) => splitByOthers(hunk, edits, () => this.nextId++));
    this.setAsideHunks = withSetAside(this.setAsideHunks, over);
    return this.replace(text, { type: 'user' });
  }

  /** Moves hunks into the baseline. A hunk whose text is not the agent's is set aside, because the agent must be notified of it. */
  keep(hunkIds: readonly number[]): void {
    const ids = new Set(hunkIds);
    const changed = this.pending
      .filter(({ hunkId, agentText, start, end }) => {
        return ids.has(hunkId) && agentText !== undefined && agentText !== this.present.slice(start, end);
      })
      .map((hunk): SetAsideHunk => {
        return { ...hunk, newText: this.present.slice(hunk.start, hunk.end), placed: false, status: 'changed' };
      });
    this.setAsideHunks = withSetAside(this.setAsideHunks, changed);
    this.pending = this.pending.filter(({ hunkId }) => !ids.has(hunkId));
  }

  /** Returns the edits that undo hunks, for the editor to apply in this order. They are reported back as the user's edits. */
  undoEdits(hunkIds: readonly number[]): TextEdit[] {
    const ids = new Set(hunkIds);
    return this.pending
      .filter(({ hunkId }) => ids.has(hunkId))
      .map(({ start, end, oldText }) => ({ start, end, text: oldText }))
      .reverse();
  }

  /** Returns the edit that applies an undone change again; undefined when its old text is no longer in its place. */
  reapplyEdit(hunkId: number): TextEdit | undefined {
    const hunk = this.setAsideHunks.find((each) => each.hunkId === hunkId);
    const beginsLine = hunk && (hunk.start === 0 || this.present[hunk.start - 1] === '\n');
    return beginsLine && isInPlace(hunk, this.present) ? { start: hunk.start, end: hunk.end, text: hunk.newText } : undefined;
  }

  setReviewed(hunkIds: readonly number[], reviewed: boolean): void {
    const ids = new Set(hunkIds);
    this.pending = this.pending.map((hunk) => (ids.has(hunk.hunkId) ? { ...hunk, reviewed } : hunk));
  }

  /** The text is again that of `earlier`, as when unsaved text was reverted. Changes that the user kept with edits since then stay in the report. */
  returnTo(earlier: LiveHunks): void {
    const ids = new Set([...earlier.pending, ...earlier.setAsideHunks].map(({ hunkId }) => hunkId));
    const kept = this.setAsideHunks.filter(({ hunkId, status }) => status === 'changed' && !ids.has(hunkId));
    [this.present, this.pending] = [earlier.present, earlier.pending];
    [this.setAsideHunks, this.parked, this.covered] = [withSetAside(earlier.setAsideHunks, kept), earlier.parked, earlier.covered];
  }

  /** Adds the agent's changes that a restore has brought back. @param returned in the present text, in order */
  bringBack(returned: readonly Hunk[]): void {
    const { present: text, pending, setAsideHunks: setAside } = this;
    ({ pending: this.pending, setAside: this.setAsideHunks } = withReturned({
      text,
      pending,
      setAside,
      returned,
      mint: () => this.nextId++,
    }));
  }

  /** Removes set-aside hunks. */
  forget(hunkIds: readonly number[]): void {
    const ids = new Set(hunkIds);
    this.setAsideHunks = this.setAsideHunks.filter(({ hunkId }) => !ids.has(hunkId));
  }

  /** Keeps the hunks that a commit contains, and returns their ids. @param committed the file's text in the commit */
  keepCommitted(committed: string): readonly number[] {
    const diff = this.pending.length === 0 ? undefined : diffTexts(this.present, committed, 'unified');
    if (!diff) {
      return [];
    }
    let next = 0;
    const kept = this.pending
      .filter((hunk) => {
        const { first, end } = this.linesOf(hunk);
        while (diff.changes[next] && diff.changes[next]!.oldEnd < first) {
          next++;
        }
        for (let index = next; diff.changes[index] && diff.changes[index]!.oldStart <= end; index++) {
          const { oldStart, oldEnd } = diff.changes[index]!;
          if (first === end || oldStart === oldEnd ? oldStart <= end && oldEnd >= first : oldStart < end && oldEnd > first) {
            return false;
          }
        }
        return true;
      })
      .map(({ hunkId }) => hunkId);
    this.keep(kept);
    return kept;
  }

  /** Returns the lines of a hunk in the present text, `[first, end)`, from 0. A pure deletion has none and is before `first`. */
  linesOf(hunk: Pick<Hunk, 'start' | 'end'>): { readonly first: number; readonly end: number } {
    return this.lines.linesOf(this.present, hunk);
  }

  /** @param areBlocks the edits come from a line diff */
  private editByAgent(batch: EditBatch, by: string, areBlocks: boolean): boolean {
    // Each block becomes a hunk, unless it undoes one.
    if (batch.edits.length > MAX_HUNKS + this.pending.length) {
      return false;
    }
    const present = batch.applyTo(this.present);
    let { nextId } = this;
    const mint = (): number => nextId++;
    const over = this.overwrittenBy(batch);
    const copies = [...over].map((hunk): SetAsideHunk => {
      return { ...hunk, hunkId: mint(), newText: this.present.slice(hunk.start, hunk.end), placed: false, status: 'overwritten' };
    });
    const hunks =
      over.size === 0 ? this.pending : this.pending.map((hunk) => (over.has(hunk) ? { ...withoutAgentText(hunk), edited: false } : hunk));
    const pending = editByAgent({ text: this.present, hunks, batch, present, areBlocks, by, mint });
    if (pending.length > MAX_HUNKS) {
      return false;
    }
    this.setAsideHunks = movedSetAside(withSetAside(this.setAsideHunks, copies), batch, true);
    this.covered = movedCovered(this.covered, batch, true);
    [this.pending, this.present, this.nextId] = [pending, present, nextId];
    // The text may equal a parked one. The agent's new hunks count then, not the parked ones.
    this.parked = this.parked.filter((parked) => parked.text !== present);
    return true;
  }

  /** Returns the hunks with text of the user's that an agent's edits replace. Their text is nowhere else, so a copy is set aside. */
  private overwrittenBy(batch: EditBatch): ReadonlySet<Hunk> {
    const over = new Set<Hunk>();
    for (const hunk of this.pending) {
      const { first, end } = hunk.edited ? batch.at(hunk) : { first: 0, end: 0 };
      for (let index = first; index < end; index++) {
        if (batch.edits[index]!.start < hunk.end && hunk.start < batch.edits[index]!.end) {
          over.add(hunk);
          break;
        }
      }
    }
    return over;
  }

  private editByOthers(whole: EditBatch, author: 'user' | 'external'): boolean {
    const batch = this.stepsOf(alignedEdits(whole, this.pending, this.setAsideHunks, this.present));
    if (!batch) {
      return false;
    }
    const before = this.present;
    const was = this.pending;
    const returning = new Set(this.setAsideHunks.flatMap((hunk) => (canReturn(hunk, before) ? hunk.hunkId : [])));
    const mapped = mapHunks(was, batch, before, recognizeReturn(this.setAsideHunks, was));
    this.pending = author === 'user' ? this.withAgentText(mapped) : mapped.hunks;
    this.setAsideHunks = movedSetAside(this.setAsideHunks, batch, false);
    this.covered = movedCovered(this.covered, batch, false);
    this.present = batch.applyTo(before);
    const { back, covered } = returnedHunks(this.covered, this.present);
    this.covered = covered;
    const pendingCount = this.pending.length;
    this.settle({ before, was, mapped, batch, isExternal: author === 'external' });
    // An edit that undoes a hunk does not bring another one back.
    if (author === 'external' || this.pending.length === pendingCount) {
      const parked = this.parked.findLast(({ text }) => text === this.present);
      const { present: text, pending, setAsideHunks } = this;
      const revived = revive({ text, pending, setAsideHunks, parked: [...back, ...(parked?.hunks ?? [])], canReturn: returning });
      [this.pending, this.setAsideHunks] = [revived.pending, revived.setAsideHunks];
    }
    this.pending = joinHunks(this.pending, this.present);
    return true;
  }

  /** Splits an edit that cuts a hunk into lines, to separate its parts inside and outside the hunk. Undefined when there are too many. */
  private stepsOf(batch: EditBatch): EditBatch | undefined {
    const { pending, present } = this;
    if (!batch.edits.some((edit) => cutsHunk(pending, edit))) {
      return batch;
    }
    const steps: TextEdit[] = [];
    for (const edit of batch.edits) {
      const lines = cutsHunk(pending, edit) ? lineEdits(present.slice(edit.start, edit.end), edit.text, 'lines', edit.start) : [edit];
      if (!lines) {
        return undefined;
      }
      for (const line of lines) {
        steps.push(line);
      }
    }
    return new EditBatch(steps);
  }

  /** Adds the agent's text to the hunks that the user writes into. */
  private withAgentText({ hunks, touched }: MappedHunks): readonly Hunk[] {
    if (touched.size === 0) {
      return hunks;
    }
    const before = new Map(this.pending.flatMap((hunk) => (touched.has(hunk.hunkId) ? [[hunk.hunkId, hunk]] : [])));
    return hunks.map((hunk) => {
      const earlier = hunk.agentText === undefined ? before.get(hunk.hunkId) : undefined;
      return earlier ? { ...hunk, agentText: this.present.slice(earlier.start, earlier.end) } : hunk;
    });
  }

  /** Sets aside the hunks that the edits undid or made stale. */
  private settle(what: {
    readonly before: string;
    readonly was: readonly Hunk[];
    readonly mapped: MappedHunks;
    readonly batch: EditBatch;
    readonly isExternal: boolean;
  }): void {
    const { touched, lost } = what.mapped;
    if (touched.size === 0 && lost.length === 0) {
      return;
    }
    const earlier = ({ start, end, edited, agentText }: Hunk): Pick<SetAsideHunk, 'newText' | 'edited' | 'agentText'> => {
      return { newText: what.before.slice(start, end), edited, ...(agentText !== undefined && { agentText }) };
    };
    const byId = new Map(what.was.flatMap((hunk) => (touched.has(hunk.hunkId) ? [[hunk.hunkId, hunk]] : [])));
    const setAsideHunks: SetAsideHunk[] = [];
    this.pending = this.pending.filter((hunk) => {
      if (!touched.has(hunk.hunkId)) {
        return true;
      }
      const now = this.present.slice(hunk.start, hunk.end);
      const isUndone = now === hunk.oldText;
      const was = earlier(byId.get(hunk.hunkId)!);
      if (!isUndone && (!what.isExternal || now === was.newText)) {
        return true;
      }
      setAsideHunks.push({
        ...withoutAgentText(hunk),
        ...was,
        placed: isUndone || movedRange({ ...byId.get(hunk.hunkId)!, placed: true }, what.batch, false).placed,
        status: !isUndone ? 'stale' : what.isExternal ? 'reverted' : 'undone',
      });
      return false;
    });
    this.covered = what.isExternal ? withCovered(this.covered, lost, what.batch, what.before) : this.covered;
    for (const { hunk, edit: index } of lost) {
      const byUser = !what.isExternal && { byUser: true as const };
      const edit = what.batch.edits[index]!;
      const offset = edit.start + what.batch.shiftBefore(index) + Math.min(Math.max(0, hunk.start - edit.start), edit.text.length);
      // The hunk was whole lines, so it is shown before a whole line.
      const at = offset === 0 ? 0 : this.present.lastIndexOf('\n', offset - 1) + 1;
      setAsideHunks.push({ ...withoutAgentText(hunk), ...earlier(hunk), placed: false, status: 'stale', ...byUser, start: at, end: at });
    }
    if (setAsideHunks.length > 0) {
      this.setAsideHunks = withSetAside(this.setAsideHunks, setAsideHunks);
      this.parked = [...this.parked, { text: what.before, hunks: what.was }].slice(-MAX_PARKED);
    }
  }
}
