/** A journal's lines with the texts that came in pieces as one: a secret is not to be missed because it was cut. Pure. */
import { type Fields, isFields } from './exportLines';

/** A text that comes in pieces. */
interface ChunkedText {
  last: Fields;
  /** Absent once some of it was given away. */
  readonly texts: string[];
  length: number;
}

/** UTF-16 units of text that are kept together; what is longer is cut after a line. */
const MAX_JOINED = 4 * 1024 * 1024;
/** Texts that grow at the same time. */
const MAX_RUNS = 100;

/**
 * The first piece of a text stays where it was, empty, for the time and the place at which it began; the rest follows as one, before whatever else is of the
 * same message or terminal, and when a turn begins or ends. What others say meanwhile does not part it.
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

/** Which texts must be whole before this event. */
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

/** The text of a piece of a message or of a terminal's output, and which text it is of; undefined when there is more to it. */
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
