/** The filter of the inspector's rows. Pure. */
import type { FrameRow, RowKind } from './inspectorPage';

export interface RowFilter {
  /** `''`: all. `own`: the connection of ACP Host. Otherwise the index of a program. */
  readonly hop: string;
  readonly direction: '' | 'sent' | 'received';
  /** Empty: all. */
  readonly method: string;
  readonly sessionId: string;
  readonly onlyErrors: boolean;
  /** Empty: no search. */
  readonly query: string;
}

export const NO_FILTER: RowFilter = { hop: '', direction: '', method: '', sessionId: '', onlyErrors: false, query: '' };

const ERRORS: ReadonlySet<RowKind> = new Set(['error', 'noise', 'skipped']);

/** The facts about a row that other rows add. */
export interface RowContext {
  /** The answer to a request. */
  answerTo(id: number): FrameRow | undefined;
  isMatch(row: FrameRow): boolean;
}

/** True for a message that reports an error, and for a request that got one. */
export function isError(row: FrameRow, context: Pick<RowContext, 'answerTo'>): boolean {
  return ERRORS.has(row.kind) || (row.kind === 'request' && context.answerTo(row.id)?.kind === 'error');
}

export function passes(row: FrameRow, filter: RowFilter, context: RowContext): boolean {
  const { hop, direction, method, sessionId, onlyErrors, query } = filter;
  return (
    (hop === '' || (hop === 'own' ? row.hop === undefined : String(row.hop) === hop)) &&
    (direction === '' || (hasDirection(row) && row.isSent === (direction === 'sent'))) &&
    (method === '' || row.method === method) &&
    (sessionId === '' || row.sessionId === sessionId) &&
    (!onlyErrors || isError(row, context)) &&
    (query === '' || context.isMatch(row))
  );
}

/** False for lines that are no messages. */
export function hasDirection({ kind }: FrameRow): boolean {
  return kind !== 'stderr' && kind !== 'note';
}
