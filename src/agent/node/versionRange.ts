/** Versions of Node.js, and the ranges of `engines.node`. Reads the forms that packages use; an unknown form counts as satisfied. Pure. */

/** Major, minor and patch. */
export type Version = readonly [number, number, number];

interface Comparator {
  readonly operator: '>=' | '>' | '<' | '<=' | '=';
  readonly version: Version;
}

const PART = /^(?:[vV=]?(\d+)(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:[-+][\w.+-]*)?|[xX*])$/;

/** Reads for example `v22.1.0`. */
export function parseVersion(text: string): Version | undefined {
  const found = /^[vV]?(\d+)\.(\d+)\.(\d+)/.exec(text.trim());
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : undefined;
}

export function versionText(version: Version): string {
  return version.join('.');
}

/** Negative when `one` is older. */
export function compareVersions(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

/** True when `version` is in `range`, such as `^20.17 || >=22.9`. */
export function satisfies(version: Version, range: string): boolean {
  const sets = range.split('||').map(comparatorsOf);
  return sets.some((set) => set === undefined || set.every((each) => isMet(version, each)));
}

/** Returns the first version of the newest part of a range, without zeros at its end: `22.9` for `^20.17 || >=22.9`. Undefined without one. */
export function minimumOf(range: string): string | undefined {
  const minimums = range.split('||').flatMap((set) => {
    const starts = (comparatorsOf(set) ?? []).filter(({ operator }) => operator === '>=' || operator === '>' || operator === '=');
    return starts.map(({ version }) => version);
  });
  const newest = minimums.sort(compareVersions).at(-1);
  return newest && versionText(newest).replace(/(?:\.0)+$/, '');
}

/** Returns undefined for a set that cannot be read. */
function comparatorsOf(set: string): readonly Comparator[] | undefined {
  const text = set.trim().replace(/([<>=^~])\s+/g, '$1');
  const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(text);
  if (hyphen) {
    const [from, to] = [rangeOf(hyphen[1]!), rangeOf(hyphen[2]!)];
    return from && to && [{ operator: '>=', version: from.from }, ...upTo(to.before)];
  }
  const result: Comparator[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const [, sign = '', rest = ''] = /^(>=|<=|>|<|=|\^|~>?)?(.*)$/.exec(word)!;
    const range = rangeOf(rest);
    if (!range) {
      return undefined;
    }
    result.push(...comparators(sign, range));
  }
  return result;
}

/** The versions that a part such as `22.x` means: from the first, up to but not including the second. */
interface PartRange {
  readonly from: Version;
  /** Undefined for `*`. */
  readonly before?: Version;
  readonly minorIsGiven: boolean;
  readonly patchIsGiven: boolean;
}

function rangeOf(text: string): PartRange | undefined {
  const found = PART.exec(text);
  if (!found) {
    return undefined;
  }
  const [major, minor, patch] = [found[1], found[2], found[3]].map((each) =>
    each === undefined || /\D/.test(each) ? undefined : Number(each),
  );
  if (major === undefined) {
    return { from: [0, 0, 0], minorIsGiven: false, patchIsGiven: false };
  }
  const before: Version = minor === undefined ? [major + 1, 0, 0] : patch === undefined ? [major, minor + 1, 0] : [major, minor, patch + 1];
  return { from: [major, minor ?? 0, patch ?? 0], before, minorIsGiven: minor !== undefined, patchIsGiven: patch !== undefined };
}

function comparators(sign: string, range: PartRange): readonly Comparator[] {
  const { from, before, minorIsGiven } = range;
  const atLeast: Comparator = { operator: '>=', version: from };
  switch (sign) {
    case '>=':
      return [atLeast];
    case '>':
      return before ? [{ operator: '>=', version: before }] : [];
    case '<':
      return [{ operator: '<', version: from }];
    case '<=':
      return upTo(before);
    case '^':
      return [atLeast, { operator: '<', version: afterCaret(range) }];
    case '~':
    case '~>':
      return [atLeast, { operator: '<', version: minorIsGiven ? [from[0], from[1] + 1, 0] : [from[0] + 1, 0, 0] }];
    default:
      return [atLeast, ...upTo(before)];
  }
}

/** The first version with another leftmost number that is not 0, or after the given numbers when all are. */
function afterCaret({ from: [major, minor, patch], minorIsGiven, patchIsGiven }: PartRange): Version {
  if (major > 0 || !minorIsGiven) {
    return [major + 1, 0, 0];
  }
  return minor > 0 || !patchIsGiven ? [0, minor + 1, 0] : [0, 0, patch + 1];
}

function upTo(before: Version | undefined): readonly Comparator[] {
  return before ? [{ operator: '<', version: before }] : [];
}

function isMet(version: Version, { operator, version: other }: Comparator): boolean {
  const order = compareVersions(version, other);
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '=':
      return order === 0;
  }
}
