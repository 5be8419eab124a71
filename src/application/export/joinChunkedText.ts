/** Joins streamed texts in a journal's lines, so that no secret is missed because it is split between chunks. Pure. */
import { type Fields, isFields } from './exportLines';

/** A text that arrives in chunks. */
interface ChunkedText {
  last: Fields;
  /** The chunks that were not yielded yet. */
  readonly texts: string[];
  length: number;
}

/** The maximum number of UTF-16 units that are joined. A longer text is split after a line. */
const MAX_JOINED = 4 * 1024 * 1024;
/** The maximum number of texts that grow at the same time. */
const MAX_RUNS = 100;

/**
 * The first chunk of a text keeps its time and position, but is emptied. The rest follows as one event: before the next other event of the same
 * message or terminal, or when a turn begins or ends. Events of other texts in between do not split it.
 */
export async function* joined(lines: AsyncIterable<Fields>): AsyncIterable<Fields> {
  const runs = new Map<string, ChunkedText>();
  function* end(names: readonly string[]): Iterable<Fields> {
    for (const name of names) {
      const run = runs.get(name);
      runs.delete(name);
      if (run) {
        yield withText(run.last, run.texts.join(''));
      }
    }
  }
  for await (const line of lines) {
    const piece = pieceOf(line.event);
    if (!piece) {
      yield* end(toldApart(line.event, [...runs.keys()]));
      yield line;
      continue;
    }
    const run = runs.get(piece.name);
    if (!run) {
      yield* end([...runs.keys()].slice(0, Math.max(0, runs.size + 1 - MAX_RUNS)));
      runs.set(piece.name, { last: line, texts: [piece.text], length: piece.text.length });
      yield withText(line, '');
      continue;
    }
    run.last = line;
    run.texts.push(piece.text);
    run.length += piece.text.length;
    if (run.length > MAX_JOINED) {
      const text = run.texts.join('');
      const cut = text.lastIndexOf('\n') + 1 || text.length;
      yield withText(line, text.slice(0, cut));
      run.texts.splice(0, Infinity, text.slice(cut));
      run.length = text.length - cut;
    }
  }
  yield* end([...runs.keys()]);
}

/** Returns the texts that must be complete before this event. */
function toldApart(event: unknown, names: readonly string[]): readonly string[] {
  if (!isFields(event)) {
    return [];
  }
  const { messageId, terminalId, type } = event;
  if (typeof messageId === 'string' || typeof terminalId === 'string') {
    const suffix = typeof messageId === 'string' ? `message ${messageId}` : `terminal ${String(terminalId)}`;
    return names.filter((name) => name.endsWith(suffix));
  }
  return /^(?:turn_(?:started|ended)|session_|disconnected)/.test(String(type)) ? names : [];
}

/**
 * Returns the text of a message chunk or of a terminal's output, and the name of the text that it belongs to. Undefined when the event has further
 * data.
 */
function pieceOf(event: unknown): { readonly name: string; readonly text: string } | undefined {
  if (!isFields(event)) {
    return undefined;
  }
  if (event.type === 'terminal_output') {
    return typeof event.text === 'string' && event.skipped === undefined
      ? { name: `terminal ${String(event.terminalId)}`, text: event.text }
      : undefined;
  }
  const content = event.type === 'message_chunk' && isFields(event.content) ? event.content : undefined;
  const isPlain = content?.type === 'text' && content.annotations === undefined && event.meta === undefined && event.extra === undefined;
  return isPlain && typeof content.text === 'string'
    ? { name: `${String(event.role)} message ${String(event.messageId)}`, text: content.text }
    : undefined;
}

function withText(line: Fields, text: string): Fields {
  const event = line.event as Fields;
  return { ...line, event: event.type === 'terminal_output' ? { ...event, text } : { ...event, content: { type: 'text', text } } };
}
