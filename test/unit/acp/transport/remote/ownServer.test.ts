/** Servers without TLS on this machine that belong to another user. */
import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import http from 'node:http';
import { isPlainLoopback, openOwn, ownServerAgent } from '../../../../../src/acp/transport/remote/ownServer';
import { failureOfError } from '../../../../../src/acp/transport/remote/remoteFailures';

describe('a server without TLS on this machine', () => {
  let server: Server;
  let received: string;
  const sockets = new Set<Socket>();
  let at: string;

  beforeEach(async () => {
    received = '';
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        received += data.toString('latin1');
        socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    sockets.forEach((socket) => socket.destroy());
    sockets.clear();
    return new Promise((resolve) => server.close(resolve));
  });

  it('is known by its address', () => {
    for (const url of ['ws://127.0.0.1:1/acp', 'http://localhost/acp', 'ws://[::1]:1/']) {
      assert.equal(isPlainLoopback(url), true, url);
    }
    for (const url of ['wss://127.0.0.1:1/acp', 'https://localhost/acp', 'ws://127.0.0.1.example/']) {
      assert.equal(isPlainLoopback(url), false, url);
    }
  });

  it('receives nothing over a WebSocket when it belongs to another user', async () => {
    let opened = 0;
    const end = await new Promise<{ readonly error?: unknown }>((closed) => {
      openOwn(
        `ws://${at}/acp`,
        { open: () => undefined, text: () => undefined, refused: () => undefined, closed },
        () => {
          opened++;
          throw new Error('Not opened.');
        },
        () => true,
      );
    });
    assert.deepEqual(failureOfError(end.error, at), { code: 'remote.other_user', params: { host: at } });
    assert.deepEqual([opened, received], [0, '']);
  });

  const post = (agent: http.Agent): Promise<number> =>
    new Promise((resolve, reject) => {
      http
        .request(`http://${at}/acp`, { method: 'POST', agent, headers: { authorization: 'Bearer secret' } }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .on('error', reject)
        .end('{}');
    });

  it('receives nothing over HTTP when it belongs to another user', async () => {
    await assert.rejects(post(ownServerAgent({}, () => true)), (error) => failureOfError(error, at).code === 'remote.other_user');
    assert.equal(received, '');
    assert.equal(await post(ownServerAgent({}, () => false)), 204);
    assert.match(received, /Bearer secret/);
  });
});
