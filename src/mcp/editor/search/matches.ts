/** ripgrep's JSON messages, read as matches. Pure. */
import { columnOf, splitLines } from '../position';

/** A line with a match. */
export interface LineMatch {
  /** The name that ripgrep gives, relative to the searched folder. */
  readonly path: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The first line of the match. */
  readonly text: string;
  /** The UTF-16 offset of the match in `text`. */
  readonly start: number;
}

interface Message {
  readonly type: string;
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly start: number }[];
  };
}

type Text = { readonly text: string } | { readonly bytes: string };

/** Returns the match of a message, or undefined for other messages. */
export function matchOf(json: string): LineMatch | undefined {
  if (!json.startsWith('{"type":"match"')) {
    return undefined;
  }
  const { data } = JSON.parse(json) as Message;
  const path = data.path && 'text' in data.path ? data.path.text : undefined;
  if (path === undefined || typeof data.line_number !== 'number' || !data.lines) {
    return undefined;
  }
  const bytes = 'text' in data.lines ? Buffer.from(data.lines.text) : Buffer.from(data.lines.bytes, 'base64');
  const before = bytes.subarray(0, data.submatches?.[0]?.start ?? 0).toString('utf8');
  const skipped = splitLines(before);
  const text = splitLines(bytes.toString('utf8'))[skipped.length - 1] ?? '';
  const start = skipped.at(-1)!.length;
  return { path: plain(path), line: data.line_number + skipped.length - 1, column: columnOf(text, start), text, start };
}

/** Returns ripgrep's name of a file without the folder that was given to it. */
export function plain(path: string): string {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return slashed.startsWith('./') ? slashed.slice(2) : slashed;
}
