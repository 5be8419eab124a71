/** The user of a program that has connected to this window over loopback. */
import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

/** The ends of a connection, as a `Socket` has them. */
export interface Ends {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
}

const LOOPBACK = endianness() === 'LE' ? '0100007F' : '7F000001';
const ROOT = 0;

/**
 * Returns false when Linux names another user than this one and root. Other systems do not name the user: there the answer is true.
 * @param table the path of the table of connections, by tests
 */
export async function isOfThisUser({ remoteAddress, remotePort, localPort }: Ends, table = '/proc/net/tcp'): Promise<boolean> {
  if (process.platform !== 'linux' || remoteAddress !== '127.0.0.1' || remotePort === undefined || localPort === undefined) {
    return true;
  }
  const text = await readFile(table, 'latin1').catch(() => '');
  const [from, to] = [remotePort, localPort].map((port) => `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`);
  for (const line of text.split('\n')) {
    // sl, local_address, rem_address, st, tx_queue:rx_queue, tr:tm->when, retrnsmt, uid
    const [, local, remote, , , , , uid] = line.trim().split(/\s+/);
    if (local === from && remote === to) {
      return Number(uid) === process.getuid?.() || Number(uid) === ROOT;
    }
  }
  // A kernel without the table, or a connection that has ended.
  return true;
}
