/**
 * Reads the lines of a saved log of any origin: exported traces, journals, an agent's stdout, and transcripts that wrap each frame in an object with
 * its direction. No line is trusted or causes an exception. A frame without a recorded direction gets it from its content.
 */
import { isSessionEvent, type SessionEvent } from '../../core/model/event';
import { cutDepth } from '../json/depth';
import type { Fields } from '../json/fields';
import { isRecord, textOf } from '../json/fields';
import { idLiteral } from '../json/source';

export type Direction = 'a2c' | 'c2a';

export interface LoggedFrame {
  readonly kind: 'frame';
  readonly message: Fields;
  /** The id as it was written; undefined when there is no valid one. */
  readonly idLiteral: string | undefined;
  /** Undefined when neither the log nor the method determines it. */
  readonly direction: Direction | undefined;
  /** ms since the epoch, as far as the log contains times */
  readonly at: number;
}

export type LogLine =
  | LoggedFrame
  | { readonly kind: 'event'; readonly event: SessionEvent }
  | { readonly kind: 'header'; readonly agentName?: string; readonly cwd?: string }
  /** stderr, a remark, the beginning of a line that was too long. */
  | { readonly kind: 'other' }
  /** A frame of which the log contains only the beginning. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'damaged' };

const CLIENT_METHOD = /^(?:initialize|authenticate|logout|session\/(?:new|load|resume|fork|list|close|delete|prompt|cancel|set_\w+))$/;
const AGENT_METHOD = /^(?:session\/(?:update|request_permission)|fs\/.+|terminal\/.+|elicitation\/.+)$/;

/** Words for directions in other tools' logs, used until a method has shown their meaning in this log. */
const TO_CLIENT = /^(?:in|incoming|recv|received?|rx|read|stdout|agent|server|from[_ -]?agent|<+|<-+|←|agent.*client)$/i;
const TO_AGENT = /^(?:out|outgoing|send|sent|tx|write|stdin|client|to[_ -]?agent|>+|-+>|→|client.*agent)$/i;

const DIRECTION_KEYS = ['dir', 'direction', 'from', 'type', 'kind'];
const FRAME_KEYS = ['msg', 'message', 'frame', 'payload', 'data', 'raw', 'json'];
const TIME_KEYS = ['at', 'ts', 'time', 'timestamp'];

/** Reads the lines of one log in order. */
export class LogLines {
  /** The meaning of this log's words for directions, learned from methods. */
  private readonly learned = new Map<string, Direction>();
  private last: number;
  /** True for the lines of a conversation that was exported as JSON: one value, one event per line. */
  private isExport = false;
  /** True after the events of such a conversation: its permission audit follows. */
  private isInAudit = false;

  /** @param startedAt ms since the epoch, for a log without a time of its own */
  constructor(private startedAt: number) {
    this.last = startedAt;
  }

  read(text: string): LogLine {
    const line = parsed(text);
    if (this.isInAudit || (isRecord(line) && isRecord(line.audit) && Object.keys(line).length === 1)) {
      return { kind: 'other' };
    }
    if (!isRecord(line) || (this.isExport && isSessionEvent(line))) {
      return this.exported(line ?? text.trim());
    }
    if (typeof line.hop === 'string' && typeof line.dir === 'string') {
      return { kind: 'other' }; // A message between the programs of a chain, which the client has not seen.
    }
    if (isFrame(line)) {
      this.noteTime(line);
      return this.frame(line, text, [], textOf(line.dir) ?? textOf(line.direction));
    }
    if (line.acpHostTrace !== undefined || line.acpHostJournal !== undefined) {
      return this.header(line);
    }
    if (isRecord(line.event)) {
      return isSessionEvent(line.event) ? { kind: 'event', event: line.event } : { kind: 'damaged' };
    }
    return this.wrapped(line, text);
  }

