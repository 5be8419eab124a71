/** How large a journal may become. */

/** Bytes of a session's journal, unless the user says otherwise: MB. */
export const DEFAULT_MAX_JOURNAL_MEGABYTES = 200;
const MOST_MEGABYTES = 100_000;
const MEGABYTE = 1024 * 1024;

/** The bytes that the setting `acpHost.journal.maxSize` means: the nearest that is possible, the default for what is no number. */
export function journalLimitOf(megabytes: unknown): number {
  const number = typeof megabytes === 'number' && !Number.isNaN(megabytes) ? megabytes : DEFAULT_MAX_JOURNAL_MEGABYTES;
  return Math.min(Math.max(number, 1), MOST_MEGABYTES) * MEGABYTE;
}
