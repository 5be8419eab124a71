/**
 * The changes of one text that wait for the user, kept true while agent and user go on writing it. An edit only moves ranges: nothing is compared
 * but the lines that an agent or somebody outside of the editor wrote. Neither keeping nor undoing ever touches what stands outside of a hunk.
 */
import {
  applyEdit,
  baselineOf,
  cutsHunk,
  grownRange,
  type Hunk,
  joinHunks,
  type MappedHunks,
  mapHunks,
  meetsRange,
  type SetAsideHunk,
  type TextEdit,
} from '../../core/fileChanges/hunks';
import { diffLines, LINE_EDITS } from '../../text/diff/lines';
import { editByAgent } from './agentEdit';
import { lineEdits, linesWithEnds, placesIn } from './lineEdits';

/**
 * Who wrote. user: in the editor, formatters and the editor's own undo included; agent: `by` is the turn; external: anybody else who wrote the file,
 * as a checkout or a stash does.
 */
export type Author = { readonly type: 'user' } | { readonly type: 'agent'; readonly by: string } | { readonly type: 'external' };

/** What is kept over a reload, beside the text that it belongs to. */
export interface StoredHunks {
  readonly nextId: number;
  readonly hunks: readonly Hunk[];
  readonly setAside: readonly SetAsideHunk[];
}

interface Parked {
  readonly text: string;
  readonly hunks: readonly Hunk[];
}

/** Texts in which hunks that went stale still fitted: a branch that is checked out again brings its own back. */
const MOST_PARKED = 4;
/** The oldest are forgotten: they are the user's own to read, not to be kept for ever. */
const MOST_SET_ASIDE = 500;

export class LiveHunks {
  private parked: readonly Parked[] = [];

  private constructor(
    private present: string,
    private pending: readonly Hunk[],
    private aside: readonly SetAsideHunk[],
    private nextId: number,
  ) {}

  /** A text without any change yet. */
  static of(text: string): LiveHunks {
    return new LiveHunks(text, [], [], 1);
  }

  /** @param text as it was when they were stored */
  static from({ nextId, hunks, setAside }: StoredHunks, text: string): LiveHunks {
    return new LiveHunks(text, hunks, setAside, nextId);
  }

  get stored(): StoredHunks {
    return { nextId: this.nextId, hunks: this.pending, setAside: this.aside };
  }

  get text(): string {
    return this.present;
  }

  /** The text with every pending change undone. */
  get baseline(): string {
    return baselineOf(this.present, this.pending);
  }

  /** In order. */
  get hunks(): readonly Hunk[] {
    return this.pending;
  }

  /** Undone and stale ones, oldest first: to be read, told to the agent, applied again. */
  get setAside(): readonly SetAsideHunk[] {
    return this.aside;
  }

  /** What was changed in the text; each edit refers to what the one before it left. */
  edit(edits: readonly TextEdit[], author: Author): void {
    if (edits.length === 0) {
      return;
    }
    const before = this.present;
    const was = this.pending;
    if (author.type === 'agent') {
      edits.forEach((edit) => this.editByAgent(edit, author.by));
      // Its text is as another one was: its changes are its own all the same.
      this.parked = this.parked.filter(({ text }) => text !== this.present);
      return;
    }
    const touched = new Set<number>();
    const lost = new Map<number, Hunk>();
    const inPlace = new Set(this.aside.filter((hunk) => this.isInPlace(hunk)).map(({ hunkId }) => hunkId));
    for (const edit of edits) {
      for (const step of this.steps(edit)) {
        const mapped = mapHunks(this.pending, step, this.present, this.isReturn(step));
        mapped.touched.forEach((hunkId) => touched.add(hunkId));
        mapped.lost.forEach((hunk) => lost.set(hunk.hunkId, hunk));
        this.pending = author.type === 'user' ? this.withAgentText(mapped) : mapped.hunks;
        this.moveAside(step);
        this.present = applyEdit(this.present, step);
      }
    }
    const pendingCount = this.pending.length;
    this.settle({ before, was, touched, lost, isExternal: author.type === 'external' });
    // What is undone brings nothing else back.
    if (author.type === 'external' || this.pending.length === pendingCount) {
      this.revive(inPlace);
    }
    this.pending = joinHunks(this.pending, this.present);
  }

