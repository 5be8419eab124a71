/** The order of the rows that a word behind an `@` finds: files first, and symbols of the workspace where the list shows them. Pure. */
import { MAX_MENTION_ROWS, type MentionRow } from '../../core/protocol/channels/mentions';
import { rankOf } from '../editor/fileGlobs';

/** Files before the symbols: the list shows about ten rows, and loose matches of files could fill it many times over. */
const FIRST_FILES = 5;

export interface FoundRows {
  /** The document in front, its problems, and categories. */
  readonly before: readonly MentionRow[];
  readonly files: readonly MentionRow[];
  readonly symbols: readonly MentionRow[];
  readonly conversations: readonly MentionRow[];
}

/** Returns the rows in their order, each file once. */
export function mixedRows({ before, files, symbols, conversations }: FoundRows): MentionRow[] {
  const room = MAX_MENTION_ROWS - before.length - symbols.length - conversations.length;
  const known = new Set(before.map(fileOf));
  const shown = files.filter((row) => fileOf(row) === undefined || !known.has(fileOf(row))).slice(0, Math.max(0, room));
  return [...before, ...shown.slice(0, FIRST_FILES), ...symbols, ...shown.slice(FIRST_FILES), ...conversations];
}

/** The URI of the whole file that the row mentions. */
function fileOf({ kind, mention }: MentionRow): string | undefined {
  return kind !== 'selection' && mention?.ref.kind === 'file' ? mention.ref.uri : undefined;
}

/**
 * The best of these symbols, each once. Symbols of the document in front are first among equals; those that match loosely must not push out what the
 * workspace has by the very name.
 */
export function rankedSymbols(own: readonly MentionRow[], all: readonly MentionRow[], text: string, limit: number): MentionRow[] {
  const isOwn = (row: MentionRow): boolean => own.some((other) => isSameSymbol(other, row));
  const rank = ({ label }: MentionRow): number => (text === '' ? 0 : rankOf(label, text));
  return [...own, ...all.filter((row) => !isOwn(row))].toSorted((a, b) => rank(b) - rank(a)).slice(0, limit);
}

function isSameSymbol(a: MentionRow, b: MentionRow): boolean {
  const [one, other] = [a.mention?.ref, b.mention?.ref];
  return a.label === b.label && one?.kind === 'symbol' && other?.kind === 'symbol' && one.uri === other.uri;
}
