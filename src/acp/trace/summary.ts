/**
 * Summarizes each entry of a trace in one line for display. Created only for a viewer. Reads only a frame's outer members without parsing it, so a
 * line is cheap whatever the frame's size, and a frame that was cut can be summarized, too.
 */
import { membersOf } from '../json/source';
import { LineRedaction } from '../redaction/lineRedaction';
import type { Redaction } from '../redaction/redact';
import type { TraceEntry } from './trace';

export type SummaryLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';

export interface SummaryLine {
  readonly level: SummaryLevel;
  /** The line without secrets, but otherwise unchanged: the viewer must handle control characters. */
  readonly text: string;
}

/** UTF-16 units of a frame that a line shows. */
const EXCERPT = 200;
/** UTF-16 units that are redacted before the excerpt is cut, so that no secret is cut in half. */
const LOOKED_AT = 4096;
/** The most requests with an open response, for each direction: a trace that lost the responses must not fill the memory. */
const MAX_OPEN = 1000;

/** Requests that are repeated while a command runs. */
const POLLS: ReadonlySet<string> = new Set(['terminal/output']);

/** UTF-16 units of a method, an update's kind or an id. */
const MAX_NAME = 80;

type Direction = 'a2c' | 'c2a';
type Members = ReadonlyMap<string, string | undefined>;

/** The description of a frame. */
interface FrameSummary {
  readonly words: string;
  readonly level: SummaryLevel;
  /** The path to the most significant part. */
  readonly shown: readonly string[];
  readonly took?: string;
}

interface OpenRequest {
  readonly method: string;
  readonly at: number;
}

/** Converts entries to lines in order. A response is described by its request, so one summary must read one trace from its beginning. */
export class TraceSummary {
  /** Open requests by their direction and the text of their id. */
  private readonly open = { a2c: new Map<string, OpenRequest>(), c2a: new Map<string, OpenRequest>() };
  /** The stream to which the agent's last frame belongs. */
  private streaming = '';

  private readonly stderr: LineRedaction;
  private readonly noise: LineRedaction;

  /** @param hop the program of a chain whose connection the trace is about */
  constructor(
    private readonly redaction: Redaction,
    private readonly hop?: string,
  ) {
    this.stderr = new LineRedaction(redaction);
    this.noise = new LineRedaction(redaction);
  }

  line(entry: TraceEntry): SummaryLine {
    const { kind, text, length } = entry;
    const time = this.hop === undefined ? clockTime(entry.at) : `${clockTime(entry.at)} [${this.hop.slice(0, MAX_NAME)}]`;
    switch (kind) {
      case 'a2c':
      case 'c2a':
        return this.frame(entry, kind, time);
      case 'stderr':
        return { level: 'info', text: `${time}   stderr: ${words(text, (line) => this.stderr.line(line))}` };
      case 'noise':
        return { level: 'warn', text: `${time} ← no message: ${words(text, (line) => this.noise.line(line))}` };
      case 'skipped':
        return { level: 'error', text: `${time} ← skipped (${size(length)}): ${brief(this.source(text, false, true), true)}` };
      case 'note':
        return { level: 'info', text: `${time}   ${words(text, (line) => this.redaction.text(line))}` };
    }
  }

  private frame({ at, text, length }: TraceEntry, kind: Direction, time: string): SummaryLine {
    const members = membersOf(text);
    const method = stringOf(members.get('method'));
    const id = members.get('id');
    const told = method === undefined ? this.answer(kind, members, id, at) : this.call(kind, members, id, at, method);
    const bytes = `(${size(Buffer.byteLength(text) + length - text.length)}${length === text.length ? '' : ', cut'})`;
    const words = [
      time,
      kind === 'a2c' ? '←' : '→',
      this.redaction.text(told.words),
      id && `#${id.slice(0, MAX_NAME)}`,
      told.took,
      bytes,
      this.excerpt(text, kind, told.shown),
    ];
    return { level: told.level, text: words.filter((word) => word).join(' ') };
  }

  /** Describes a request or a notification. Only the first chunk of a stream has the level `info`. */
  private call(kind: Direction, members: Members, id: string | undefined, at: number, method: string): FrameSummary {
    if (id !== undefined) {
      this.ask(kind, id, { method, at });
    }
    if (kind === 'c2a' || method !== 'session/update') {
      const level = method.startsWith('$/') ? 'trace' : POLLS.has(method) ? 'debug' : 'info';
      return { words: method.slice(0, MAX_NAME), level, shown: ['params'] };
    }
    const params = membersOf(members.get('params') ?? '');
    const name = stringOf(membersOf(params.get('update') ?? '').get('sessionUpdate')) ?? '';
    const stream = name.endsWith('_chunk') ? `${name} ${params.get('sessionId') ?? ''}` : '';
    const level = stream !== '' && stream === this.streaming ? 'debug' : 'info';
    this.streaming = stream;
    return { words: `${method} ${name.slice(0, MAX_NAME)}`.trimEnd(), level, shown: ['params', 'update'] };
  }

  private answer(kind: Direction, members: Members, id: string | undefined, at: number): FrameSummary {
    const request = id === undefined ? undefined : this.answered(kind, id);
    const isError = (members.get('error') ?? 'null') !== 'null' || (members.has('error') && !members.has('result'));
    const what = isError ? 'error' : members.has('result') ? 'answer' : 'no message';
    return {
      words: request ? `${what} to ${request.method.slice(0, MAX_NAME)}` : what,
      level: isError ? 'error' : what === 'no message' ? 'warn' : request && POLLS.has(request.method) ? 'debug' : 'info',
      shown: [isError ? 'error' : 'result'],
      ...(request && { took: `${Math.max(0, at - request.at)} ms` }),
    };
  }

  private ask(direction: Direction, id: string, question: OpenRequest): void {
    const open = this.open[direction];
    open.delete(id);
    if (open.size >= MAX_OPEN) {
      open.delete(open.keys().next().value!);
    }
    open.set(id, question);
  }

  private answered(direction: Direction, id: string): OpenRequest | undefined {
    const open = this.open[direction === 'a2c' ? 'c2a' : 'a2c'];
    // Some agents answer a request with a numeric id by a string.
    const key = open.has(id) ? id : (stringOf(id) ?? id);
    const question = open.get(key);
    open.delete(key);
    return question;
  }

  /** Returns the beginning of the member at `path`, or of the frame itself when it has none. */
  private excerpt(text: string, kind: Direction, path: readonly string[]): string {
    const cut = text.length > LOOKED_AT;
    const source = this.source(text, kind === 'c2a', cut);
    let shown = source;
    for (const name of path) {
      // A member that is cut off has no end, so the rest of the text is shown.
      const member = membersOf(shown).get(name) ?? (cut ? shown.split(`"${name}":`, 2)[1] : undefined);
      if (member === undefined) {
        break;
      }
      shown = member;
    }
    return brief(shown, cut);
  }

  private source(text: string, fromClient: boolean, cut: boolean): string {
    return this.redaction.frame(text.slice(0, LOOKED_AT), { fromClient: fromClient || this.hop !== undefined, cut });
  }
}

function words(text: string, redact: (text: string) => string): string {
  return brief(redact(text.slice(0, LOOKED_AT)), text.length > LOOKED_AT);
}

function brief(text: string, cut: boolean): string {
  return text.length > EXCERPT || cut ? `${text.slice(0, EXCERPT).toWellFormed()}…` : text;
}

/** The text of a JSON string literal. */
function stringOf(literal: string | undefined): string | undefined {
  return literal?.startsWith('"') ? (JSON.parse(literal) as string) : undefined;
}

function clockTime(at: number): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
