/**
 * Decides by its text alone whether a path is on another machine. Even checking whether such a file exists connects to that machine and sends it the
 * user's name. So this check comes before any access to a disk. Pure.
 */

/** Folders such as `/net/host`, below which Linux and macOS mount the shares of other machines on access. */
const MOUNTED_ON_DEMAND = /^\/(?:net|Network\/Servers)\/+([^/]+)/;
const SHARE = /^[\\/]{2,}([^\\/]+)(?:[\\/]+([^\\/]*))?/;
/** A share that no workspace folder can be on, so such paths always count as foreign. */
const UNKNOWN_SHARE = '//?';
/** The prefixes `\\?\`, `\\.\` and `\??\`, with which the rules of file names do not apply. */
const DEVICE = /^(?:[\\/]{2,}[.?]|[\\/]\?\?)(?:[\\/]+|$)/;

/**
 * Returns the share of a path or a `file:` address in a comparable form: `//host/share`, `/net/host`, or `//?` for a device and for an ambiguous
 * address. Undefined for paths on this machine. Both kinds of slashes count, on every system.
 */
export function networkShareOf(path: string): string | undefined {
  if (/^file:/i.test(path)) {
    return shareOfAddress(path);
  }
  const device = DEVICE.exec(path)?.[0];
  if (device !== undefined) {
    const rest = path.slice(device.length);
    const share = /^UNC[\\/]+/i.exec(rest)?.[0];
    return (share !== undefined && networkShareOf(`//${rest.slice(share.length)}`)) || UNKNOWN_SHARE;
  }
  const [, host, share = ''] = SHARE.exec(path) ?? [];
  if (host !== undefined) {
    const name = host.toLowerCase().replace(/\.$/, '');
    // Both names lead to the same share.
    return `//${name === 'wsl$' ? 'wsl.localhost' : name}/${share.toLowerCase()}`;
  }
  const mounted = MOUNTED_ON_DEMAND.exec(path)?.[1];
  return mounted === undefined ? undefined : `/net/${mounted.toLowerCase()}`;
}

/** True for a network share that contains none of `own`, the folders that the user works in, by name and by real path. */
export function isForeignShare(path: string, own: readonly string[]): boolean {
  const share = networkShareOf(path);
  return share === UNKNOWN_SHARE || (share !== undefined && !own.some((folder) => networkShareOf(folder) === share));
}

/** Reads an address like browsers do: a backslash is a slash. An ambiguous address counts as another machine's. */
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
    return UNKNOWN_SHARE;
  }
}
