/** Pages of long results. A cursor is the position of the next item, so that a page needs no memory of the call before. */

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Undefined for the last page. */
  readonly nextCursor: string | undefined;
}

/** Returns a page, or undefined for a cursor that no page has named. */
export function pageOf<T>(items: readonly T[], cursor: string | undefined, size: number): Page<T> | undefined {
  const start = cursor === undefined ? 0 : /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (!(start <= items.length)) {
    return undefined;
  }
  const end = start + size;
  return { items: items.slice(start, end), total: items.length, nextCursor: end < items.length ? String(end) : undefined };
}
