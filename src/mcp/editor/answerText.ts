/** The text of answers: bounded, in pages, and with the sentence that continues a list. */
import { z } from 'zod';
import { previewOf } from './position';
import { pageOf } from './paging';
import { answeringRetries, RetryError } from './retry';
import type { EditorTool, ToolAnswer } from './tool';

/** The maximum number of UTF-16 units of a text in an answer. */
export const MAX_TEXT = 20 * 1024;

export const cursorField = z
  .string()
  .max(12)
  .optional()
  .describe('The nextCursor of the answer before, to read the next page. Leave it out for the first page.');

export interface List<T> {
  readonly items: readonly T[];
  readonly cursor: string | undefined;
  /** The maximum number of items in a page. */
  readonly size: number;
  /** The heading, for the total number of items. */
  head(total: number): string;
  /** The text of an item. */
  row(item: T): string;
  /** The answer to an empty list. */
  readonly none: string;
  /** The member of the data that holds the items of the page. Default: `items`. */
  readonly name?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Returns one page of a list. A page ends early when its text is long. @throws RetryError for a cursor that no answer named */
export function listAnswer<T>({ items, cursor, size, head, row, none, name = 'items', data }: List<T>): ToolAnswer {
  if (items.length === 0) {
    return { text: none, data: { ...data, total: 0, [name]: [] } };
  }
  const page = pageOf(items, cursor, size);
  if (!page) {
    throw unknownCursor(cursor);
  }
  const rows: string[] = [];
  let units = 0;
  for (const item of page.items) {
    const text = bounded(row(item), MAX_TEXT);
    if (rows.length > 0 && units + text.length > MAX_TEXT) {
      break;
    }
    rows.push(text);
    units += text.length + 1;
  }
  const next = Number(cursor ?? 0) + rows.length;
  const nextCursor = next < items.length ? String(next) : undefined;
  return {
    text: [head(items.length), ...rows, ...more(nextCursor)].join('\n'),
    data: { ...data, total: items.length, [name]: page.items.slice(0, rows.length) },
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

/** Returns the last line of a page that is not the last one. */
export function more(nextCursor: string | undefined): readonly string[] {
  return nextCursor === undefined ? [] : [`There are more. Call again with cursor "${nextCursor}".`];
}

export function unknownCursor(cursor: string | undefined): RetryError {
  return new RetryError(`No answer has named the cursor ${JSON.stringify(cursor)}. Leave cursor out to begin again.`);
}

/** Returns the beginning of a text, with a remark when it was cut. */
export function bounded(text: string, max = MAX_TEXT): string {
  if (text.length <= max) {
    return text;
  }
  const kept = text.slice(0, max).toWellFormed();
  return `${kept}\n[… ${text.length - max} more characters]`;
}

/** Returns the end of a text, with a remark when it was cut. */
export function tailOf(text: string, max = MAX_TEXT): string {
  if (text.length <= max) {
    return text;
  }
  return `[… ${text.length - max} characters before]\n${text.slice(-max).toWellFormed()}`;
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
