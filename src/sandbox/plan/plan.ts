/** The plan of a sandbox: what each place on the disk allows. Pure. */

/**
 * The access to a place and everything below it. `private`: an empty folder of the sandbox is there instead. `none`: reading fails. `empty`: a file
 * is there without its content, because common tools stop at a configuration file that they cannot read.
 */
export type Access = 'write' | 'read' | 'private' | 'none' | 'empty';

export interface Place {
  /** An absolute, real path. */
  readonly path: string;
  readonly access: Access;
  readonly isFolder: boolean;
  /** True when the user's own setting allows it. It then counts more than a default for the same path. */
  readonly isOwn?: boolean;
  /** True for a socket of another program, which may be gone at any time. */
  readonly isSocket?: boolean;
}

export interface SandboxPlan {
  /** One place for each path; parents come before their children. The deepest place decides. Other paths are readable. */
  readonly places: readonly Place[];
}

const STRENGTH: Readonly<Record<Access, number>> = { private: 0, write: 1, read: 2, empty: 3, none: 4 };

/** Combines places. For the same path, the user's own place counts first, then the place that allows less. */
export function planOf(places: readonly Place[]): SandboxPlan {
  const byPath = new Map<string, Place>();
  for (const place of places) {
    const known = byPath.get(place.path);
    if (!known || strengthOf(place) > strengthOf(known)) {
      byPath.set(place.path, place);
    }
  }
  const sorted = [...byPath.values()].sort((one, other) => depthOf(one.path) - depthOf(other.path) || (one.path < other.path ? -1 : 1));
  return { places: sorted.filter((place, index) => !isSuperfluous(place, sorted.slice(0, index))) };
}

/** Returns the access to a path. */
export function accessTo(path: string, { places }: SandboxPlan): Access {
  return places.findLast((place) => isWithin(path, place.path))?.access ?? 'read';
}

/** True when a place has a deeper place inside it. */
export function hasDeeper(place: Place, { places }: SandboxPlan): boolean {
  return places.some((other) => other.path !== place.path && isWithin(other.path, place.path));
}

/** True for `folder` and every path below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function strengthOf({ access, isOwn }: Place): number {
  return STRENGTH[access] + (isOwn ? 10 : 0);
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}

/**
 * True for a place that the nearest one above makes superfluous. A default makes a place read-only only inside a writable one: a link with a protected
 * name must not open a place below an unreadable folder. A folder that may be written stays, so that it cannot be renamed.
 */
function isSuperfluous({ path, access, isOwn }: Place, before: readonly Place[]): boolean {
  const above = before.findLast((other) => isWithin(path, other.path))?.access ?? 'read';
  return access === 'read'
    ? isOwn
      ? above === 'read'
      : above !== 'write'
    : access !== 'write' && access !== 'private' && access === above;
}
