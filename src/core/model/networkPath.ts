/**
 * Whether a path is another machine's, by its text alone. Only asking whether such a file is there makes the system connect to that machine and
 * tell it who the user is, so this comes before anything that looks at a disk. Pure.
 */

/** More of `/net/host` and the like: folders below which Linux and macOS mount what other machines share, by being asked. */
const MOUNTED_ON_DEMAND = /^\/(?:net|Network\/Servers)\/+([^/]+)/;
const SHARE = /^[\\/]{2,}([^\\/]+)(?:[\\/]+([^\\/]*))?/;
/** Stands for what nobody's folder is on. */
const NOWHERE = '//?';
/** `\\?\`, `\\.\` and `\??\` go round the rules of names. */
const DEVICE = /^(?:[\\/]{2,}[.?]|[\\/]\?\?)(?:[\\/]+|$)/;

/**
 * The share that a path or a `file:` address is on, in a form that can be compared: `//host/share`, `/net/host`, or `//?` for a device
 * and for what is no clear address. Undefined for what is on this machine. Both kinds of slashes count, on every system.
 */
export function networkShareOf(path: string): string | undefined {
  if (/^file:/i.test(path)) {
    return shareOfAddress(path);
  }
  const device = DEVICE.exec(path)?.[0];
  if (device !== undefined) {
    const rest = path.slice(device.length);
    const share = /^UNC[\\/]+/i.exec(rest)?.[0];
    return (share !== undefined && networkShareOf(`//${rest.slice(share.length)}`)) || NOWHERE;
  }
  const [, host, share = ''] = SHARE.exec(path) ?? [];
  if (host !== undefined) {
    const name = host.toLowerCase().replace(/\.$/, '');
    // Two names of one place.
    return `//${name === 'wsl$' ? 'wsl.localhost' : name}/${share.toLowerCase()}`;
  }
  const mounted = MOUNTED_ON_DEMAND.exec(path)?.[1];
  return mounted === undefined ? undefined : `/net/${mounted.toLowerCase()}`;
}

/** On a network share that none of `own` is on: the folders that the user works in, by name and by real path. */
export function isForeignShare(path: string, own: readonly string[]): boolean {
  const share = networkShareOf(path);
  return share === NOWHERE || (share !== undefined && !own.some((folder) => networkShareOf(folder) === share));
}

/** As browsers read it: a backslash is a slash. What is no clear address counts as another machine's. */
function shareOfAddress(address: string): string | undefined {
  const rest = address
    .slice('file:'.length)
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/');
  const host = /^\/\/([^/]*)/.exec(rest);
  try {
    const path = decodeURIComponent(host ? rest.slice(host[0].length) : rest);
    return host?.[1] && host[1].toLowerCase() !== 'localhost'
      ? networkShareOf(`//${decodeURIComponent(host[1])}${path}`)
      : networkShareOf(path);
  } catch {
    return NOWHERE;
  }
}
