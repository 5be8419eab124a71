/** The user at the other end of a connection within this machine. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { endianness } from 'node:os';

/** The ends of a connection, as one of its programs sees them. */
export interface ConnectionEnds {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/** Returns a table of the kernel. */
type ReadTable = (table: string) => string;

/** A socket as a table lists it. */
interface Row {
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  readonly user: number;
}

/** The tables of the kernel with the user of each socket. A program can reach an IPv4 address through a socket of either kind. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** The state of a socket that its program has not closed. The user of a closed one is reported as 0. */
const ESTABLISHED = '01';
const LISTENING = '0A';
const ROOT = 0;
/** The start of an IPv6 address that represents one of IPv4, as the kernel writes it. */
const MAPPED = `${'0'.repeat(16)}${endianness() === 'LE' ? 'FFFF0000' : '0000FFFF'}`;
/** The address `::1`. */
const LOOPBACK6 = `${'0'.repeat(24)}${endianness() === 'LE' ? '01000000' : '00000001'}`;
/** The addresses of sockets that listen at each address of this machine. */
const EVERYWHERE = ['0'.repeat(8), '0'.repeat(32)];

/**
 * True when the program that has connected belongs to neither this user nor root. Only Linux says whose a socket is; elsewhere the result is false.
 * @param ends as the server sees them, on loopback
 */
export function isOtherUser(ends: ConnectionEnds, read: ReadTable = readTable): boolean {
  const own = ownUser();
  const rows = own === undefined ? undefined : rowsOf(read);
  return rows !== undefined && !usersOf(rows, ends).some((user) => user === own || user === ROOT);
}

/**
 * True when the server belongs to neither this user nor root. False where the system does not say it.
 * @param ends as the client sees them, on loopback
 */
export function isServerOfOther(ends: ConnectionEnds, read: ReadTable = readTable): boolean {
  const own = ownUser();
  const rows = own === undefined ? undefined : rowsOf(read);
  if (!rows) {
    return false;
  }
  const isOther = (user: number): boolean => user !== own && user !== ROOT;
  const users = usersOf(rows, ends);
  if (users.some(isOther) || (own !== ROOT && users.includes(own!))) {
    return users.some(isOther);
  }
  // The kernel may name root for a connection that its server has not accepted, so the socket that listens counts.
  const there = endOf(ends.remoteAddress, ends.remotePort);
  const port = there?.slice(there.indexOf(':'));
  const listening = rows.filter(({ state }) => state === LISTENING);
  const exact = listening.filter(({ local }) => isEnd(local, there));
  const servers = exact.length > 0 ? exact : listening.filter(({ local }) => EVERYWHERE.some((address) => local === `${address}${port}`));
  return servers.some(({ user }) => isOther(user));
}

function ownUser(): number | undefined {
  return process.platform === 'linux' ? process.getuid?.() : undefined;
}

function readTable(table: string): string {
  return readFileSync(table, 'latin1');
}

/** Undefined where the system has no tables. */
function rowsOf(read: ReadTable): Row[] | undefined {
  const texts = TABLES.flatMap((table) => textOf(table, read));
  return texts.length === 0 ? undefined : texts.flatMap((text) => text.split('\n').flatMap(rowIn));
}

function textOf(table: string, read: ReadTable): string[] {
  try {
    return [read(table)];
  } catch {
    return [];
  }
}

function rowIn(line: string): Row[] {
  // sl, local address, remote address, state, queues, timer, retransmissions, user
  const [, local, remote, state, , , , user] = line.trim().split(/\s+/);
  return local && remote && state && user !== undefined ? [{ local, remote, state, user: Number(user) }] : [];
}

/** The users of the other end. */
function usersOf(rows: readonly Row[], ends: ConnectionEnds): number[] {
  const [there, here] = [endOf(ends.remoteAddress, ends.remotePort), endOf(ends.localAddress, ends.localPort)];
  return rows
    .filter(({ local, remote, state }) => state === ESTABLISHED && isEnd(local, there) && isEnd(remote, here))
    .map(({ user }) => user);
}

/** True when a table lists this address, also in the form of IPv6. */
function isEnd(listed: string, end: string | undefined): boolean {
  return end !== undefined && (listed === end || listed === MAPPED + end);
}

/** Returns an address of IPv4 or of loopback, and its port, as the kernel writes them: the bytes in their order in memory. */
function endOf(address: string | undefined, port: number | undefined): string | undefined {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '');
  if (plain === undefined || port === undefined || (isIP(plain) !== 4 && plain !== '::1')) {
    return undefined;
  }
  const digits = port.toString(16).padStart(4, '0').toUpperCase();
  if (plain === '::1') {
    return `${LOOPBACK6}:${digits}`;
  }
  const bytes = Buffer.from(plain.split('.').map(Number));
  const word = endianness() === 'LE' ? bytes.reverse() : bytes;
  return `${word.toString('hex').toUpperCase()}:${digits}`;
}
