/** The redacted bundle of a conversation: its journal and protocol log, without private data. Pure. */
import type { Redaction } from '../../acp/redaction/redact';
import { REDACTED } from '../../acp/redaction/secretValues';
import { type Fields, isFields, parsed } from './exportLines';
import { joined } from './joinChunkedText';

/** Facts about the environment of a conversation that only the window knows. */
export interface BundleFacts {
  readonly vscode: string;
  readonly extension: string;
  readonly platform: string;
  /** The agent's own description of itself. */
  readonly agentInfo: Fields | undefined;
}

/**
 * Returns a journal's lines without secrets, answers and pictures, one JSON object each. **ACP: Replay Log** can show them. The header contains
 * the environment.
 * @param redaction a strict one: see `anonymous`
 */
export async function* bundleLines(lines: AsyncIterable<string>, facts: BundleFacts, redaction: Redaction): AsyncIterable<string> {
  const clean = (value: unknown): string => redaction.frame(JSON.stringify(value, withoutBulk), { fromClient: false }) + '\n';
  let isFirst = true;
  for await (const event of joined(values(lines))) {
    yield clean(isFirst ? { ...event, acpHostBundle: 1, ...facts } : event);
    isFirst = false;
  }
}

/** Returns the entries of the permission audit, one JSON object each. A reader of a bundle ignores lines of other kinds. */
export function* auditLines(entries: readonly object[], redaction: Redaction): Iterable<string> {
  for (const audit of entries) {
    yield redaction.frame(JSON.stringify({ audit }), { fromClient: false }) + '\n';
  }
}

/**
 * Returns the lines of the protocol log without streamed texts. The secrets are removed already, but a secret that is split into two chunks was
 * not found.
 */
export function* protocolLines(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) {
    const value = IN_PIECES.test(line) ? parsed(line) : undefined;
    yield (value ? JSON.stringify(value, withoutPieces) : line) + '\n';
  }
}

const IN_PIECES = /"(?:\w{1,40}_chunk|terminal_output|terminal_output_delta)"/;

async function* values(lines: AsyncIterable<string>): AsyncIterable<Fields> {
  for await (const line of lines) {
    const value = parsed(line);
    if (value) {
      yield value;
    }
  }
}

/** Replaces streamed text by its length, which is enough to see the order of events. The journal has the whole text. */
function withoutPieces(key: string, value: unknown): unknown {
  if (!isFields(value)) {
    return value;
  }
  if (
    typeof value.sessionUpdate === 'string' &&
    value.sessionUpdate.endsWith('_chunk') &&
    isFields(value.content) &&
    typeof value.content.text === 'string'
  ) {
    return { ...value, content: { ...value.content, text: counted(value.content.text) } };
  }
  return key.startsWith('terminal_output') && typeof value.data === 'string' ? { ...value, data: counted(value.data) } : value;
}

function counted({ length }: string): string {
  return `[${length} characters]`;
}

/** A picture or a sound inside a text, as in Markdown. */
const DATA_ADDRESS = /(data:(?:image|audio|video)\/[\w.+-]{1,60}(?:;[\w=.+-]{1,60}){0,3};base64,)[\w+/=%-]+/gi;

/**
 * Removes pictures and sounds, which cannot be reviewed, and the user's form answers, which are private. The other parts of an update have events
 * of their own.
 */
function withoutBulk(this: unknown, key: string, value: unknown): unknown {
  const holder = isFields(this) ? this : {};
  if (
    (key === 'data' || key === 'blob') &&
    typeof value === 'string' &&
    ['mimeType', 'media_type', 'uri'].some((beside) => typeof holder[beside] === 'string')
  ) {
    return '';
  }
  if (typeof value === 'string' && value.includes(';base64,')) {
    return value.replace(DATA_ADDRESS, '$1');
  }
  if (key === 'content' && holder.type === 'elicitation_resolved' && isFields(value)) {
    return Object.fromEntries(Object.keys(value).map((name) => [name, REDACTED]));
  }
  return withoutPieces(key, value);
}