  /** Reads a line as a part of an exported conversation. */
  private exported(line: unknown): LogLine {
    const [, header] = typeof line === 'string' ? (/^\{"header": (.*),$/.exec(line) ?? []) : [];
    const fields = header === undefined ? undefined : parsed(header);
    if (fields !== undefined) {
      this.isExport = true;
      return isRecord(fields) ? this.header(fields) : { kind: 'other' };
    }
    if (!this.isExport) {
      return { kind: 'damaged' };
    }
    if (line === '],' || line === '"events": [],') {
      this.isInAudit = true;
      return { kind: 'other' };
    }
    const event = typeof line === 'string' ? parsed(line.replace(/,$/, '')) : line;
    if (isRecord(event)) {
      return isSessionEvent(event) ? { kind: 'event', event } : { kind: 'damaged' };
    }
    return { kind: line === '"events": [' || line === ']}' || line === '"events": []}' ? 'other' : 'damaged' };
  }

  private header(line: Fields): LogLine {
    this.startedAt = this.last = timeOf(line.startedAt) ?? timeOf(line.createdAt) ?? this.startedAt;
    const agentName = textOf(line.agent) ?? textOf(line.agentName);
    const cwd = textOf(line.cwd);
    return { kind: 'header', ...(agentName !== undefined && { agentName }), ...(cwd !== undefined && { cwd }) };
  }

  private wrapped(line: Fields, text: string): LogLine {
    this.noteTime(line);
    const word = DIRECTION_KEYS.map((key) => textOf(line[key])).find((value) => value !== undefined);
    for (const key of FRAME_KEYS) {
      const value = line[key];
      if (isRecord(value) && isFrame(value)) {
        return this.frame(value, text, [key], word);
      }
      const inner = typeof value === 'string' && value.trimStart().startsWith('{') ? parsed(value) : undefined;
      if (isRecord(inner) && isFrame(inner)) {
        return this.frame(inner, value as string, [], word);
      }
    }
    if (word === undefined) {
      return { kind: 'damaged' };
    }
    return { kind: line.length !== undefined && (word === 'a2c' || word === 'c2a') ? 'cut' : 'other' };
  }

  /** @param text the source text in which `path` leads to the frame */
  private frame(message: Fields, text: string, path: readonly string[], word: string | undefined): LoggedFrame {
    const literal = message.id === undefined ? undefined : idLiteral(message.id, text, [...path, 'id']);
    return { kind: 'frame', message, idLiteral: literal, direction: this.directionOf(message, word), at: this.last };
  }

  private directionOf(message: Fields, word: string | undefined): Direction | undefined {
    if (word === 'a2c' || word === 'c2a') {
      return word;
    }
    const method = textOf(message.method) ?? '';
    const told = CLIENT_METHOD.test(method) ? 'c2a' : AGENT_METHOD.test(method) ? 'a2c' : undefined;
    if (word === undefined || told !== undefined) {
      if (word !== undefined && told !== undefined) {
        this.learned.set(word, told);
      }
      return told;
    }
    return this.learned.get(word) ?? (TO_CLIENT.test(word) ? 'a2c' : TO_AGENT.test(word) ? 'c2a' : undefined);
  }

  /** `t` is relative to the log's beginning. */
  private noteTime(line: Fields): void {
    if (typeof line.t === 'number' && Number.isFinite(line.t)) {
      this.last = this.startedAt + line.t;
      return;
    }
    const told = TIME_KEYS.map((key) => timeOf(line[key])).find((value) => value !== undefined);
    this.last = told ?? this.last;
  }
}

function isFrame(value: Fields): boolean {
  return (
    typeof value.method === 'string' || (value.id !== undefined && ('result' in value || 'error' in value)) || value.jsonrpc !== undefined
  );
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Deep values are cut, as on a live connection. They would overflow the stack in messages to the page and in exports.
    cutDepth(value, text);
    return value;
  } catch {
    return undefined;
  }
}

/** Returns ms since the epoch from ms, seconds or a date as text. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : time;
  }
  if (typeof value !== 'number' || !(value > 1e8 && value < 1e16)) {
    return undefined;
  }
  return value < 1e11 ? value * 1000 : value;
}
