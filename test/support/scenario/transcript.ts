/**
 * A session's events as text that is the same in every run: one line each, without times and known fields, and with ids numbered by order
 * of appearance.
 */
import type { SessionEvent } from '../../../src/core/model/event';

/**
 * Ids that we create: each gets a number, so that a golden text does not depend on the number of earlier events. Tool calls are named by
 * agents.
 */
const MINTED: Readonly<Record<string, string>> = {
  turnId: 'turn',
  messageId: 'message',
  queueId: 'queued',
  permissionId: 'permission',
  noticeId: 'notice',
  unknownId: 'unknown',
  requestKey: 'elicitation',
};

/** The limit for one string or line in UTF-16 units. A longer one is printed as its ends and its length. */
const LONG = 4000;
/** The limit for consecutive lines of one kind. A longer run is printed as its ends and its length. */
const MANY = 60;

export class Transcript {
  private readonly noted: string[] = [];
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  /** The output of running terminals: a pty splits it anywhere, so it is printed when the command ends. */
  private readonly output = new Map<string, string>();
  /** The running turns by session, and the line after which each one ended. */
  private readonly running = new Map<string, string>();
  private readonly ends = new Map<string, number>();

  /**
   * @param places texts to replace everywhere, e.g. the session's folder; longest first
   * @param special an event's line without the omitted fields
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

  /** Adds a line that is not an event: an action of the user, or a line of the log. */
  note(text: string): void {
    this.noted.push(this.printed(text));
  }

  /** @param before the text before the line */
  event(event: SessionEvent, before = ''): void {
    if (event.type === 'terminal_output') {
      this.output.set(event.terminalId, (this.output.get(event.terminalId) ?? '') + event.text);
      if (event.skipped === undefined) {
        return;
      }
    }
    // The number of progress reports of a start depends on time.
    if (event.type === 'start_progress' && (event.line !== undefined || event.updates !== undefined)) {
      return;
    }
    if (event.type === 'terminal_update' && (event.exitStatus || event.released)) {
      this.flush(event.terminalId);
    }
    if (event.type === 'entries_placed') {
      // The ids depend on the number of earlier events. The entries at the end of the text show the order.
      this.note(`entries_placed ${event.moves.map(({ entryIds }) => entryIds.map((id) => id.replace(/:.*/, '')).join(' ')).join(', ')}`);
      return;
    }
    const { type, at: _, ...fields } = event;
    if ('continuesAt' in fields && fields.continuesAt !== undefined) {
      Object.assign(fields, { continuesAt: '<time>' });
    }
    const words = Object.entries(this.named(fields) as Record<string, unknown>).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    const text = [type, ...words].join(' ');
    this.noted.push(before + this.printed(text, this.special));
    this.putBehindEnd(event, before);
  }

  /** A turn's changes are computed when there is time: their line is put after the turn's end, whenever it came. */
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

  /** Prints the output of terminals that never ended. */
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
    const placed = this.places.reduce(
      (result, [place, name]) => forms(place).reduce((rest, form) => rest.replaceAll(form, name), result),
      text,
    );
    // Ids that we create begin with the time; the setup and the script are in the scenario's code.
    return placed
      .replace(WINDOWS_PATH, (text) => (process.platform === 'win32' ? text.replace(/\\+/g, '/') : text))
      .replace(QUOTED_LAUNCH, '$1')
      .replace(/~\d{10,}\.\d+\.(\d+)/g, '~$1')
      .replace(/<agent> --setup (?:[^"\\]|\\.)*"/g, '<agent> --setup …"')
      .replace(/"@script .*(?="\}\])/, '"@script …');
  }
}

/** A path as it is, in JSON, and in JSON of JSON. On Windows they differ. */
function forms(place: string): readonly string[] {
  const [once, twice] = [place.replaceAll('\\', '\\\\'), place.replaceAll('\\', '\\\\\\\\')];
  return [...new Set([twice, once, place])];
}

/** A path below a named folder. In JSON its separators are doubled, while a line break has one backslash. */
const WINDOWS_PATH = /<(?:cwd|repository|root \d+)>(\\{1,4})[\w .-]+(?:\1[\w .-]+)*/g;
/** Windows' paths are quoted when they are displayed. */
const QUOTED_LAUNCH = /'(<(?:node|agent|repository)>[^']*)'/g;

/** An event's type, or the mark at the start of another line. */
function kindOf(line: string): string {
  const end = line.indexOf(' ', 2);
  return end < 0 ? line : line.slice(0, end);
}

/** Shows invisible characters as their numbers: people read golden texts. */
function seen(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

function cut(text: string, head: number): string {
  return text.length <= LONG ? text : `${text.slice(0, head)}… (${text.length}) …${text.slice(-20)}`;
}
