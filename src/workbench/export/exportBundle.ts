/** What is written of a conversation for others to look into: a journal and the protocol beside it, without what is nobody else's. Pure. */
import type { Redaction } from '../../acp/redaction/redact';
import { REDACTED } from '../../acp/redaction/secretValues';
import { type Fields, isFields, parsed } from './exportLines';
import { joined } from './joinChunkedText';

/** What only the window knows of where a conversation took place. */
export interface BundleFacts {
  readonly vscode: string;
  readonly extension: string;
  readonly platform: string;
  /** As the agent calls itself. */
  readonly agentInfo: Fields | undefined;
}

/**
 * A journal's lines without secrets, answers and pictures, one JSON object each: **ACP: Replay Log** shows them again. The header says what ran where.
 * @param redaction one that is strict: see `anonymous`
 */
export async function* bundleLines(lines: AsyncIterable<string>, facts: BundleFacts, redaction: Redaction): AsyncIterable<string> {
  const clean = (value: unknown): string => redaction.frame(JSON.stringify(value, withoutBulk), { fromClient: false }) + '\n';
  let isFirst = true;
  for await (const event of joined(values(lines))) {
    yield clean(isFirst ? { ...event, acpHostBundle: 1, ...facts } : event);
    isFirst = false;
  }
}

/** Lines of the protocol, which are without secrets already, without the texts that come in pieces: a secret in two pieces is none in either. */
export function* protocolLines(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) {
    const value = IN_PIECES.test(line) ? parsed(line) : undefined;
    yield (value ? JSON.stringify(value, withoutPieces) : line) + '\n';
  }
}

const IN_PIECES = /"(?:agent_message_chunk|agent_thought_chunk|user_message_chunk|terminal_output|terminal_output_delta)"/;

async function* values(lines: AsyncIterable<string>): AsyncIterable<Fields> {
  for await (const line of lines) {
    const value = parsed(line);
    if (value) {
      yield value;
    }
  }
}

/** Their length is enough to tell when what came; the journal has the whole. */
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

/** Of a picture or a sound that stands in a text, as in markdown. */
const DATA_ADDRESS = /(data:(?:image|audio|video)\/[\w.+-]{1,60}(?:;[\w=.+-]{1,60}){0,3};base64,)[\w+/=%-]+/gi;

/** Pictures and sounds cannot be looked through, and what the user filled in is nobody else's. What an update said besides is in events of its own. */
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
