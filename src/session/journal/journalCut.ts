/** Where a journal that is too large is cut: told by how its lines begin, line by line. Pure. */

/** Of the bound: a quarter of it is free afterwards, so that each byte is written anew about three times at most. */
const HEAD = 1 / 4;
const TAIL = 3 / 8;
const FACTS = 1 / 8;

/** Bytes of a line that are looked at, at both of its ends. */
export const LOOKED_AT = 400;
/** Facts with an id of the agent's: options and plans. */
const MOST_NAMED = 100;

/** A line, or several. */
export interface Line {
  readonly start: number;
  /** Behind its line feed, or behind the last byte. */
  readonly end: number;
}

/** What of the file stays: `[0, headEnd)`, then the notice, `facts` and `[tailStart, size)`. */
export interface Cut {
  readonly headEnd: number;
  readonly facts: readonly Line[];
  readonly tailStart: number;
  /** Events that are left out, those of before included. */
  readonly count: number;
  /** Of the last that is left out. */
  readonly seq: number;
  /** The same. ms since the epoch */
  readonly at: number;
}

/** Tells our notice by the beginning of its line. */
const NOTICE_ID = 'journal-left-out';

/** The line that says how much is left out; an ordinary event, so that whoever reads the journal shows it. */
export function leftOut({ count, seq, at }: Pick<Cut, 'count' | 'seq' | 'at'>): string {
  const failure = { code: 'session.left_out', params: { count } };
  return JSON.stringify({ seq, event: { type: 'notice', noticeId: NOTICE_ID, severity: 'info', title: '', failure, at } }) + '\n';
}

const EVENT = /^\{"seq":(\d{1,15}),"event":\{(?:"at":\d{1,15},)?"type":"(\w{1,40})"/;
const TURN_ENDS = new Set(['turn_ended', 'disconnected', 'session_failed', 'session_ended']);
/** Of each the newest is a fact. */
const FACT = new Set([
  'session_opened',
  'agent_initialized',
  'session_ready',
  'sign_in',
  'session_info',
  'config_options',
  'available_commands',
  'usage',
  'turn_usage',
  'turn_started',
  ...TURN_ENDS,
]);
/** Of each of these ids. */
const TURN_ID = /"turnId":("(?:[^"\\]|\\.){0,120}")/;
const NAMED = /"(?:configId|planId)":("(?:[^"\\]|\\.){0,120}")/;

interface Fact extends Line {
  readonly key: string;
  /** What matters most comes first, where there is not room for all. */
  readonly rank: number;
}

/** Lines that are left out. */
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

  /** What follows these. */
  append(later: LeftOut): void {
    if (later.count > 0) {
      this.add(later.count, later.seq, later.at, undefined);
      later.facts.forEach((fact) => this.keep(fact));
    }
  }

  /** As many as there is room for, in their order. */
  factsIn(bytes: number): readonly Line[] {
    let service = bytes;
    return [...this.facts.values()]
      .sort((a, b) => a.rank - b.rank || b.start - a.start)
      .filter(({ start, end }) => end - start <= service && (service -= end - start) >= 0)
      .sort((a, b) => a.start - b.start);
  }

  private keep(fact: Fact): void {
    if (fact.rank < 2 || this.facts.has(fact.key) || this.facts.size < MOST_NAMED) {
      this.facts.set(fact.key, fact);
    }
  }
}

export class CutScan {
  private isFirst = true;
  private headEnd = 0;
  private headIsOver = false;
  /** Where no turn runs, and what of the head is after that. */
  private betweenTurns = 0;
  private sinceTurn = new LeftOut();
  private turnIsOpen = false;
  /** The head ends inside a turn, whose end is a fact. */
  private needsTurnEnd = false;
  /** The turn that runs where the head ends, as JSON, until what it changed was found: a fact, too. */
  private headTurn: string | undefined;
  private left = new LeftOut();
  private tailStart: number | undefined;
  /** The tail begins with a turn, when there is one soon enough: what is before it. */
  private beforeTurn: LeftOut | undefined;

  /** @param size of the file, in bytes */
  constructor(
    private readonly size: number,
    private readonly maxBytes: number,
  ) {}

  /** @param beginning its first {@link LOOKED_AT} bytes, and `ending` its last */
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

  /** Undefined when nothing can be left out. */
  end(): Cut | undefined {
    const { count, seq, at } = this.left;
    if (count === 0) {
      return undefined;
    }
    const facts = this.left.factsIn(this.maxBytes * FACTS);
    return { headEnd: this.headEnd, facts, tailStart: this.tailStart ?? this.size, count: Math.max(1, count - facts.length), seq, at };
  }

  /** True while the line is of the head. */
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
      return; // Only a line feed.
    }
    const count = isLeftOut(beginning) ? Number(/"count":(\d{1,15})/.exec(beginning)?.[1] ?? 1) : 1;
    const at = /"at":(\d{1,15})\}\}\s*$/.exec(ending)?.[1] ?? /"event":\{"at":(\d{1,15})/.exec(beginning)?.[1];
    const fact = this.factOf(type, beginning);
    to.add(count, Number(number), at === undefined ? to.at : Number(at), fact && { ...line, ...fact });
  }

  private factOf(type: string, beginning: string): Pick<Fact, 'key' | 'rank'> | undefined {
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
