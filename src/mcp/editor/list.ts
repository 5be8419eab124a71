/** Lists in answers: rows of `file:line` and a preview, a page at a time. */
import { z } from 'zod';
import type { Place, TextPort } from './language';
import { SessionFiles, type SessionFile } from './files';
import { fitting } from './answer';
import { pageOf } from './paging';
import { columnOf, previewOf, splitLines, type Position } from './position';
import { RetryError } from './retry';
import type { ToolAnswer, ToolContext, ToolSession } from './tool';

export const cursorField = z.string().max(20).optional().describe('The cursor that the answer before gave, for the next page.');

/** A row of an answer as data. */
export interface Row {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in characters. */
  readonly column: number;
  readonly preview?: string;
}

/** Thrown when the time of a call has expired. The tool answers with what it has. */
class Late extends Error {}

/**
 * Waits for `work`, at most until the call ends.
 * @returns undefined when the call's time has expired
 * @throws when the call was cancelled
 */
export async function untilLate<T>(context: ToolContext, work: Promise<T>): Promise<T | undefined> {
  const { signal } = context;
  let stop: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    stop = () => reject(context.timedOut ? new Late() : new Error('Cancelled'));
    signal.addEventListener('abort', stop);
  });
  ended.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await (signal.aborted ? (stop?.(), ended) : Promise.race([work, ended]));
  } catch (error) {
    if (error instanceof Late) {
      return undefined;
    }
    throw error;
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}

/** Returns a function that lets other work run when more than `slice` ms have passed since it last did. */
export function pacer(slice = 8): () => Promise<void> | undefined {
  let start = performance.now();
  return () => {
    if (performance.now() - start < slice) {
      return undefined;
    }
    return new Promise((resolve) =>
      setImmediate(() => {
        start = performance.now();
        resolve();
      }),
    );
  };
}

/** The texts of the files of one call, read once. */
export class Previews {
  private readonly lines = new Map<string, Promise<readonly string[] | undefined>>();
  private readonly hidden = new Map<string, Promise<boolean>>();

  constructor(
    readonly files: SessionFiles,
    private readonly port: TextPort,
    private readonly session: ToolSession,
  ) {}

  /** Returns the row of a place. Files outside the session's folders, and protected ones, have no preview. */
  async rowOf({ path, range: { start } }: Pick<Place, 'path'> & { readonly range: { readonly start: Position } }): Promise<Row> {
    const line = (await this.linesOf(path))?.[start.line];
    return {
      file: this.files.shown(path),
      line: start.line + 1,
      column: line === undefined ? start.character + 1 : columnOf(line, start.character),
      ...(line !== undefined && { preview: previewOf(line) }),
    };
  }

  /** True for a file that is protected from the session's agent. */
  isHidden(path: string): Promise<boolean> {
    const known = this.hidden.get(path) ?? this.port.isHidden(this.session, path);
    this.hidden.set(path, known);
    return known;
  }

  private linesOf(path: string): Promise<readonly string[] | undefined> {
    const known = this.lines.get(path) ?? this.read(path);
    this.lines.set(path, known);
    return known;
  }

  private async read(path: string): Promise<readonly string[] | undefined> {
    if ((await this.files.realInside(path)) === undefined || (await this.isHidden(path))) {
      return undefined;
    }
    const text = await this.port.peek(path);
    return text === undefined ? undefined : splitLines(text);
  }
}

/** Returns `file:line:column`, with the preview where there is one. */
export function rowText({ file, line, column, preview }: Row): string {
  return `${file}:${line}:${column}${preview === undefined || preview === '' ? '' : `  ${preview}`}`;
}

export interface ListOptions<T> {
  /** The first line of the text. */
  readonly head: string;
  readonly items: readonly T[];
  readonly cursor: string | undefined;
  readonly size: number;
  render(item: T): Promise<{ readonly text: string; readonly data: Readonly<Record<string, unknown>> }>;
}

/** Returns a page of a list. It has fewer rows than `size` when they are long, and when the call's time expires. */
export async function listAnswer<T>(context: ToolContext, { head, items, cursor, size, render }: ListOptions<T>): Promise<ToolAnswer> {
  const page = pageOf(items, cursor, size);
  if (!page) {
    throw new RetryError(`No such cursor: ${cursor}. Use the cursor of the answer before, or none for the first page.`);
  }
  const texts: string[] = [];
  const rows: Readonly<Record<string, unknown>>[] = [];
  const rest = pacer();
  // The files of a page are read side by side.
  const rendered = page.items.map((item) => render(item));
  rendered.forEach((each) => each.catch(() => undefined));
  for (const each of rendered) {
    const row = await untilLate(context, each);
    if (!row) {
      break;
    }
    texts.push(row.text);
    rows.push(row.data);
    await rest();
  }
  const count = Math.max(Math.min(1, texts.length), fitting([head, ...texts]) - 1);
  texts.splice(count);
  rows.splice(count);
  const start = Number(cursor ?? 0);
  const end = start + rows.length;
  const isPart = start > 0 || end < items.length;
  const shown = isPart && rows.length > 0 ? ` Shown: ${start + 1} to ${end}.` : '';
  return {
    text: [`${head}${shown}`, ...texts].join('\n'),
    data: { total: items.length, items: rows },
    ...(end < items.length && { nextCursor: String(end) }),
  };
}

/** A file that a tool's input names, opened in the editor. */
export interface OpenedFile {
  readonly files: SessionFiles;
  readonly file: SessionFile;
  readonly text: string;
  readonly isDirty: boolean;
  readonly isBehind: boolean;
}

/** Opens the file that `name` means. @throws RetryError when the agent may not read it, or the editor cannot open it */
export async function openFile(context: ToolContext, port: TextPort, name: string): Promise<OpenedFile> {
  const files = await SessionFiles.of(context.session.roots);
  const file = await files.resolve(name, 'file');
  if (await port.isHidden(context.session, file.path)) {
    throw new RetryError(
      `${file.shown} is protected by the user's settings. Nothing of it is shown here. Read it with your own tool, for which the user is asked.`,
    );
  }
  const opening = port.open(file.path).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RetryError(`The editor cannot open ${file.shown}: ${reason.slice(0, 300)}`);
  });
  const opened = await untilLate(context, opening);
  if (!opened) {
    throw new RetryError(`The editor has not opened ${file.shown} in time. Its language server may still be starting: try again.`);
  }
  return { files, file, ...opened };
}

export const TIMED_OUT: ToolAnswer = { text: 'The language server has not answered in time. It may still be starting: try again.' };

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
