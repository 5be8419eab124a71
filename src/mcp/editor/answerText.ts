/** The text of answers of the window tools: bounded, and in pages. */
import { listAnswer } from './list';
import { previewOf } from './position';
import { answeringRetries, RetryError } from './retry';
import type { EditorTool, ToolAnswer, ToolContext } from './tool';

/** The maximum size of a text in an answer, in bytes of UTF-8. The server bounds the whole answer, which it would cut at its end. */
export const MAX_TEXT = 16_000;

export interface Rows<T> {
  /** The first line of the text. */
  readonly head: string;
  readonly items: readonly T[];
  readonly cursor: string | undefined;
  /** The maximum number of items in a page. */
  readonly size: number;
  /** The answer to an empty list. */
  readonly none: string;
  text(item: T): string;
  data(item: T): Readonly<Record<string, unknown>>;
}

/** Returns a page of a list whose rows are known. @throws RetryError for a cursor that no answer named */
export function rowsAnswer<T>(context: ToolContext, { none, text, data, ...list }: Rows<T>): Promise<ToolAnswer> {
  if (list.items.length === 0) {
    return Promise.resolve({ text: none, data: { total: 0, items: [] } });
  }
  return listAnswer(context, { ...list, render: (item) => Promise.resolve({ text: bounded(text(item), MAX_TEXT), data: data(item) }) });
}

/** Returns the position that a cursor names. @throws RetryError */
export function startOf(cursor: string | undefined, max = 1_000_000_000): number {
  const start = cursor === undefined ? 0 : /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (!(start < max)) {
    throw new RetryError(`No such cursor: ${cursor}. Use the cursor of the answer before, or none for the first page.`);
  }
  return start;
}

/** Returns the beginning of a text, with a remark when it was cut. @param max bytes of UTF-8 */
export function bounded(text: string, max = MAX_TEXT): string {
  if (Buffer.byteLength(text) <= max) {
    return text;
  }
  // A unit has at least one byte.
  const bytes = Buffer.from(text.slice(0, max + 1));
  const kept = bytes.subarray(0, characterStart(bytes, max, -1)).toString();
  return `${kept}\n[… ${text.length - kept.length} more characters]`;
}

/** Returns the end of a text, with a remark when it was cut. @param max bytes of UTF-8 */
export function tailOf(text: string, max = MAX_TEXT): string {
  if (Buffer.byteLength(text) <= max) {
    return text;
  }
  const bytes = Buffer.from(text.slice(-max - 1));
  const kept = bytes.subarray(characterStart(bytes, bytes.length - max, 1)).toString();
  return `[… ${text.length - kept.length} characters before]\n${kept}`;
}

/** Returns the offset nearest to `at` in one direction at which no character is cut. */
function characterStart(bytes: Buffer, at: number, step: 1 | -1): number {
  let start = at;
  while (start > 0 && start < bytes.length && (bytes[start]! & 0xc0) === 0x80) {
    start += step;
  }
  return start;
}

/** Returns a line for an answer, beginning near `start`, so that a match far along a long line is seen. */
export function previewAt(line: string, start: number): string {
  const lead = 60;
  const from = start > 2 * lead ? start - lead : 0;
  return from === 0 ? previewOf(line) : `…${previewOf(line.slice(from).toWellFormed())}`;
}

/** Resolves to undefined when the signal aborts first. Errors of `work` after that are ignored. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.resolve(undefined);
  }
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** Resolves after `ms`, or when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) {
      done();
    }
  });
}

/** Makes every tool answer a {@link RetryError} as a failed call. */
export function withRetries(tools: readonly EditorTool[]): readonly EditorTool[] {
  return tools.map((tool) => ({ ...tool, run: answeringRetries((input, context) => tool.run(input, context)) }));
}