  /** The whole text is another one; what became of it is found line by line. */
  replace(text: string, author: Author): void {
    if (text === this.present) {
      return;
    }
    if (withoutReturns(text) === withoutReturns(this.present)) {
      this.replaceLineEnds(text);
      return;
    }
    this.edit(lineEdits(this.present, text), author);
  }

  /** They are the user's from here on: the baseline has them. What the agent does not know of is set aside, to be told. */
  keep(hunkIds: readonly number[]): void {
    const changed = this.pending
      .filter(({ hunkId, agentText, start, end }) => {
        return hunkIds.includes(hunkId) && agentText !== undefined && agentText !== this.present.slice(start, end);
      })
      .map((hunk): SetAsideHunk => {
        return { ...hunk, newText: this.present.slice(hunk.start, hunk.end), placed: false, status: 'changed' };
      });
    this.putAside(changed);
    this.pending = this.pending.filter(({ hunkId }) => !hunkIds.includes(hunkId));
  }

  /** What the editor has to apply, in this order, so that these are undone; the edit comes back to us as the user's. */
  undoEdits(hunkIds: readonly number[]): TextEdit[] {
    return this.pending
      .filter(({ hunkId }) => hunkIds.includes(hunkId))
      .map(({ start, end, oldText }) => ({ start, end, text: oldText }))
      .reverse();
  }

  /** What applies an undone change again; undefined where its old text is no longer what stands there. */
  reapplyEdit(hunkId: number): TextEdit | undefined {
    const hunk = this.aside.find((each) => each.hunkId === hunkId);
    const beginsLine = hunk && (hunk.start === 0 || this.present[hunk.start - 1] === '\n');
    return beginsLine && this.isInPlace(hunk) ? { start: hunk.start, end: hunk.end, text: hunk.newText } : undefined;
  }

  setReviewed(hunkIds: readonly number[], reviewed: boolean): void {
    this.pending = this.pending.map((hunk) => (hunkIds.includes(hunk.hunkId) ? { ...hunk, reviewed } : hunk));
  }

  /** What is set aside is not shown any more. */
  forget(hunkIds: readonly number[]): void {
    this.aside = this.aside.filter(({ hunkId }) => !hunkIds.includes(hunkId));
  }

  /** A commit keeps what it contains. @param committed the file's text in it. The ids of those that it kept come back. */
  keepCommitted(committed: string): readonly number[] {
    if (this.pending.length === 0) {
      return [];
    }
    const lines = linesWithEnds(this.present).map(withoutReturns);
    const changes = diffLines(lines, linesWithEnds(committed).map(withoutReturns), LINE_EDITS.merged);
    const kept = this.pending
      .filter((hunk) => {
        const { first, end } = this.linesOf(hunk);
        return !changes.some(({ oldStart, oldEnd }) =>
          first === end || oldStart === oldEnd ? oldStart <= end && oldEnd >= first : oldStart < end && oldEnd > first,
        );
      })
      .map(({ hunkId }) => hunkId);
    this.keep(kept);
    return kept;
  }

  /** The lines that a hunk has in the present text, `[first, end)`, from 0; none for a pure deletion, which stands before `first`. */
  linesOf({ start, end }: Pick<Hunk, 'start' | 'end'>): { readonly first: number; readonly end: number } {
    const first = this.lineAt(start);
    const last = this.lineAt(end);
    return { first, end: start === end ? first : end > 0 && this.present[end - 1] === '\n' ? last : last + 1 };
  }

