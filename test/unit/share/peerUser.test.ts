/** The user of a program that connects on this machine. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { endianness } from 'node:os';
import type { IncomingHttpHeaders } from 'node:http';
import { Accesses } from '../../../src/share/accesses';
import { Admission } from '../../../src/share/admission';
import { Attempts } from '../../../src/share/attempts';
import { isOtherUser } from '../../../src/share/peerUser';

const ENDS = { remoteAddress: '127.0.0.1', remotePort: 50_000, localAddress: '127.0.0.1', localPort: 40_000 };
const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

describe('a program on this machine', () => {
  before(function () {
    if (process.platform !== 'linux' || endianness() !== 'LE') {
      this.skip();
    }
  });
  const own = process.getuid?.() ?? 0;
  const line = (local: string, remote: string, state: string, user: number): string =>
    `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${user}        0 12345 1 0000000000000000 20 4 30 10 -1`;
  const there = '0100007F:C350';
  const here = '0100007F:9C40';
  const decide = (lines: readonly string[], ends: Parameters<typeof isOtherUser>[0] = ENDS): boolean =>
    isOtherUser(ends, (table) => (table.endsWith('tcp') ? [HEAD, ...lines].join('\n') : HEAD));

  it('belongs to this user or to root', () => {
    assert.equal(decide([line(there, here, '01', own)]), false);
    assert.equal(decide([line(there, here, '01', 0)]), false);
    const mapped = (address: string): string => `0000000000000000FFFF0000${address}`;
    assert.equal(decide([line(mapped(there), mapped(here), '01', own)]), false);
  });

  it('belongs to another user in all other cases', () => {
    assert.equal(decide([line(there, here, '01', 4242)]), true);
    assert.equal(decide([]), true, 'no such connection');
    assert.equal(decide([line(here, there, '01', own)]), true, 'only the end of the server');
    assert.equal(decide([line(there, here, '04', 0)]), true, 'closed by its program');
    assert.equal(decide([line('0200007F:C350', here, '01', own), line(there, here, '01', 4242)]), true, 'from another address');
    assert.equal(decide([line(there, '0200007F:9C40', '01', own)]), true, 'to another address');
    assert.equal(decide([line(there, here, '01', own)], { ...ENDS, remoteAddress: undefined }), true);
    assert.equal(decide(['garbage', '']), true);
  });

  it('is not known where the system has no tables', () => {
    const missing = (): never => {
      throw new Error('ENOENT');
    };
    assert.equal(isOtherUser(ENDS, missing), false);
  });

  it('is known of a real connection', async function () {
    const results: boolean[] = [];
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      results.push(isOtherUser(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const connect = (user: number | undefined): Promise<void> =>
      new Promise((resolve) => {
        const script = `const s = require('net').connect(${port}, '127.0.0.1'); s.on('error', () => {}); setTimeout(() => process.exit(), 300);`;
        spawn(process.execPath, ['-e', script], { cwd: '/', ...(user !== undefined && { uid: user }) }).on('exit', () => resolve());
      });
    await connect(undefined);
    assert.deepEqual(results, [false]);
    // Only root can start a program as another user.
    if (own === 0) {
      await connect(4242);
      assert.deepEqual(results, [false, true]);
    }
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('the admission after a reload', () => {
  const accesses = new Accesses();
  const { token } = accesses.issue('answer', 0);
  const headers = (bearer: string): IncomingHttpHeaders => ({ host: '127.0.0.1:1', authorization: `Bearer ${bearer}` });
  const decide = (isOwnOnly: boolean, bearer = token) =>
    new Admission(accesses, new Attempts(() => 0), false, isOwnOnly).decide({
      url: '/acp',
      headers: headers(bearer),
      address: '127.0.0.1',
      isOtherUser: () => true,
    });

  it('refuses a token in the hands of another user of this machine', () => {
    assert.deepEqual(decide(true), { status: 403, reason: 'a program of another user' });
    assert.equal((decide(true, `${token.slice(0, -1)}_`) as { status: number }).status, 401, 'a stranger learns nothing of the user');
    assert.equal((decide(false) as { right: string }).right, 'answer', 'as long as no one else can have had the port');
  });
});
