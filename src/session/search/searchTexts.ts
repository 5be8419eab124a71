/**
 * Extracts the messages of a journal as searchable text. Joins the chunks of each message, removes Markdown syntax and provides case folding. Pure.
 */
import { entryIdOf } from '../../core/model/state';
import { withoutControls } from '../../text/characters/characters';
import { quickPlain } from '../../text/markdown/quickPlain';

/** Control characters of the format: `ENTRY` precedes the entry's id, and {@link TEXT} the message's text. */
export const ENTRY = 1;
export const TEXT = 2;

/** Messages whose chunks may interleave. Above this number the oldest counts as complete. */
const MAX_OPEN = 8;
/** UTF-16 units of an entry's id. A match in an entry with a longer id opens only the session. */
const MAX_ID = 400;

/** The beginning of a message's line; `"` or `_chunk"` follows. */
export const MESSAGE = Buffer.from('"type":"message');
/** Bytes of a line before that: the sequence number, and sometimes the time. */
export const MESSAGE_WITHIN = 80;

interface OpenMessage {
  readonly id: string;
  /** Byte offset of the message's first line in the journal. */
  readonly start: number;
  text: string;
}

/** Assembles messages from the lines of a journal. */
export class SearchTexts {
  private open: OpenMessage[] = [];

  /** Processes the line at byte offset `start`. Returns the text of completed messages. */
  line(json: string, start: number): string {
    let event: { type?: unknown; role?: unknown; messageId?: unknown; content?: unknown; event?: typeof event } | undefined;
    try {
      ({ event } = JSON.parse(json) as { event?: typeof event });
    } catch {
      return ''; // The line is incomplete or being written.
    }
    const { role, messageId, type, content } = (event?.type === 'subagent_event' ? event.event : event) ?? {};
    if ((role !== 'user' && role !== 'agent') || typeof messageId !== 'string' || (type !== 'message' && type !== 'message_chunk')) {
      return '';
    }
    const id = entryIdOf.message(role, messageId);
    const text = textIn(content);
    const open = this.open.find((each) => each.id === id);
    if (open) {
      // A complete message replaces its chunks.
      open.text = type === 'message' ? text : open.text + text;
      return '';
    }
    this.open.push({ id, start, text });
    return this.open.length > MAX_OPEN ? written([this.open.shift()!]) : '';
  }

  /** The offset from which a grown journal must be read again, because the messages after it may have grown, too. */
  get stableOffset(): number | undefined {
    return this.open[0]?.start;
  }

  /** The text of the messages that may continue. */
  rest(): string {
    return written(this.open);
  }
}

function textIn(content: unknown): string {
  const blocks = (Array.isArray(content) ? content : [content]) as readonly { type?: unknown; text?: unknown }[];
  return blocks.map((block) => (block?.type === 'text' && typeof block.text === 'string' ? block.text : '')).join(' ');
}

function written(messages: readonly OpenMessage[]): string {
  const mark = String.fromCharCode(ENTRY);
  const text = String.fromCharCode(TEXT);
  return messages
    .filter((message) => message.text !== '')
    .map((message) => mark + (message.id.length > MAX_ID ? '' : oneLine(message.id)) + text + oneLine(quickPlain(message.text)))
    .join('');
}

/** Replaces line breaks, so that matches can span lines, and normalizes to NFC, so that both forms of é match. */
export function oneLine(text: string): string {
  return withoutControls(text.normalize('NFC'), ' ').toWellFormed();
}

/** Folds case without changing any UTF-8 length, so that a match is at the same byte offset in `text`. */
export function caseFold(text: string): string {
  return isAscii(text) ? text.toLowerCase() : text.replace(/[A-Z]+|[^\u0000-\u007f]/gu, (part) => caseFoldPart(part));
}

function caseFoldPart(part: string): string {
  const lower = part.toLowerCase();
  return lower.length === part.length && Buffer.byteLength(lower) === Buffer.byteLength(part) ? lower : part;
}

function isAscii(text: string): boolean {
  return !/[^\u0000-\u007f]/.test(text);
}
