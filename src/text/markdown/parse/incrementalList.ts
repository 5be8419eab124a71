/**
 * A long list or table that may still grow. All items or rows but the last few are kept, and only the text from there on is lexed again. The result
 * equals a lex of all of it (property test). Where that is not certain, the list is lexed as a whole.
 */
import type { Token, Tokens } from 'marked';
import { earned, leftAt, START } from './lexBudget';

/** The items or rows at the end that further text may change. */
const OPEN = 3;
/** The least number of items or rows for which this pays off. */
const LONG = 12;

/** A long list or table, and the offset at which its open text begins. */
export interface IncrementalList {
  /** The blocks before it. */
  readonly before: readonly Token[];
  readonly block: Tokens.List | Tokens.Table;
  /** The number of items or rows that are kept. */
  readonly kept: number;
  /** The offsets in the tail where it begins, and where the text to lex again begins. */
  readonly start: number;
  readonly from: number;
  /** The text to put before the open text for lexing: the header of a table, or an item that keeps a loose list loose. */
  readonly head: string;
}

/** Returns the long list or table that is not closed yet, among the tokens of `tail`. `last`: the result for the same tail when it was shorter. */
export function incrementalListOf(tokens: readonly Token[], tail: string, last: IncrementalList | undefined): IncrementalList | undefined {
  // Text with a reference to a link may change as long as its definition may come.
  if (tail.includes(']:', last?.from ?? 0)) {
    return undefined;
  }
  const at = tokens.findLastIndex(
    (token) =>
      (token.type === 'list' && (token as Tokens.List).items.length >= LONG) ||
      (token.type === 'table' && (token as Tokens.Table).rows.length >= LONG),
  );
  if (at < 0) {
    return undefined;
  }
  const block = tokens[at] as Tokens.List | Tokens.Table;
  const before = tokens.slice(0, at);
  const start = before.reduce((sum, { raw }) => sum + raw.length, 0);
  const known = last?.start === start && last.block.type === block.type ? last : undefined;
  const part = block.type === 'list' ? listPart(block as Tokens.List, tail, start, known) : tablePart(block as Tokens.Table, tail, start);
  return part && { before, block, start, ...part };
}

type ListProgress = Pick<IncrementalList, 'kept' | 'from' | 'head'>;

function listPart(list: Tokens.List, tail: string, start: number, known: IncrementalList | undefined): ListProgress | undefined {
  // A line that was an item may have become part of the item before.
  const kept = Math.max(list.items.length - OPEN, known?.kept ?? 0);
  if (kept >= list.items.length) {
    return undefined;
  }
  let from = known?.from ?? start;
  for (let index = known?.kept ?? 0; index < kept; index++) {
    const { raw } = list.items[index]!;
    if (!tail.startsWith(raw, from)) {
      return undefined;
    }
    from += raw.length;
  }
  const bullet = /^ {0,3}(?:[*+-]|\d{1,9}[.)])/.exec(tail.slice(from, from + 16))?.[0];
  return bullet === undefined ? undefined : { kept, from, head: list.loose ? `${bullet} x\n\n` : '' };
}

function tablePart(table: Tokens.Table, tail: string, start: number): ListProgress | undefined {
  if (!tail.startsWith(table.raw, start)) {
    return undefined;
  }
  // A row is a line. The first two lines are the table's header.
  const bodyAt = table.raw.indexOf('\n', table.raw.indexOf('\n') + 1) + 1;
  let from = table.raw.trimEnd().length;
  for (let count = 0; count < OPEN; count++) {
    from = table.raw.lastIndexOf('\n', from - 1);
  }
  return from + 1 > bodyAt ? { kept: table.rows.length - OPEN, from: start + from + 1, head: table.raw.slice(0, bodyAt) } : undefined;
}

/** Returns the tokens of `tail`, which has grown since `growing` was found in it; undefined when all must be lexed. */
export function lexGrown(
  tail: string,
  { before, block, kept, start, from, head }: IncrementalList,
  lex: (text: string, left: number) => Token[],
): Token[] | undefined {
  if (tail.includes(']:', from)) {
    return undefined;
  }
  const left = (leftAt(block) ?? START) + earned(tail.slice(start, from)) - earned(head);
  const [first, ...after] = lex(head + tail.slice(from), left);
  const raw = tail.slice(start, from) + (first?.raw.slice(head.length) ?? '');
  if (block.type === 'table' && first?.type === 'table') {
    const table = first as Tokens.Table;
    const { header, align, rows } = block as Tokens.Table;
    return [...before, { ...table, raw, header, align, rows: [...rows.slice(0, kept), ...table.rows] }, ...after];
  }
  if (block.type !== 'list' || first?.type !== 'list') {
    return undefined;
  }
  const { loose, ordered, start: number } = block as Tokens.List;
  const list = first as Tokens.List;
  // A new item that makes the list loose changes all items.
  if (list.loose !== loose || list.ordered !== ordered) {
    return undefined;
  }
  return [
    ...before,
    { ...list, raw, start: number, items: [...(block as Tokens.List).items.slice(0, kept), ...list.items.slice(head === '' ? 0 : 1)] },
    ...after,
  ];
}
