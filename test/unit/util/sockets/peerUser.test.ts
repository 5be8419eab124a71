/** The user of a program at the other end of a connection on this machine. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { isOtherUser, isServerOfOther } from '../../../../src/util/sockets/peerUser';

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

  describe('with a server', () => {
    const serves = (lines: readonly string[], ends: Parameters<typeof isOtherUser>[0] = ENDS): boolean =>
      isServerOfOther(ends, (table) => (table.endsWith('tcp') ? [HEAD, ...lines].join('\n') : HEAD));
    const port = there.slice(there.indexOf(':'));
    const listening = (address: string, user: number): string => line(address, '00000000:0000', '0A', user);

    it('is known by its connection', () => {
      assert.equal(serves([line(there, here, '01', 4242)]), true);
      assert.equal(serves([line(there, here, '01', 4242), listening(there, own)]), true, 'whoever listens');
      assert.equal(serves([line(there, here, '01', own), listening(there, own)]), false);
    });

    it('is known by the socket that listens, as long as it has not accepted the connection', () => {
      for (const at of [there, `00000000${port}`, `${'0'.repeat(32)}${port}`, `0000000000000000FFFF0000${there}`]) {
        assert.equal(serves([line(there, here, '01', 0), listening(at, 4242)]), true, at);
        assert.equal(serves([listening(at, 4242)]), true, at);
        assert.equal(serves([line(there, here, '01', 0), listening(at, own)]), false, at);
        assert.equal(serves([line(there, here, '01', 0), listening(at, 0)]), false, at);
      }
      assert.equal(serves([listening(there, own), listening(`${'0'.repeat(32)}${port}`, 4242)]), false, 'the exact address counts first');
      assert.equal(serves([listening(`0200007F${port}`, 4242), listening('0100007F:0001', 4242)]), false, 'other addresses and ports');
    });

    it('is known at an address of IPv6', () => {
      const ends = { ...ENDS, remoteAddress: '::1', localAddress: '::1' };
      const six = `${'0'.repeat(24)}01000000`;
      assert.equal(serves([line(six + port, `${six}:9C40`, '01', 4242)], ends), true);
      assert.equal(serves([listening(six + port, 4242)], ends), true);
      assert.equal(serves([listening(there, 4242)], ends), false);
    });

    it('is not known where the system has no tables, nor outside of this machine', () => {
      const missing = (): never => {
        throw new Error('ENOENT');
      };
      assert.equal(isServerOfOther(ENDS, missing), false);
      assert.equal(serves([], { ...ENDS, remoteAddress: '192.0.2.1' }), false);
    });

    it('is known of a real connection, accepted or not', async function () {
      const program = (user: number | undefined, backlog: boolean): Promise<{ port: number; end(): void }> =>
        new Promise((resolve) => {
          // A busy program does not accept what the kernel has connected.
          const wait = backlog ? 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);' : '';
          const script = `const s = require('net').createServer((c) => c.on('error', () => {}));
            s.listen(0, '127.0.0.1', () => { require('fs').writeSync(1, String(s.address().port)); ${wait} });`;
          const child = spawn(process.execPath, ['-e', script], { cwd: '/', ...(user !== undefined && { uid: user }) });
          child.stdout.once('data', (data) => resolve({ port: Number(data), end: () => child.kill('SIGKILL') }));
        });
      const seen = async (user: number | undefined, backlog: boolean): Promise<boolean> => {
        const server = await program(user, backlog);
        const socket = open(server.port, '127.0.0.1').on('error', () => undefined);
        await new Promise((resolve) => socket.once('connect', resolve));
        const result = isServerOfOther(socket);
        socket.destroy();
        server.end();
        return result;
      };
      assert.deepEqual([await seen(undefined, false), await seen(undefined, true)], [false, false]);
      // Only root can start a program as another user.
      if (own === 0) {
        assert.deepEqual([await seen(4242, false), await seen(4242, true)], [true, true]);
      }
    });
  });
});
