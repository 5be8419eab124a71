/** The counts of findings, beside their limits. */

/**
 * @typedef {import('./prose.mjs').Finding | import('./names.mjs').DeadName} AnyFinding
 * @typedef {{ comments: number, titles: number, markdown: number, names: number }} Counts
 */

/**
 * @param {readonly AnyFinding[]} findings
 * @returns {Counts}
 */
export function countsOf(findings) {
  const prose = (/** @type {string} */ kind) => findings.filter((finding) => 'kind' in finding && finding.kind === kind).length;
  return {
    comments: prose('comment'),
    titles: prose('title'),
    markdown: prose('markdown'),
    names: findings.filter((finding) => 'name' in finding).length,
  };
}

/**
 * Returns the kinds whose count is above the limit, with both numbers. A kind without a limit has the limit 0.
 * @param {Counts} counts
 * @param {Partial<Counts>} limits
 */
export function overLimit(counts, limits) {
  return Object.entries(counts)
    .filter(([kind, count]) => count > (limits[/** @type {keyof Counts} */ (kind)] ?? 0))
    .map(([kind, count]) => `${kind} (${count}, ${limits[/** @type {keyof Counts} */ (kind)] ?? 0} allowed)`);
}

/** @param {AnyFinding} finding */
export function sentenceOf(finding) {
  const place = `${finding.file}:${finding.line}`;
  return 'name' in finding ? `${place} [dead ${finding.what}] ${finding.name}` : `${place} [${finding.reasons.join('; ')}] ${finding.text}`;
}
