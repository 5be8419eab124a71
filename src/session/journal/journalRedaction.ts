/**
 * Writes a journal's lines without the values of its agent's environment. Only a line that contains such a value is parsed. A text that arrives in
 * pieces is held back at its end while that may be the beginning of a value. The next piece then starts with the held text.
 */
import { isSecretVariable } from '../../acp/redaction/secretNames';
import { redactText } from '../../acp/redaction/secrets';
import { cutValueLength, REDACTED, withoutValues } from '../../acp/redaction/secretValues';
import type { EnvironmentVariable } from '../../core/model/content';
import type { SessionEvent } from '../../core/model/event';
import { bodyOf } from '../../core/subagents/innerEvents';
import { lineOf } from './journalLine';

/** The held end of a piece, with which the next piece begins. */
interface PendingText {
  readonly seq: number;
  readonly event: SessionEvent;
  readonly text: string;
}

/** Texts that can be held back at the same time: more than an answer and a thought of each of a session's 1,000 subagents. */
const MAX_HELD = 2500;

export class JournalRedaction {
  private readonly held = new Map<string, PendingText>();
  /** The subagents that the journal has. Pieces of others count for nothing, so that none of them may be written later. */
  private readonly subagents = new Set<string>();

  /** @param values the current values of the agent's environment; see `secretValues` */
  constructor(private readonly values: () => readonly string[]) {}

  /** The lines to be written for this event, each with its line feed. */
  lines(seq: number, whole: SessionEvent): string {
    const event = withoutSecretVariables(whole);
    const values = this.values();
    if (values.length === 0) {
      return lineOf(seq, event);
    }
    const name = nameOfText(event);
    if (name === undefined) {
      return this.release(event) + withoutSecrets(lineOf(seq, event), values);
    }
    const earlier = this.held.get(name)?.text ?? '';
    this.held.delete(name);
    const piece = textOf(event);
    const text = withoutValues(earlier + piece, values);
    const length = cutValueLength(text, values);
    if (length === 0 && text === piece) {
      return withoutSecrets(lineOf(seq, event), values);
    }
    let released = '';
    if (length > 0) {
      released = this.held.size >= MAX_HELD ? this.rest() : '';
      this.held.set(name, { seq, event, text: text.slice(-length) });
    }
    return released + withoutSecrets(lineOf(seq, withText(event, length > 0 ? text.slice(0, -length) : text)), values);
  }

  /** Redacts any other JSON of the conversation. */
  line(json: string): string {
    return withoutSecrets(json, this.values());
  }

  /** The lines of all held texts, when no piece follows. */
  rest(): string {
    const lines = [...this.held.values()].map((held) => lineOfHeld(held));
    this.held.clear();
    return lines.join('');
  }

  /** True while the end of a text is held back, so that the journal lacks a part of an earlier event. */
  get isHolding(): boolean {
    return this.held.size > 0;
  }

  /** Drops the held texts: the lines from here on belong to another conversation. */
  forget(): void {
    this.held.clear();
  }

  /** The lines to write before this event: the held texts that it ends. */
  private release(outer: SessionEvent): string {
    const event = bodyOf(outer);
    // `turn_changes` ends no text: it can arrive while the next turn is already writing.
    if (/^(?:turn_(?!changes)|session_|disconnected)/.test(event.type)) {
      return this.rest();
    }
    // The end of a subagent's work ends its texts. Work that begins is rare enough to be treated alike.
    if (event.type === 'subagent_update' && (event.patch.work !== undefined || !this.subagents.has(event.subagentId))) {
      this.subagents.add(event.subagentId);
      return this.releaseIf((_, held) => held.event.type === 'subagent_event' && held.event.subagentId === event.subagentId);
    }
    const { messageId, terminalId, compactionId } = event as { messageId?: string; terminalId?: string; compactionId?: string };
    const ends = [messageId, terminalId, compactionId].filter((id) => id !== undefined);
    return this.releaseIf((name) => ends.some((id) => name.endsWith(` ${id}`)));
  }

  private releaseIf(isEnded: (name: string, held: PendingText) => boolean): string {
    let lines = '';
    for (const [name, held] of this.held) {
      if (isEnded(name, held)) {
        this.held.delete(name);
        lines += lineOfHeld(held);
      }
    }
    return lines;
  }
}

