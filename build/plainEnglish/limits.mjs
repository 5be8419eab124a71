/** The counts of findings, beside their limits. */

/**
 * @typedef {import('./prose.mjs').Finding | import('./names.mjs').DeadName} AnyFinding
 * @typedef {{ comments: number, titles: number, markdown: number, names: number }} Counts
 */

/** @type {Readonly<Record<import('./prose.mjs').Finding['kind'], keyof Counts>>} */
const COUNTED_AS = { comment: 'comments', title: 'titles', markdown: 'markdown' };

/**
 * Returns the limit that counts the finding.
 * @param {AnyFinding} finding
 * @returns {keyof Counts}
 */
export function countedAs(finding) {
  return 'name' in finding ? 'names' : COUNTED_AS[finding.kind];
}

/**
 * @param {readonly AnyFinding[]} findings
 * @returns {Counts}
 */
export function countsOf(findings) {
  const counts = { comments: 0, titles: 0, markdown: 0, names: 0 };
  for (const finding of findings) counts[countedAs(finding)]++;
  return counts;
}

/**
 * Returns the kinds whose count is above the limit. A kind without a limit has the limit 0.
 * @param {Counts} counts
 * @param {Partial<Counts>} limits
 */
export function overLimit(counts, limits) {
  return /** @type {(keyof Counts)[]} */ (Object.keys(counts)).filter((kind) => counts[kind] > (limits[kind] ?? 0));
}

/** @param {AnyFinding} finding */
export function sentenceOf(finding) {
  const place = `${finding.file}:${finding.line}`;
  return 'name' in finding ? `${place} [dead ${finding.what}] ${finding.name}` : `${place} [${finding.reasons.join('; ')}] ${finding.text}`;
}
