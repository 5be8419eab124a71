/** The size limit of journals. */

/** The default of the setting for one session's journal, in MB. */
export const DEFAULT_MAX_JOURNAL_MEGABYTES = 200;
const MAX_MEGABYTES = 100_000;
const MEGABYTE = 1024 * 1024;

/** The bytes of the setting `acpHost.journal.maxSize`: the nearest possible value, and the default when it is not a number. */
export function journalLimitOf(megabytes: unknown): number {
  const number = typeof megabytes === 'number' && !Number.isNaN(megabytes) ? megabytes : DEFAULT_MAX_JOURNAL_MEGABYTES;
  return Math.min(Math.max(number, 1), MAX_MEGABYTES) * MEGABYTE;
}
