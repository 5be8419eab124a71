/** Shares of other machines in a command line. Windows signs in to a machine before it reads a file there. Pure. */
import type { CommandSegment } from './reading';

/** A share at the start of a word, behind a sign, or behind the name of a parameter or of a provider. `//` behind a colon is an address of the web. */
const SHARE = /^(?:[\\/]{2}|[\\/]\?\?)[^\s]|[=,;"'][\\/]{2}[^\\/\s]|:\\[\\/][^\\/\s]|::[\\/]{2}/;

/** True when a word or a redirection names a share of another machine, or a device. */
export function hasShare({ words, redirections, inner }: CommandSegment): boolean {
  return (
    [...words, ...redirections.map(({ target }) => target)].some((word) => word !== undefined && SHARE.test(word)) || inner.some(hasShare)
  );
}
