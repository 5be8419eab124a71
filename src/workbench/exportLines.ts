/** What is written when a conversation is saved, piece by piece. Pure. */
import type { Redaction } from '../acp/redact';
import { REDACTED } from '../acp/secrets';
import type { SessionState } from '../core/state';
import { transcriptParts, type TranscriptWords } from '../core/transcriptParts';

type Fields = Readonly<Record<string, unknown>>;

/** What only the window knows of where a conversation took place. */
export interface BundleFacts {
  readonly vscode: string;
  readonly extension: string;
  readonly platform: string;
  /** As the agent calls itself. */
  readonly agentInfo: Fields | undefined;
}

/** A markdown document. */
export function* markdownPieces(state: SessionState, words: TranscriptWords, title: string): Iterable<string> {
  yield `# ${title}\n`;
  for (const { text } of transcriptParts(state, words)) {
    yield `\n${text}\n`;
  }
}

/** `{"header": …, "events": […]}`, one event a line, of a journal's lines; those that are damaged are left out. */
export async function* jsonPieces(lines: AsyncIterable<string>): AsyncIterable<string> {
  let count = -1;
  for await (const line of lines) {
    const value = parsed(line);
    if (count < 0) {
      yield `{"header": ${JSON.stringify(value ?? null)},\n"events": [`;
      count = 0;
    } else if (isFields(value?.event)) {
      yield `${count++ === 0 ? '' : ','}\n${JSON.stringify(value.event)}`;
    }
  }
  yield count < 0 ? '{"header": null,\n"events": []}\n' : '\n]}\n';
}

/**
 * A journal's lines without secrets, answers, pictures and the user's folder, one JSON object each: **ACP: Replay Log** shows them again. The
 * header says what ran where.
 * @param home the user's folder; absolute
 */
export async function* bundleLines(lines: AsyncIterable<string>, facts: BundleFacts, redaction: Redaction, home: string): AsyncIterable<string> {
  const clean = (value: unknown): string => withoutHome(redaction.frame(JSON.stringify(value, withoutBulk), { fromClient: false }), home) + '\n';
  let isFirst = true;
  for await (const event of joined(lines)) {
    yield clean(isFirst ? { ...event, acpHostBundle: 1, ...facts } : event);
    isFirst = false;
  }
}

/** Lines of the protocol, which are without secrets already, without the user's folder. */
export function* withoutHomes(lines: Iterable<string>, home: string): Iterable<string> {
  for (const line of lines) {
    yield withoutHome(line, home) + '\n';
  }
}

/** UTF-16 units of text that are joined. */
const MAX_JOINED = 1024 * 1024;

/**
 * The lines' values, texts that came in pieces as one: a secret is not to be missed because it was cut. The first piece stays, empty, for the
 * time at which the text began.
 */
async function* joined(lines: AsyncIterable<string>): AsyncIterable<Fields> {
  let run: { first: Fields; last: Fields; texts: string[]; length: number } | undefined;
  for await (const line of lines) {
    const value = parsed(line);
    if (!value) {
      continue;
    }
    const text = pieceOf(value.event);
    if (run && text !== undefined && run.length < MAX_JOINED && sameText(run.last.event, value.event)) {
      run.last = value;
      run.texts.push(text);
      run.length += text.length;
      continue;
    }
    if (run) {
      yield* runLines(run);
    }
    run = text === undefined ? undefined : { first: value, last: value, texts: [text], length: text.length };
    if (!run) {
      yield value;
    }
  }
  if (run) {
    yield* runLines(run);
  }
}

function* runLines({ first, last, texts }: { first: Fields; last: Fields; texts: readonly string[] }): Iterable<Fields> {
  if (texts.length > 1) {
    yield { ...first, event: withText(first.event as Fields, '') };
  }
  yield { ...last, event: withText(last.event as Fields, texts.join('')) };
}

/** The text of a piece of a message or of a terminal's output; undefined when there is more to it. */
function pieceOf(event: unknown): string | undefined {
  if (!isFields(event)) {
    return undefined;
  }
  if (event.type === 'terminal_output') {
    return typeof event.text === 'string' && event.skipped === undefined ? event.text : undefined;
  }
  const content = event.type === 'message_chunk' && isFields(event.content) ? event.content : undefined;
  return content?.type === 'text' && typeof content.text === 'string' && content.annotations === undefined && event.meta === undefined && event.extra === undefined ? content.text : undefined;
}

function sameText(a: unknown, b: unknown): boolean {
  const keys = ['type', 'messageId', 'role', 'terminalId'];
  return isFields(a) && isFields(b) && keys.every((key) => a[key] === b[key]);
}

function withText(event: Fields, text: string): Fields {
  return event.type === 'terminal_output' ? { ...event, text } : { ...event, content: { type: 'text', text } };
}

/** Pictures and sounds cannot be looked through, and what the user filled in is nobody else's. */
function withoutBulk(this: unknown, key: string, value: unknown): unknown {
  const holder = isFields(this) ? this : {};
  if ((key === 'data' || key === 'blob') && typeof value === 'string' && (typeof holder.mimeType === 'string' || typeof holder.uri === 'string')) {
    return '';
  }
  if (key === 'content' && holder.type === 'elicitation_resolved' && isFields(value)) {
    return Object.fromEntries(Object.keys(value).map((name) => [name, REDACTED]));
  }
  return value;
}

/** `json` with `~` in place of the user's folder, however it is written there. */
export function withoutHome(json: string, home: string): string {
  const folder = home.replace(/[\\/]+$/, '');
  if (folder.length < 4) {
    return json;
  }
  const slashes = folder.replace(/\\/g, '/');
  const drive = /^([a-z]):/i.exec(slashes)?.[1];
  const written = [JSON.stringify(folder).slice(1, -1), JSON.stringify(JSON.stringify(folder)).slice(3, -3), slashes, ...(drive ? [`/${drive}%3A${slashes.slice(2)}`] : []), slashes.split('/').map(encodeURIComponent).join('/')];
  const pattern = [...new Set(written)].sort((a, b) => b.length - a.length).map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  return json.replace(new RegExp(`(?:${pattern})(?![\\w-])`, drive ? 'gi' : 'g'), '~');
}

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
