/** The order of versions. Registries do not all use semantic versions, so numbers are compared as numbers and anything else as text. Pure. */

/** True when `version` comes after `than`. A version with a suffix, such as `1.0.0-beta`, comes before the one without. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [partsOf(version), partsOf(than)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = compare(left[index], right[index]);
    if (order !== 0) {
      return order > 0;
    }
  }
  return false;
}

function partsOf(version: string): readonly string[] {
  return version.replace(/^v(?=\d)/i, '').replace(/\+.*$/, '').match(/\d+|[a-z]+/gi) ?? [];
}

function compare(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) {
    // A missing number counts as lower than a number, and higher than a suffix.
    const order = /^\d/.test(left ?? right ?? '') ? 1 : -1;
    return left === right ? 0 : left === undefined ? -order : order;
  }
  const areNumbers = /^\d/.test(left) && /^\d/.test(right);
  return areNumbers ? Number(left) - Number(right) : left.localeCompare(right, 'en');
}