  private lineAt(offset: number): number {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private startsOf: { readonly text: string; readonly starts: readonly number[] } | undefined;

  /** Where the lines of the present text begin. */
  private get starts(): readonly number[] {
    if (this.startsOf?.text !== this.present) {
      const starts = [0];
      for (let feed = this.present.indexOf('\n'); feed >= 0; feed = this.present.indexOf('\n', feed + 1)) {
        starts.push(feed + 1);
      }
      this.startsOf = { text: this.present, starts };
    }
    return this.startsOf.starts;
  }

  private editByAgent(edit: TextEdit, by: string): void {
    this.keepOverwritten(edit);
    this.pending = editByAgent(this.present, this.pending, edit, by, () => this.nextId++);
    this.moveAside(edit, true);
    this.present = applyEdit(this.present, edit);
  }

  /** What the user wrote in a change has no other place when the agent writes over it. */
  private keepOverwritten(edit: TextEdit): void {
    const over = this.pending.filter(({ edited, start, end }) => edited && edit.start < end && start < edit.end);
    const ids = new Set(over.map(({ hunkId }) => hunkId));
    const copies = over.map((hunk): SetAsideHunk => {
      return { ...hunk, hunkId: this.nextId++, newText: this.present.slice(hunk.start, hunk.end), placed: false, status: 'overwritten' };
    });
    this.aside = [...this.aside, ...copies].slice(-MOST_SET_ASIDE);
    this.pending = this.pending.map((hunk) => {
      const { agentText: _, ...rest } = hunk;
      return ids.has(hunk.hunkId) ? { ...rest, edited: false } : hunk;
    });
  }

  /** What was undone by taking it out comes again, as it does when an undo is undone: it belongs to no hunk beside it. */
  private isReturn({ start, end, text }: TextEdit): boolean {
    const isAt = (hunk: Hunk): boolean => start === end && hunk.start === start && hunk.end === start;
    return (
      this.aside.some((hunk) => isAt(hunk) && hunk.placed && hunk.status === 'undone' && hunk.newText === text) &&
      !this.pending.some((hunk) => isAt(hunk) && hunk.oldText === text)
    );
  }

  private putAside(hunks: readonly SetAsideHunk[]): void {
    if (hunks.length > 0) {
      const ids = new Set(hunks.map(({ hunkId }) => hunkId));
      this.aside = [...this.aside.filter(({ hunkId }) => !ids.has(hunkId)), ...hunks].slice(-MOST_SET_ASIDE);
    }
  }

  /** What the agent had left is remembered of those that the user writes into. */
  private withAgentText({ hunks, touched }: Pick<MappedHunks, 'hunks' | 'touched'>): readonly Hunk[] {
    return touched.length === 0
      ? hunks
      : hunks.map((hunk) => {
          const before =
            touched.includes(hunk.hunkId) && hunk.agentText === undefined && this.pending.find(({ hunkId }) => hunkId === hunk.hunkId);
          return before ? { ...hunk, agentText: this.present.slice(before.start, before.end) } : hunk;
        });
  }

  private moveAside(edit: TextEdit, isByAgent = false): void {
    this.aside = this.aside.map((hunk) => {
      const isCut = meetsRange(hunk, edit) && (isByAgent || edit.start < hunk.start || edit.end > hunk.end);
      const moved = grownRange(hunk, edit);
      return isCut && hunk.placed ? { ...moved, placed: false } : moved;
    });
  }

  /** An edit that cuts a hunk, in lines, so that what it does outside is told from what it does inside. */
  private steps(edit: TextEdit): readonly TextEdit[] {
    return cutsHunk(this.pending, edit, this.present) ? lineEdits(this.present.slice(edit.start, edit.end), edit.text, edit.start) : [edit];
  }

  /** What became of the hunks that were written into. */
  private settle(what: {
    readonly before: string;
    readonly was: readonly Hunk[];
    readonly touched: ReadonlySet<number>;
    readonly lost: ReadonlyMap<number, Hunk>;
    readonly isExternal: boolean;
  }): void {
    const earlier = (hunkId: number): Pick<SetAsideHunk, 'newText' | 'edited' | 'agentText'> => {
      const { start, end, edited, agentText } = what.was.find((each) => each.hunkId === hunkId)!;
      return { newText: what.before.slice(start, end), edited, ...(agentText !== undefined && { agentText }) };
    };
    const aside: SetAsideHunk[] = [];
    this.pending = this.pending.filter((hunk) => {
      if (!what.touched.has(hunk.hunkId)) {
        return true;
      }
      const isUndone = this.present.slice(hunk.start, hunk.end) === hunk.oldText;
      const was = earlier(hunk.hunkId);
      if (!isUndone && (!what.isExternal || this.present.slice(hunk.start, hunk.end) === was.newText)) {
        return true;
      }
      const { agentText: _, ...place } = hunk;
      aside.push({ ...place, ...was, placed: isUndone, status: !isUndone ? 'stale' : what.isExternal ? 'reverted' : 'undone' });
      return false;
    });
    for (const { hunkId, oldText, ...hunk } of what.lost.values()) {
      const { agentText: __, ...place } = hunk;
      const byUser = !what.isExternal && { byUser: true as const };
      aside.push({ ...place, hunkId, oldText, ...earlier(hunkId), placed: false, status: 'stale', ...byUser, ...this.placeOf(hunk.start) });
    }
    if (aside.length > 0) {
      this.putAside(aside);
      this.parked = [...this.parked, { text: what.before, hunks: what.was }].slice(-MOST_PARKED);
    }
  }

  private placeOf(start: number): { readonly start: number; readonly end: number } {
    const at = Math.min(start, this.present.length);
    return { start: at, end: at };
  }

  /** What is there again, letter by letter, is pending again. */
  private revive(wereInPlace: ReadonlySet<number>): void {
    const parked = this.parked.findLast(({ text }) => text.length === this.present.length && text === this.present);
    const back = this.aside.flatMap((hunk): SetAsideHunk[] => {
      if (this.isBack(hunk, wereInPlace)) {
        return [hunk];
      }
      const then =
        (hunk.status === 'stale' || hunk.status === 'reverted') &&
        parked?.hunks.find(({ hunkId, oldText }) => hunkId === hunk.hunkId && oldText === hunk.oldText);
      return then ? [{ ...hunk, start: then.start, end: then.end }] : [];
    });
    // The same change may have been made and undone before.
    for (const { newText: _, status: __, byUser: ___, placed, ...hunk } of back.reverse()) {
      // Two may touch; but one that has no character of its own could have come again meanwhile, and only its place would tell.
      const isSure = placed && wereInPlace.has(hunk.hunkId);
      const isFree = !this.pending.some((other) =>
        !isSure && (other.start === other.end || hunk.start === hunk.end)
          ? other.start <= hunk.end && hunk.start <= other.end
          : other.start < hunk.end && hunk.start < other.end,
      );
      if (isFree) {
        this.pending = [...this.pending, hunk].sort((one, other) => one.start - other.start || one.end - other.end);
        this.aside = this.aside.filter(({ hunkId }) => hunkId !== hunk.hunkId);
      }
    }
  }

  /** Its old text stood there, and nothing but its new text has come in that place. */
  private isBack({ hunkId, placed, start, end, oldText, newText }: SetAsideHunk, wereInPlace: ReadonlySet<number>): boolean {
    return placed && wereInPlace.has(hunkId) && newText !== oldText && this.present.slice(start, end) === newText;
  }

  private isInPlace({ placed, start, end, oldText }: SetAsideHunk): boolean {
    return placed && this.present.slice(start, end) === oldText;
  }

  /** The file was given other line ends, and nothing else. */
  private replaceLineEnds(text: string): void {
    const moved = placesIn(this.present, text);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const ended = (part: string): string => withoutReturns(part).replaceAll('\n', eol);
    this.pending = this.pending
      .map((hunk) => ({ ...hunk, start: moved(hunk.start), end: moved(hunk.end), oldText: ended(hunk.oldText) }))
      // A line whose end alone was changed is as it was.
      .filter(({ start, end, oldText }) => text.slice(start, end) !== oldText);
    this.aside = this.aside.map((hunk) => ({
      ...hunk,
      start: moved(hunk.start),
      end: moved(hunk.end),
      oldText: ended(hunk.oldText),
      newText: ended(hunk.newText),
    }));
    this.present = text;
  }
}

function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}
