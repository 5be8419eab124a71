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
/** The maximum number of texts that grow at the same time: more than an answer and a thought of each of a session's 1,000 subagents. */
const MAX_RUNS = 2500;

/**
 * The first chunk of a text keeps its time and position, but is emptied. The rest follows as one event: before the next other event of the same
 * message, compaction or terminal, or when a turn begins or ends. Events of other texts in between do not split it.
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

/** The members that name a text, each with the word before the id in the name of the text. */
const NAMED = { messageId: 'message', terminalId: 'terminal', compactionId: 'compaction' } as const;

/** Returns the texts that must be complete before this event. */
function toldApart(outer: unknown, names: readonly string[]): readonly string[] {
  const event = bodyOf(outer);
  if (!event) {
    return [];
  }
  for (const [member, word] of Object.entries(NAMED)) {
    const id = event[member];
    if (typeof id === 'string') {
      return names.filter((name) => name.endsWith(`${word} ${id}`));
    }
  }
  return /^(?:turn_(?:started|ended)|session_(?!message)|disconnected)/.test(String(event.type)) ? names : [];
}

/** The kinds of events that are pieces of a text, each with the beginning of the text's name. */
const CHUNKS: Readonly<Record<string, (event: Fields) => string>> = {
  message_chunk: ({ role, messageId }) => `${String(role)} message ${String(messageId)}`,
  session_message_chunk: ({ messageId }) => `session message ${String(messageId)}`,
  compaction_chunk: ({ compactionId }) => `compaction ${String(compactionId)}`,
};

/**
 * Returns the text of a chunk or of a terminal's output, and the name of the text that it belongs to. Undefined when the event has further data.
 */
function pieceOf(outer: unknown): { readonly name: string; readonly text: string } | undefined {
  const event = bodyOf(outer);
  if (!event) {
    return undefined;
  }
  if (event.type === 'terminal_output') {
    return typeof event.text === 'string' && event.skipped === undefined
      ? { name: `terminal ${String(event.terminalId)}`, text: event.text }
      : undefined;
  }
  const nameOf = typeof event.type === 'string' && Object.hasOwn(CHUNKS, event.type) ? CHUNKS[event.type] : undefined;
  const content = nameOf && isFields(event.content) ? event.content : undefined;
  const isPlain = content?.type === 'text' && content.annotations === undefined && event.meta === undefined && event.extra === undefined;
  return nameOf && isPlain && typeof content.text === 'string' ? { name: nameOf(event), text: content.text } : undefined;
}

function withText(line: Fields, text: string): Fields {
  const event = line.event as Fields;
  const body = bodyOf(event)!;
  const changed = body.type === 'terminal_output' ? { ...body, text } : { ...body, content: { type: 'text', text } };
  return { ...line, event: body === event ? changed : { ...event, event: changed } };
}

/** Returns the event itself, or the one of a subagent's conversation that it carries. */
function bodyOf(event: unknown): Fields | undefined {
  const body = isFields(event) && event.type === 'subagent_event' ? event.event : event;
  return isFields(body) ? body : undefined;
}
