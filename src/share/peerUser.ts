/** The user at the other end of a connection within this machine. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { endianness } from 'node:os';

/** The ends of a connection, as the server sees them. */
export interface ConnectionEnds {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/** The tables of the kernel with the user of each socket. A program can reach an IPv4 address through a socket of either kind. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** The state of a socket that its program has not closed. The user of a closed one is reported as 0. */
const ESTABLISHED = '01';
const ROOT = 0;
/** The start of an IPv6 address that represents one of IPv4, as the kernel writes it. */
const MAPPED = `${'0'.repeat(16)}${endianness() === 'LE' ? 'FFFF0000' : '0000FFFF'}`;

/**
 * True when the program at the other end belongs to neither this user nor root. Only Linux says whose a socket is; elsewhere the result is false.
 * @param ends of IPv4 @param read returns a table of the kernel
 */
export function isOtherUser(ends: ConnectionEnds, read: (table: string) => string = (table) => readFileSync(table, 'latin1')): boolean {
  const own = process.platform === 'linux' ? process.getuid?.() : undefined;
  const tables = own === undefined ? [] : TABLES.flatMap((table) => textOf(table, read));
  if (tables.length === 0) {
    return false;
  }
  const [there, here] = [endOf(ends.remoteAddress, ends.remotePort), endOf(ends.localAddress, ends.localPort)];
  const users = tables.flatMap((text) =>
    text.split('\n').flatMap((line) => {
      // sl, local address, remote address, state, queues, timer, retransmissions, user
      const [, local, remote, state, , , , user] = line.trim().split(/\s+/);
      return isEnd(local, there) && isEnd(remote, here) && state === ESTABLISHED ? [Number(user)] : [];
    }),
  );
  return !users.some((user) => user === own || user === ROOT);
}

function textOf(table: string, read: (table: string) => string): string[] {
  try {
    return [read(table)];
  } catch {
    return [];
  }
}

/** True when a table lists this address, also in the form of IPv6. */
function isEnd(listed: string | undefined, end: string | undefined): boolean {
  return end !== undefined && (listed === end || listed === MAPPED + end);
}

/** Returns an address of IPv4 and its port as the kernel writes them: the bytes in their order in memory. */
function endOf(address: string | undefined, port: number | undefined): string | undefined {
  if (address === undefined || port === undefined || isIP(address) !== 4) {
    return undefined;
  }
  const bytes = Buffer.from(address.split('.').map(Number));
  const word = endianness() === 'LE' ? bytes.reverse() : bytes;
  return `${word.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}
