/** The agents of earlier windows: which sessions continue with them, and what is deleted of keepers that were killed. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocketServer } from 'ws';
import { removeStaleRecords } from '../../../../src/agent/keeper/startKeeper';
import { serveKeeper } from '../../../../src/agent/keeper/server';
import type { WindowSocket } from '../../../../src/agent/keeper/keeper';
import { KeptAgents, type KeptAgentsDependencies } from '../../../../src/application/agents/keptAgents';
import { CHALLENGE_HEADER, controlText, KEEPER_PROTOCOL, type KeeperRecord } from '../../../../src/core/keeper/messages';
import type { Log } from '../../../../src/core/platform/log';
import type { Disposable } from '../../../../src/core/platform/disposable';
import { systemClock } from '../../../../src/util/clock';

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** A process that no system has. */
const SERVER = { type: 'http', name: 'vscode', url: 'http://127.0.0.1:1/mcp/x', headers: {} };
const NO_PID = 2 ** 22 + 1;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'acp-host-kept-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function record(id: string, address: string, pid: number): Promise<void> {
  const content: KeeperRecord = { id, protocol: KEEPER_PROTOCOL, address, token: 'token', pid, mark: 'mark' };
  await writeFile(path.join(folder, `${id}.json`), JSON.stringify(content));
}

describe('the records of keepers that were killed', () => {
  it('are deleted with the folder of the socket and the stored frames', async () => {
    await mkdir(path.join(folder, 'own'));
    await writeFile(path.join(folder, 'own', 's'), '');
    await writeFile(path.join(folder, 'dead.frames'), 'text of the conversation');
    await record('dead', path.join(folder, 'own', 's'), NO_PID);
    await record('alive', path.join(folder, 'other', 's'), process.pid);
    await removeStaleRecords(folder);
    assert.deepEqual(await readdir(folder), ['alive.json']);
  });

  it('delete no folder of a named pipe, which would be that of all pipes of the machine', async () => {
    const before = process.cwd();
    const around = await mkdtemp(path.join(tmpdir(), 'acp-host-pipes-'));
    await writeFile(path.join(around, 'pipe of another program'), '');
    await record('dead', '\\\\.\\pipe\\acp-host-0123', NO_PID);
    // On this system the parent of a pipe's name is the current folder.
    process.chdir(around);
    try {
      await removeStaleRecords(folder);
    } finally {
      process.chdir(before);
    }
    assert.deepEqual([await readdir(folder), existsSync(path.join(around, 'pipe of another program'))], [[], true]);
    await rm(around, { recursive: true, force: true });
  });
});

describe('an agent of an earlier window', function () {
  let server: Disposable;
  let window: WindowSocket | undefined;
  let texts: string[];
  let restored: string[];
  let agents: KeptAgents;
  let options: KeptAgentsDependencies;
  const hello = controlText({
    type: 'hello',
    protocol: KEEPER_PROTOCOL,
    id: 'K',
    keeperPid: process.pid,
    acknowledged: 0,
    last: 0,
    received: 0,
    nextId: 1,
    requests: [],
    isInitialized: true,
    note: JSON.stringify({ keys: ['running'], secrets: ['s3cret-of-a-server'], servers: { running: SERVER } }),
  });
  let address: string;

  beforeEach(async () => {
    texts = [];
    restored = [];
    window = undefined;
    address = process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'own', 's');
    server = await serveKeeper({
      address,
      token: 'token',
      maxBytes: 1000,
      hasWindow: () => window !== undefined,
      onWindow: (connected) => {
        window = connected;
        connected.send(hello, () => undefined);
      },
      onMessage: (text) => texts.push(text),
      onLeft: () => (window = undefined),
    });
    await record('K', address, process.pid);
    options = {
      clock: systemClock,
      log: quiet,
      folder,
      maxBytes: 1000,
      limits: () => ({ mode: 'reload', awayMs: 1000, idleMs: 1000, requestMs: 1000 }),
      restore: async (key) => void restored.push(key),
    };
    agents = new KeptAgents(options);
  });
  afterEach(() => server.dispose());

  const received = async (): Promise<string[]> => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return texts.map((text) => (JSON.parse(text.slice(1)) as { type: string }).type);
  };

  it('continues the session that it has, also when another one asks first', async () => {
    assert.equal(await agents.adopt('K', 'not open in the agent'), undefined);
    assert.deepEqual(restored, ['running']);
    const adopted = await agents.adopt('K', 'running');
    adopted?.settled('running', true);
    assert.deepEqual([adopted !== undefined, await received()], [true, ['limits', 'attach']]);
    adopted?.kept.leave();
  });

  it('is not looked for at the address of a keeper that was killed, where another program may listen', async () => {
    await record('K', address, NO_PID);
    assert.deepEqual([await agents.adopt('K', 'running'), window], [undefined, undefined]);
  });

  it('is not continued with another program at the address of its keeper, which learns nothing', async () => {
    server.dispose();
    for (const impostor of [
      () => [],
      () => [hello],
      ([challenge]: string[]) => [controlText({ type: 'challenge', challenge: challenge!, proof: challenge! }), hello],
    ]) {
      const heard: string[] = [];
      const name = `own${Math.random()}`.slice(0, 9);
      const own = process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}-${name}` : path.join(folder, name);
      const http = createServer();
      http.on('upgrade', (request) => heard.push(JSON.stringify(request.headers)));
      const sockets = new WebSocketServer({ server: http });
      sockets.on('connection', (socket, request) => {
        socket.on('message', (data: Buffer) => heard.push(data.toString()));
        impostor([String(request.headers[CHALLENGE_HEADER])]).forEach((text) => socket.send(text));
        setTimeout(() => socket.close(), 100);
      });
      await new Promise<void>((resolve) => http.listen(own, resolve));
      await record('K', own, process.pid);
      const again = new KeptAgents(options);
      assert.equal(await again.adopt('K', 'running'), undefined);
      assert.equal(heard.length, 1);
      assert.ok(!heard[0]!.includes('token'));
      await new Promise((resolve) => http.close(resolve));
    }
  });

  it('brings the values that must not be stored, and the servers that the agent knows', async () => {
    const adopted = await agents.adopt('K', 'running');
    assert.deepEqual(adopted?.kept.servers, { running: SERVER });
    assert.deepEqual(adopted?.secrets, ['s3cret-of-a-server']);
    adopted.kept.leave();
  });

  it('is not given to a session twice, nor to one that comes too late', async () => {
    const adopted = await agents.adopt('K', 'running');
    adopted?.settled('running', true);
    assert.deepEqual(
      [adopted !== undefined, await agents.adopt('K', 'running'), await agents.adopt('K', 'other')],
      [true, undefined, undefined],
    );
    adopted?.kept.leave();
  });
});
