/** Finds web addresses in a command's output and makes them links. */
import { CJK_PUNCTUATION } from '../../../src/text/characters/cjk';
import type { StyledRun } from './sgr';

/** UTF-16 units of a line that are searched, and of an address. */
const MAX_RUN = 4000;
const ADDRESS = /\bhttps?:\/\/[^\s"'`<>\u2500-\u259f]{1,2000}/gi;

/** The ranges of addresses in `text`, in order: `[start, end)`. */
export function addressesIn(text: string): readonly (readonly [start: number, end: number])[] {
  if (text.length > MAX_RUN || !text.includes('://')) {
    return [];
  }
  return [...text.matchAll(ADDRESS)].flatMap(({ 0: match, index }) => {
    const cjk = match.search(CJK_PUNCTUATION);
    const address = withoutEnd(cjk < 0 ? match : match.slice(0, cjk));
    return /:\/\/[\p{L}\p{N}[]/u.test(address) ? [[index, index + address.length] as const] : [];
  });
}

/** Removes punctuation at the end, and closing brackets whose opening one is before the address. */
function withoutEnd(address: string): string {
  const open = new Map([...')]}'].map((closing) => [closing, count(address, OPENING[closing]!) - count(address, closing)]));
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    const excess = open.get(last);
    if (excess === undefined ? !/[.,;:!?*_~]/.test(last) : excess >= 0) {
      break;
    }
    if (excess !== undefined) {
      open.set(last, excess + 1);
    }
  }
  return address.slice(0, end);
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** Neighbouring runs of a line. Together they form `address`, which is undefined for other text. */
export interface LinePart {
  readonly runs: readonly StyledRun[];
  readonly address: string | undefined;
}

/** Splits a line at its addresses. An address may span several runs: servers print the port in bold. */
export function lineParts(runs: readonly StyledRun[]): readonly LinePart[] {
  const text = runs.map((run) => run.text).join('');
  const places = addressesIn(text);
  if (places.length === 0) {
    return [{ runs, address: undefined }];
  }
  const bounds = [...places.flatMap(([start, end]) => [start, end]), text.length];
  let from = 0;
  const parts = bounds.map((end, index) => {
    const part = { runs: runsBetween(runs, from, end), address: index % 2 === 1 ? text.slice(from, end) : undefined };
    from = end;
    return part;
  });
  return parts.filter((part) => part.runs.length > 0);
}

/** The runs of a line from `start` to before `end`, in UTF-16 units of the line. */
function runsBetween(runs: readonly StyledRun[], start: number, end: number): readonly StyledRun[] {
  let at = 0;
  return runs.flatMap((run) => {
    const text = run.text.slice(Math.max(0, start - at), Math.max(0, end - at));
    at += run.text.length;
    return text === '' ? [] : [{ ...run, text }];
  });
}
