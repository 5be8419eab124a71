/** The keeper's socket against other users, wrong tokens, browsers and bytes of any kind. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import WebSocket from 'ws';
import type { Disposable } from '../../../../src/core/platform/disposable';
import type { WindowSocket } from '../../../../src/agent/keeper/keeper';
import { serveKeeper } from '../../../../src/agent/keeper/server';

const TOKEN = 'a-token-of-the-keeper';

describe('the socket of a keeper', function () {
  let folder: string;
  let address: string;
  let server: Disposable | undefined;
  let window: WindowSocket | undefined;
  let texts: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'acp-host-socket-'));
    address = process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'own', 's');
    texts = [];
    window = undefined;
  });
  afterEach(async () => {
    server?.dispose();
    server = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const serve = async (): Promise<void> => {
    server = await serveKeeper({
      address,
      token: TOKEN,
      maxBytes: 1000,
      hasWindow: () => window !== undefined,
      onWindow: (connected) => (window = connected),
      onMessage: (text) => texts.push(text),
      onLeft: (left) => (window = window === left ? undefined : window),
    });
  };

  /** Resolves to `open`, the status of a refusal, or the close code. */
  const open = (headers: Record<string, string>, keep?: (socket: WebSocket) => void): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws+unix:${address}:/`, { headers });
      socket.on('open', () => {
        keep?.(socket);
        resolve('open');
      });
      socket.on('unexpected-response', (_, response) => resolve(String(response.statusCode)));
      socket.on('error', () => undefined);
      socket.on('close', (code) => resolve(String(code)));
    });
  const bearer = { authorization: `Bearer ${TOKEN}` };

  it('takes a window that knows the token, and one at a time', async () => {
    await serve();
    let first: WebSocket | undefined;
    assert.equal(await open(bearer, (socket) => (first = socket)), 'open');
    first!.send('hello');
    assert.equal(await open(bearer), '409');
    first!.close();
    await new Promise((resolve) => first!.on('close', resolve));
    assert.deepEqual([await open(bearer), texts], ['open', ['hello']]);
  });

  it('refuses no token, a wrong one, a longer one, and one in another place', async () => {
    await serve();
    const wrong = [{}, { authorization: 'Bearer x' }, { authorization: `Bearer ${TOKEN}x` }, { authorization: TOKEN }, { cookie: TOKEN }];
    assert.deepEqual(
      await Promise.all(wrong.map((headers) => open(headers as Record<string, string>))),
      wrong.map(() => '401'),
    );
    assert.equal(window, undefined);
  });

  it('refuses a browser and another host, even with the token', async () => {
    await serve();
    assert.equal(await open({ ...bearer, origin: 'http://localhost' }), '403');
    assert.equal(await open({ ...bearer, origin: 'null' }), '403');
    assert.equal(await open({ ...bearer, host: 'evil.example' }), '403');
  });

  it('answers no other request', async () => {
    await serve();
    const status = await new Promise((resolve) => {
      request({ socketPath: address, path: '/', headers: bearer }, (response) => resolve(response.statusCode)).end();
    });
    assert.equal(status, 404);
  });

  it('closes a connection with a huge message or with bytes, and takes the next window', async () => {
    await serve();
    for (const data of ['x'.repeat(2000), Buffer.from([1, 2, 3])]) {
      const code = await new Promise((resolve) => {
        void open(bearer, (socket) => {
          socket.on('close', resolve);
          socket.send(data);
        });
      });
      assert.equal(code, typeof data === 'string' ? 1009 : 1003);
    }
    assert.deepEqual([await open(bearer), texts], ['open', []]);
  });

  it('survives garbage instead of a request', async () => {
    await serve();
    await new Promise<void>((resolve) => {
      const socket = connect(address, () => socket.end('\0\0garbage\r\n\r\n'));
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
    assert.equal(await open(bearer), 'open');
  });

  it('is open to this user only', async () => {
    await serve();
    assert.deepEqual([statSync(path.dirname(address)).mode & 0o777, statSync(address).mode & 0o777], [0o700, 0o600]);
  });

  it('does not listen in a folder that others can enter', async () => {
    mkdirSync(path.dirname(address));
    chmodSync(path.dirname(address), 0o755);
    await assert.rejects(serve(), /open to other users/);
  });

  it('does not listen in the folder of another user', async function () {
    if (process.getuid?.() !== 0) {
      this.skip(); // Only root can give a folder away.
    }
    mkdirSync(path.dirname(address), { mode: 0o700 });
    const { chownSync } = await import('node:fs');
    chownSync(path.dirname(address), 12_345, 12_345);
    await assert.rejects(serve(), /another user/);
  });
});
