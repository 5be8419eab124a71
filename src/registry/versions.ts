/** The order of versions. Pure. */

/** Compares two versions by the rules of SemVer, without build metadata. @returns less than 0 when `one` is older */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  for (let index = 0; index < Math.max(a.numbers.length, b.numbers.length); index++) {
    const order = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (order !== 0) {
      return order;
    }
  }
  // A version without a suffix is newer than its previews.
  if (a.suffix.length === 0 || b.suffix.length === 0) {
    return b.suffix.length - a.suffix.length;
  }
  for (let index = 0; index < Math.max(a.suffix.length, b.suffix.length); index++) {
    const order = compareWords(a.suffix[index], b.suffix[index]);
    if (order !== 0) {
      return order;
    }
  }
  return 0;
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly suffix: readonly string[] } {
  const [core = '', ...suffix] = version.replace(/\+.*$/, '').split('-');
  return { numbers: core.split('.').map((part) => Number.parseInt(part, 10) || 0), suffix: suffix.join('-').split('.').filter(Boolean) };
}

function compareWords(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) {
    return one === other ? 0 : one === undefined ? -1 : 1;
  }
  const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (a && b) {
    return Number(one) - Number(other);
  }
  return a !== b ? (a ? -1 : 1) : one < other ? -1 : one > other ? 1 : 0;
}
