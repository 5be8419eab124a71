/**
 * The messages of a journal as text that can be searched. The pieces of each message are joined, without the signs of Markdown, and folded so that
 * upper and lower case are one. Pure.
 */
import { entryIdOf } from '../../core/model/state';
import { withoutControls } from '../../text/characters/characters';
import { quickPlain } from '../../text/markdown/quickPlain';

/** Before each message: its entry's id, and {@link TEXT} before its text. */
export const ENTRY = 1;
export const TEXT = 2;

/** Messages whose pieces may alternate; an older one has ended. */
const MOST_OPEN = 8;
/** UTF-16 units of an entry's id; what is longer is not opened at its place. */
const MAX_ID = 400;

/** How the line of a message begins; what follows is `"` or `_chunk"`. */
export const MESSAGE = Buffer.from('"type":"message');
/** Bytes of a line before that: its number, and the time where that comes first. */
export const MESSAGE_WITHIN = 80;

interface OpenMessage {
  readonly id: string;
  /** Of its first line in the journal, in bytes. */
  readonly start: number;
  text: string;
}

/** Puts messages together from the lines of a journal. */
export class SearchTexts {
  private open: OpenMessage[] = [];

  /** Takes a line that begins at this byte. Returns the messages that have ended, as they are written. */
  line(json: string, start: number): string {
    let event: { type?: unknown; role?: unknown; messageId?: unknown; content?: unknown } | undefined;
    try {
      ({ event } = JSON.parse(json) as { event?: typeof event });
    } catch {
      return ''; // Torn, or still being written.
    }
    const { role, messageId, type, content } = event ?? {};
    if ((role !== 'user' && role !== 'agent') || typeof messageId !== 'string' || (type !== 'message' && type !== 'message_chunk')) {
      return '';
    }
    const id = entryIdOf.message(role, messageId);
    const text = textIn(content);
    const open = this.open.find((each) => each.id === id);
    if (open) {
      // The whole message takes the place of its pieces.
      open.text = type === 'message' ? text : open.text + text;
      return '';
    }
    this.open.push({ id, start, text });
    return this.open.length > MOST_OPEN ? written([this.open.shift()!]) : '';
  }

  /** Where the journal must be read again from when it has grown: the messages from there on may have, too. */
  get stableOffset(): number | undefined {
    return this.open[0]?.start;
  }

  /** The messages that may go on. */
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

/** Words are found over the ends of lines. Composed: two ways to write é are one. */
export function oneLine(text: string): string {
  return withoutControls(text.normalize('NFC'), ' ').toWellFormed();
}

/** Of the same length in UTF-8, at each place: what is found in it is at the same bytes in `text`. */
export function folded(text: string): string {
  return isAscii(text) ? text.toLowerCase() : text.replace(/[A-Z]+|[^\u0000-\u007f]/gu, (part) => foldedPart(part));
}

function foldedPart(part: string): string {
  const lower = part.toLowerCase();
  return lower.length === part.length && Buffer.byteLength(lower) === Buffer.byteLength(part) ? lower : part;
}

function isAscii(text: string): boolean {
  return !/[^\u0000-\u007f]/.test(text);
}
