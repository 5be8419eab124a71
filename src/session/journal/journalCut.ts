/** Finds where to cut a journal that is too large, by how its lines begin. Pure. */

/** Parts of the size limit. A quarter of the limit stays free, so that each byte is rewritten about three times at most. */
const HEAD = 1 / 4;
const TAIL = 3 / 8;
const FACTS = 1 / 8;

/** Bytes that are parsed at each end of a line. */
export const LOOKED_AT = 400;
/** Facts with an id from the agent: options and plans. */
const MAX_NAMED = 100;

/** The byte range of one or several lines. */
export interface Line {
  readonly start: number;
  /** The offset after the line feed, or after the last byte. */
  readonly end: number;
}

/** The parts of the file that stay: `[0, headEnd)`, then the notice, `facts` and `[tailStart, size)`. */
export interface Cut {
  readonly headEnd: number;
  readonly facts: readonly Line[];
  readonly tailStart: number;
  /** The number of events that are left out, including those of earlier cuts. */
  readonly count: number;
  /** The sequence number of the last event that is left out. */
  readonly seq: number;
  /** The time of that event, ms since the epoch. */
  readonly at: number;
}

/** Identifies this module's notice by the beginning of its line. */
const NOTICE_ID = 'journal-left-out';

/** The line that says how much is left out. It is an ordinary event, so that every reader of the journal shows it. */
export function leftOut({ count, seq, at }: Pick<Cut, 'count' | 'seq' | 'at'>): string {
  const failure = { code: 'session.left_out', params: { count } };
  return JSON.stringify({ seq, event: { type: 'notice', noticeId: NOTICE_ID, severity: 'info', title: '', failure, at } }) + '\n';
}

const EVENT = /^\{"seq":(\d{1,15}),"event":\{(?:"at":\d{1,15},)?"type":"(\w{1,40})"/;
const TURN_ENDS = new Set(['turn_ended', 'disconnected', 'session_failed', 'session_ended']);
/** Event types of which the newest is a fact. */
const FACT = new Set([
  'session_opened',
  'agent_initialized',
  'session_ready',
  'sign_in',
  'session_info',
  'config_options',
  'permission_mode',
  'unasked',
  'available_commands',
  'usage',
  'turn_usage',
  'turn_started',
  ...TURN_ENDS,
]);
const TURN_ID = /"turnId":("(?:[^"\\]|\\.){0,120}")/;
const SUBAGENT = /"subagentId":("(?:[^"\\]|\\.){0,120}")/;
const NAMED = /"(?:configId|planId)":("(?:[^"\\]|\\.){0,120}")/;

interface Fact extends Line {
  readonly key: string;
  /** Lower ranks come first when there is not enough space for all facts. */
  readonly rank: number;
  /** True for a fact of which the oldest counts, not the newest. */
  readonly isFirst?: true;
}

/** The lines that are left out. */
class LeftOut {
  count = 0;
  seq = 0;
  at = 0;
  private readonly facts = new Map<string, Fact>();

  add(count: number, seq: number, at: number, fact: Fact | undefined): void {
    this.count += count;
    this.seq = seq;
    this.at = at;
    if (fact) {
      this.keep(fact);
    }
  }

  /** Adds the lines that follow these. */
  append(later: LeftOut): void {
    if (later.count > 0) {
      this.add(later.count, later.seq, later.at, undefined);
      later.facts.forEach((fact) => this.keep(fact));
    }
  }

  /** The facts that fit into `bytes`, in their order in the file. */
  factsIn(bytes: number): readonly Line[] {
    let service = bytes;
    return [...this.facts.values()]
      .sort((a, b) => a.rank - b.rank || b.start - a.start)
      .filter(({ start, end }) => end - start <= service && (service -= end - start) >= 0)
      .sort((a, b) => a.start - b.start);
  }

  private keep(fact: Fact): void {
    if (fact.isFirst && this.facts.has(fact.key)) {
      return;
    }
    if (fact.rank < 2 || this.facts.has(fact.key) || this.facts.size < MAX_NAMED) {
      this.facts.set(fact.key, fact);
    }
  }
}

export class CutScan {
  private isFirst = true;
  private headEnd = 0;
  private headIsOver = false;
  /** The last offset at which no turn was running, and the head's lines after it. */
  private betweenTurns = 0;
  private sinceTurn = new LeftOut();
  private turnIsOpen = false;
  /** True when the head ends inside a turn, whose end is then a fact. */
  private needsTurnEnd = false;
  /** The id, as JSON, of the turn that runs where the head ends, until its changes are found. They are a fact too. */
  private headTurn: string | undefined;
  private left = new LeftOut();
  private tailStart: number | undefined;
  /** The lines between the tail's first possible start and the next turn, while the scan looks for that turn. */
  private beforeTurn: LeftOut | undefined;

  /** @param size of the file, in bytes */
  constructor(
    private readonly size: number,
    private readonly maxBytes: number,
  ) {}

