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
import { CHALLENGE_HEADER, controlText, readMessage, type ToWindow } from '../../../../src/core/keeper/messages';
import { isProof, newChallenge, proofOf } from '../../../../src/util/sockets/mutualProof';
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

  type Challenge = Extract<ToWindow, { type: 'challenge' }>;
  const OWN = newChallenge();
  const asking = { [CHALLENGE_HEADER]: OWN };
  const proving = ({ challenge }: Challenge): string =>
    controlText({ type: 'proof', proof: proofOf(TOKEN, 'connecting', [OWN, challenge]) });

  /**
   * Resolves to `open`, the status of a refusal, or the close code.
   * @param answer the answer to the keeper's challenge; undefined: none
   */
  const open = (
    headers: Record<string, string> = asking,
    keep?: (socket: WebSocket) => void,
    answer: (challenge: Challenge, text: string) => string | undefined = proving,
  ): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws+unix:${address}:/`, { headers });
      const before = window;
      socket.once('message', (data: Buffer) => {
        const text = data.toString();
        const given = answer((readMessage<ToWindow>(text) as { control: Challenge }).control, text);
        if (given === undefined) {
          keep?.(socket);
          return;
        }
        socket.send(given, () => {
          const looking = setInterval(() => {
            if (window !== before) {
              clearInterval(looking);
              keep?.(socket);
              resolve('open');
            }
          }, 2);
          socket.on('close', () => clearInterval(looking));
        });
      });
      socket.on('unexpected-response', (_, response) => resolve(String(response.statusCode)));
      socket.on('error', () => undefined);
      socket.on('close', (code) => resolve(String(code)));
    });
  it('takes a window that knows the token, and one at a time', async () => {
    await serve();
    let first: WebSocket | undefined;
    assert.equal(await open(asking, (socket) => (first = socket)), 'open');
    first!.send('hello');
    assert.equal(await open(), '409');
    first!.close();
    await new Promise((resolve) => first!.on('close', resolve));
    assert.deepEqual([await open(), texts], ['open', ['hello']]);
  });

  it('proves to the window that it knows the token, and does not send it', async () => {
    await serve();
    const proven: boolean[] = [];
    let all = '';
    await open(asking, undefined, (challenge, text) => {
      all += text;
      proven.push(isProof(challenge.proof, TOKEN, 'listening', [OWN, challenge.challenge]));
      return proving(challenge);
    });
    assert.deepEqual([proven, all.includes(TOKEN)], [[true], false]);
  });

  it('refuses a window without a challenge, also with the token itself', async () => {
    await serve();
    const wrong: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${TOKEN}` },
      { [CHALLENGE_HEADER]: '' },
      { [CHALLENGE_HEADER]: 'x'.repeat(44) },
    ];
    assert.deepEqual(
      await Promise.all(wrong.map((headers) => open(headers))),
      wrong.map(() => '401'),
    );
    assert.equal(window, undefined);
  });

  it('refuses a wrong proof, its own, and one of an earlier connection', async () => {
    await serve();
    let earlier = '';
    let first: WebSocket | undefined;
    await open(
      asking,
      (socket) => (first = socket),
      (challenge) => (earlier = proving(challenge)),
    );
    first!.close();
    await new Promise((resolve) => first!.on('close', resolve));
    const wrong: ((challenge: Challenge) => string)[] = [
      () => 'hello',
      () => '!{"type":"attach","from":0}',
      () => controlText({ type: 'proof', proof: '' }),
      () => controlText({ type: 'proof', proof: TOKEN }),
      ({ challenge }) => controlText({ type: 'proof', proof: proofOf('another token', 'connecting', [OWN, challenge]) }),
      ({ proof }) => controlText({ type: 'proof', proof }),
      () => earlier,
    ];
    for (const answer of wrong) {
      assert.equal(await open(asking, undefined, answer), '1008');
    }
    assert.deepEqual([window, texts], [undefined, []]);
  });

  it('ends a client that sends no proof, or much instead of it', async () => {
    await serve();
    const silent = open(asking, undefined, () => undefined);
    const loud = open(
      asking,
      (socket) => {
        for (let part = 0; part < 500; part++) {
          socket.send('x'.repeat(100), { fin: false });
        }
      },
      () => undefined,
    );
    assert.deepEqual(await Promise.all([silent, loud]), ['1006', '1006']);
    assert.equal(await open(), 'open');
  });

  it('refuses a browser and another host', async () => {
    await serve();
    assert.equal(await open({ ...asking, origin: 'http://localhost' }), '403');
    assert.equal(await open({ ...asking, origin: 'null' }), '403');
    assert.equal(await open({ ...asking, host: 'evil.example' }), '403');
  });

  it('answers no other request', async () => {
    await serve();
    const status = await new Promise((resolve) => {
      request({ socketPath: address, path: '/', headers: asking }, (response) => resolve(response.statusCode)).end();
    });
    assert.equal(status, 404);
  });

  it('closes a connection with a huge message or with bytes, and takes the next window', async () => {
    await serve();
    for (const data of ['x'.repeat(2000), Buffer.from([1, 2, 3])]) {
      const code = await new Promise((resolve) => {
        void open(asking, (socket) => {
          socket.on('close', resolve);
          socket.send(data);
        });
      });
      assert.equal(code, typeof data === 'string' ? 1009 : 1003);
    }
    assert.deepEqual([await open(), texts], ['open', []]);
  });

  it('survives garbage instead of a request', async () => {
    await serve();
    await new Promise<void>((resolve) => {
      const socket = connect(address, () => socket.end('\0\0garbage\r\n\r\n'));
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
    assert.equal(await open(), 'open');
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
