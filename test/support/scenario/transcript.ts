/** A session's events as text that is the same in every run: one line each, without times and what is left out as known, and with ids by order of appearance. */
import type { SessionEvent } from '../../../src/core/model/event';

/** Ids that we mint: a number each, so that a golden text does not depend on how many events came before. Tool calls are named by agents. */
const MINTED: Readonly<Record<string, string>> = {
  turnId: 'turn',
  messageId: 'message',
  queueId: 'queued',
  permissionId: 'permission',
  noticeId: 'notice',
  unknownId: 'unknown',
  requestKey: 'elicitation',
};

/** UTF-16 units of one string or line; of a longer one the ends are printed, and its length. */
const LONG = 4000;
/** Lines of one kind in a row; of a longer run the ends are printed, and its length. */
const MANY = 60;

export class Transcript {
  private readonly noted: string[] = [];
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  /** Output of running terminals: a pty cuts it anywhere, so it is printed when the command ends. */
  private readonly output = new Map<string, string>();
  /** The turns that run, by session, and behind which line each one ended. */
  private readonly running = new Map<string, string>();
  private readonly ends = new Map<string, number>();

  /**
   * @param places text to be replaced wherever it stands, e.g. the session's folder; longest first
   * @param special an event's line without what is left out of it
   */
  constructor(
    private readonly places: readonly (readonly [text: string, name: string])[],
    private readonly special: (line: string) => string,
  ) {}

  get lines(): readonly string[] {
    const lines: string[] = [];
    for (let start = 0, end = 0; start < this.noted.length; start = end) {
      const kind = kindOf(this.noted[start]!);
      while (end < this.noted.length && kindOf(this.noted[end]!) === kind) {
        end++;
      }
      const run = this.noted.slice(start, end);
      lines.push(...(run.length <= MANY ? run : [...run.slice(0, 3), `… ${run.length - 4} more lines of ${kind}`, ...run.slice(-1)]));
    }
    return lines;
  }

  /** Something that is no event: a user's deed, a line of the log. */
  note(text: string): void {
    this.noted.push(this.printed(text));
  }

  /** @param before stands in front of the line */
  event(event: SessionEvent, before = ''): void {
    if (event.type === 'terminal_output') {
      this.output.set(event.terminalId, (this.output.get(event.terminalId) ?? '') + event.text);
      if (event.skipped === undefined) {
        return;
      }
    }
    // How often a start reports its progress is a matter of time.
    if (event.type === 'start_progress' && (event.line !== undefined || event.updates !== undefined)) {
      return;
    }
    if (event.type === 'terminal_update' && (event.exitStatus || event.released)) {
      this.flush(event.terminalId);
    }
    if (event.type === 'entries_placed') {
      // The ids count what came before. The entries at the end of the text show the order.
      this.note(`entries_placed ${event.moves.map(({ entryIds }) => entryIds.map((id) => id.replace(/:.*/, '')).join(' ')).join(', ')}`);
      return;
    }
    const { type, at: _, ...fields } = event;
    const words = Object.entries(this.named(fields) as Record<string, unknown>).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    const text = [type, ...words].join(' ');
    this.noted.push(before + this.printed(text, this.special));
    this.putBehindEnd(event, before);
  }

  /** What a turn changed is worked out when there is time: the line stands behind the turn's end, whenever it came. */
  private putBehindEnd(event: SessionEvent, session: string): void {
    switch (event.type) {
      case 'turn_started':
        this.running.set(session, event.turnId);
        break;
      case 'turn_ended':
      case 'disconnected':
      case 'session_failed':
      case 'session_ended':
        this.ends.set(this.running.get(session) ?? '', this.noted.length);
        this.running.delete(session);
        break;
      case 'turn_changes': {
        const line = this.ends.get(event.turnId);
        if (line !== undefined) {
          this.noted.splice(line, 0, this.noted.pop()!);
          this.ends.forEach((end, turnId) => (end > line || turnId === event.turnId) && this.ends.set(turnId, end + 1));
        }
      }
    }
  }

  /** Output of terminals that never ended. */
  end(): void {
    [...this.output.keys()].forEach((terminalId) => this.flush(terminalId));
  }

  private printed(text: string, special = (line: string): string => line): string {
    return cut(special(seen(this.placed(text))), 1500);
  }

  private flush(terminalId: string): void {
    const text = this.output.get(terminalId);
    this.output.delete(terminalId);
    if (text !== undefined) {
      this.note(`terminal_output terminalId=${JSON.stringify(terminalId)} text=${JSON.stringify(text)}`);
    }
  }

  private named(value: unknown, key = ''): unknown {
    const kind = MINTED[key];
    if (kind !== undefined && typeof value === 'string') {
      return this.nameOf(kind, value);
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.named(item));
    }
    if (typeof value === 'string') {
      return cut(this.placed(value), 100);
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([inner, item]) => [inner, inner === 'raw' || inner === 'meta' ? item : this.named(item, inner)]),
      );
    }
    return value;
  }

  private nameOf(kind: string, id: string): string {
    const known = this.names.get(`${kind} ${id}`);
    if (known !== undefined) {
      return known;
    }
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const name = `<${kind} ${count}>`;
    this.names.set(`${kind} ${id}`, name);
    return name;
  }

  private placed(text: string): string {
    const placed = this.places.reduce((result, [place, name]) => result.replaceAll(place, name), text);
    // Ids that we mint begin with the time; the setup and the script of a scenario stand in the scenario.
    return placed
      .replace(/~\d{10,}\.\d+\.(\d+)/g, '~$1')
      .replace(/<agent> --setup (?:[^"\\]|\\.)*"/g, '<agent> --setup …"')
      .replace(/"@script .*(?="\}\])/, '"@script …');
  }
}

/** An event's type, or the mark that a line of another kind begins with. */
function kindOf(line: string): string {
  const end = line.indexOf(' ', 2);
  return end < 0 ? line : line.slice(0, end);
}

/** What cannot be seen, as its number: a golden text is read by people. */
function seen(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

function cut(text: string, head: number): string {
  return text.length <= LONG ? text : `${text.slice(0, head)}… (${text.length}) …${text.slice(-20)}`;
}