/** Redacts `values` in a journal line of JSON, with or without its line feed, also one that was written before they were known. */
export function withoutSecrets(line: string, values: readonly string[]): string {
  if (!values.some((value) => line.includes(value))) {
    return line;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return withoutValues(line, values); // The line is not valid JSON, so no reader parses it.
  }
  return JSON.stringify(withoutStrings(parsed, values)) + (line.endsWith('\n') ? '\n' : '');
}

/** Redacts the values of secret variables that an agent sets for a command. */
function withoutSecretVariables(event: SessionEvent): SessionEvent {
  if (event.type === 'terminal_update' && event.environment) {
    return { ...event, environment: event.environment.map(redactedVariable) };
  }
  if (event.type === 'permission_requested' && event.subject.environment) {
    return { ...event, subject: { ...event.subject, environment: event.subject.environment.map(redactedVariable) } };
  }
  return event;
}

function redactedVariable({ name, value }: EnvironmentVariable): EnvironmentVariable {
  const head = `${name}=`;
  const text = isSecretVariable(name) && value !== '' ? head + REDACTED : redactText(head + value, []);
  return { name, value: text.startsWith(head) ? text.slice(head.length) : REDACTED };
}

/**
 * Members whose values are words of the format or the protocol. They are not redacted, so that a conversation can be reduced whatever an agent's
 * password is.
 */
const FORMAT = /^(?:type|role|status|kind|severity|outcome|code|stopReason|operation)$/;
const FORMAT_WORD = /^[a-z][a-z_.]{0,40}$/;

function withoutStrings(value: unknown, values: readonly string[], member?: string): unknown {
  if (typeof value === 'string') {
    return member !== undefined && FORMAT.test(member) && FORMAT_WORD.test(value) ? value : withoutValues(value, values);
  }
  if (Array.isArray(value)) {
    return value.map((each) => withoutStrings(each, values));
  }
  if (typeof value === 'object' && value !== null) {
    // `fromEntries` creates an own member for each name, also `__proto__`.
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        isMember(name) ? name : withoutValues(name, values),
        withoutStrings(each, values, name),
      ]),
    );
  }
  return value;
}

/** True for the names that this format uses, like `messageId`. All other names may contain a secret. */
function isMember(name: string): boolean {
  return MEMBERS.has(name);
}

const MEMBERS = new Set(
  (
    'seq event at type meta extra agentName cwd additionalDirectories sessionId command line updates protocolVersion agent promptCapabilities authMethods offers methodId failure changes title ' +
    'updatedAt turnId stopReason role messageId content text patch name kind status locations rawInput rawOutput toolCallId terminalId ours shell pipe size output exitStatus lost released skipped planId plan ' +
    'permissionId subagentId subagents parentId senderId recipientId work canCancel isImplied askedBy description environment program options subject outcome optionId requestKey message body configId value commands usage noticeId severity compactionId summary error unknownId label raw file params code detail entryId lines change moves entryIds before byRule id reason rule'
  ).split(' '),
);

function lineOfHeld({ seq, event, text }: PendingText): string {
  return lineOf(seq, withText(event, text));
}

/** The text that a piece belongs to; undefined for an event that is not exactly one piece of a text. */
function nameOfText(outer: SessionEvent): string | undefined {
  const event = bodyOf(outer);
  switch (event.type) {
    case 'message_chunk':
      return event.content.type === 'text' && !event.content.annotations && event.meta === undefined && event.extra === undefined
        ? `${event.role} ${event.messageId}`
        : undefined;
    case 'session_message_chunk':
      return event.content.type === 'text' && !event.content.annotations && event.meta === undefined && event.extra === undefined
        ? `session message ${event.messageId}`
        : undefined;
    case 'compaction_chunk':
      return event.content.type === 'text' && !event.content.annotations && event.meta === undefined && event.extra === undefined
        ? `compaction ${event.compactionId}`
        : undefined;
    case 'terminal_output':
      return event.skipped === undefined ? `terminal ${event.terminalId}` : undefined;
    default:
      return undefined;
  }
}

function textOf(outer: SessionEvent): string {
  const event = bodyOf(outer);
  return event.type === 'terminal_output' ? event.text : (event as { content: { text: string } }).content.text;
}

function withText(event: SessionEvent, text: string): SessionEvent {
  if (event.type === 'subagent_event') {
    return { ...event, event: withText(bodyOf(event), text) };
  }
  return event.type === 'terminal_output'
    ? { ...event, text }
    : ({ ...event, content: { ...(event as { content: object }).content, text } } as SessionEvent);
}