  /** @param beginning the line's first {@link LOOKED_AT} bytes @param ending its last {@link LOOKED_AT} bytes */
  line(line: Line, beginning: string, ending: string): void {
    const [, number = '0', type = ''] = EVENT.exec(beginning) ?? [];
    if (!this.headIsOver && this.inHead(line, beginning, ending, number, type)) {
      return;
    }
    const { size, maxBytes } = this;
    if (this.tailStart === undefined && line.start >= size - maxBytes * TAIL) {
      this.tailStart = line.start;
      this.beforeTurn = new LeftOut();
    }
    if (this.tailStart === undefined) {
      this.add(this.left, line, beginning, ending, number, type);
    } else if (this.beforeTurn) {
      if (type === 'turn_started') {
        this.left.append(this.beforeTurn);
        this.beforeTurn = undefined;
        this.tailStart = line.start;
      } else if (line.start > size - (maxBytes * TAIL) / 2) {
        this.beforeTurn = undefined; // Too much would be lost.
      } else {
        this.add(this.beforeTurn, line, beginning, ending, number, type);
      }
    }
  }

  /** The result of the scan; undefined when no line can be left out. */
  end(): Cut | undefined {
    const { count, seq, at } = this.left;
    if (count === 0) {
      return undefined;
    }
    const facts = this.left.factsIn(this.maxBytes * FACTS);
    return { headEnd: this.headEnd, facts, tailStart: this.tailStart ?? this.size, count: Math.max(1, count - facts.length), seq, at };
  }

  /** True while the line belongs to the head. */
  private inHead(line: Line, beginning: string, ending: string, number: string, type: string): boolean {
    if (this.isFirst || (line.end <= this.maxBytes * HEAD && !isLeftOut(beginning))) {
      this.isFirst = false;
      this.headEnd = line.end;
      this.headTurn = type === 'turn_started' ? TURN_ID.exec(beginning)?.[1] : this.headTurn;
      this.turnIsOpen = type === 'turn_started' || (this.turnIsOpen && !TURN_ENDS.has(type));
      if (this.turnIsOpen) {
        this.add(this.sinceTurn, line, beginning, ending, number, type);
      } else {
        this.betweenTurns = line.end;
        this.sinceTurn = new LeftOut();
      }
      return true;
    }
    this.headIsOver = true;
    if (this.turnIsOpen && this.betweenTurns >= (this.maxBytes * HEAD) / 2) {
      this.headEnd = this.betweenTurns;
      this.left = this.sinceTurn;
    } else {
      this.needsTurnEnd = this.turnIsOpen;
    }
    return false;
  }

  private add(to: LeftOut, line: Line, beginning: string, ending: string, number: string, type: string): void {
    if (line.end - line.start < 2) {
      return; // A line feed alone.
    }
    const count = isLeftOut(beginning) ? Number(/"count":(\d{1,15})/.exec(beginning)?.[1] ?? 1) : 1;
    const at = /"at":(\d{1,15})\}(?:,"frame":\d{1,15})?\}\s*$/.exec(ending)?.[1] ?? /"event":\{"at":(\d{1,15})/.exec(beginning)?.[1];
    const fact = this.factOf(type, beginning);
    to.add(count, Number(number), at === undefined ? to.at : Number(at), fact && { ...line, ...fact });
  }

  private factOf(type: string, beginning: string): Pick<Fact, 'key' | 'rank' | 'isFirst'> | undefined {
    if (this.needsTurnEnd && TURN_ENDS.has(type)) {
      this.needsTurnEnd = false;
      return { key: 'turn of the head', rank: 0 };
    }
    if (type === 'turn_changes' && this.headTurn !== undefined && TURN_ID.exec(beginning)?.[1] === this.headTurn) {
      this.headTurn = undefined;
      return { key: 'changes of the head', rank: 0 };
    }
    if (type === 'session_info') {
      return { key: beginning.includes('"title":') ? 'title' : type, rank: 0 };
    }
    if (type === 'subagent_update') {
      // The announcement, without which later events of the subagent would have no place.
      return { key: `subagent ${SUBAGENT.exec(beginning)?.[1] ?? ''}`, rank: 2, isFirst: true };
    }
    if (FACT.has(type)) {
      return { key: type, rank: /^(?:config|available)/.test(type) ? 1 : 0 };
    }
    if (type === 'config_value' || type === 'plan_update' || type === 'plan_removed') {
      return { key: `${type === 'config_value' ? type : 'plan'} ${NAMED.exec(beginning)?.[1] ?? ''}`, rank: 2 };
    }
    return undefined;
  }
}

function isLeftOut(beginning: string): boolean {
  return (
    EVENT.exec(beginning)?.[2] === 'notice' &&
    beginning.includes(`"noticeId":"${NOTICE_ID}"`) &&
    beginning.includes('"code":"session.left_out"')
  );
}
