import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BridgeLink } from '../../../src/mcp/bridge/link';

interface Window {
  readonly server: Server;
  /** The lines of all connections, without the token. */
  readonly lines: string[];
  readonly sockets: Socket[];
  answer(text: object): void;
  /** Ends as an extension host does that is restarted. */
  crash(): Promise<void>;
}

describe('The bridge between an agent and the window', () => {
  let folder: string;
  let address: string;
  let written: string[];
  let gone: number;
  let window: Window;
  let link: BridgeLink;

  async function open(): Promise<Window> {
    const lines: string[] = [];
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      let isFirst = true;
      let rest = '';
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const parts = (rest + String(data)).split('\n');
        rest = parts.pop()!;
        for (const part of parts) {
          if (isFirst) {
            assert.equal(part, 'a-token');
            isFirst = false;
          } else {
            lines.push(part);
          }
        }
      });
    }).listen(address);
    await once(server, 'listening');
    return {
      server,
      lines,
      sockets,
      answer: (message) => void sockets.at(-1)!.write(`${JSON.stringify(message)}\n`),
      crash: async () => {
        sockets.forEach((socket) => socket.destroy());
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  beforeEach(async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    folder = await mkdtemp(path.join(tmpdir(), 'b-'));
    address = path.join(folder, 's');
    written = [];
    gone = 0;
    window = await open();
    link = new BridgeLink({
      connect: () => connect(address),
      token: 'a-token',
      write: (line) => void written.push(line),
      onGone: () => void gone++,
      pause: 10,
      patience: 400,
    });
  });
  afterEach(async () => {
    window.answer({ jsonrpc: '2.0', method: 'notifications/acp-host/ended' });
    await window.crash();
    await until(() => gone > 0);
    await rm(folder, { recursive: true, force: true });
  });

  const send = (message: object): void => link.fromAgent(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const methods = (): string[] => window.lines.map((line) => (JSON.parse(line) as { method: string }).method);
  const initialize = { id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } };

  async function handshake(): Promise<void> {
    send(initialize);
    await until(() => window.lines.length === 1);
    window.answer({ jsonrpc: '2.0', id: 0, result: {} });
    await until(() => written.length === 1);
    send({ method: 'notifications/initialized' });
    await until(() => window.lines.length === 2);
  }

  it('copies lines in both directions', async () => {
    await handshake();
    window.answer({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await until(() => written.length === 2);
    assert.deepEqual(methods(), ['initialize', 'notifications/initialized']);
    assert.deepEqual(written, ['{"jsonrpc":"2.0","id":0,"result":{}}', '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}']);
  });

  it('connects again, repeats the handshake itself, and sends what the agent sent meanwhile', async () => {
    await handshake();
    await window.crash();
    send({ id: 1, method: 'tools/list' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    window = await open();
    await until(() => window.lines.length === 3);
    assert.deepEqual(methods(), ['initialize', 'notifications/initialized', 'tools/list']);
    window.answer({ jsonrpc: '2.0', id: 'acp-host-bridge-handshake', result: {} });
    window.answer({ jsonrpc: '2.0', id: 1, result: { tools: [] } });
    await until(() => written.length === 2);
    assert.equal(written[1], '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}');
  });

  it('answers a message that is too large for the window itself, and never sends it', async () => {
    const large = 'x'.repeat(4 * 1024 * 1024);
    link.fromAgent(JSON.stringify({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: large } }));
    link.fromAgent(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping', params: { large } }));
    link.fromAgent(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: { large } }));
    link.fromAgent('{"jsonrpc":"2.0","id":3,"method":"ping"}');
    await until(() => window.lines.length === 1);
    assert.deepEqual(window.lines, ['{"jsonrpc":"2.0","id":3,"method":"ping"}']);
    const [call, ping] = written.map(
      (line) => JSON.parse(line) as { id: unknown; result?: { isError: boolean }; error?: { code: number } },
    );
    assert.deepEqual([call?.id, call?.result?.isError, ping?.id, ping?.error?.code, written.length], ['c', true, 2, -32600, 2]);
  });

  it('answers a call that was running with a text that asks for a retry, and never runs it twice', async () => {
    await handshake();
    send({ id: 'a', method: 'tools/call', params: { name: 'rename' } });
    send({ id: 2, method: 'tools/list' });
    await until(() => window.lines.length === 4);
    await window.crash();
    await until(() => written.length === 2);
    const answer = JSON.parse(written[1]!) as { id: string; result: { isError: boolean; content: { text: string }[] } };
    assert.deepEqual([answer.id, answer.result.isError], ['a', true]);
    assert.match(answer.result.content[0]!.text, /Call the tool again/);
    window = await open();
    await until(() => window.lines.length === 3);
    assert.deepEqual(methods(), ['initialize', 'notifications/initialized', 'tools/list']);
  });

  it('sends a request again that the window has not answered, but none that the agent has cancelled', async () => {
    send(initialize);
    await until(() => window.lines.length === 1);
    send({ id: 5, method: 'tools/list' });
    send({ id: 6, method: 'prompts/list' });
    send({ method: 'notifications/cancelled', params: { requestId: 5 } });
    await until(() => window.lines.length === 4);
    await window.crash();
    window = await open();
    await until(() => window.lines.length === 2);
    assert.deepEqual(methods(), ['initialize', 'prompts/list']);
    assert.equal((JSON.parse(window.lines[0]!) as { id: unknown }).id, 0);
  });

  it('keeps a subscription of the revision 2026-07-28, without a second confirmation', async () => {
    const confirmation = {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } },
    };
    send({ id: 7, method: 'subscriptions/listen' });
    await until(() => window.lines.length === 1);
    window.answer(confirmation);
    await until(() => written.length === 1);
    await window.crash();
    window = await open();
    await until(() => window.lines.length === 1);
    assert.deepEqual(methods(), ['subscriptions/listen']);
    window.answer(confirmation);
    window.answer({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await until(() => written.length === 2);
    assert.match(written[1]!, /list_changed/);
  });

  it('gives up when the window does not come back, and at once when the session ends', async () => {
    await handshake();
    await window.crash();
    await until(() => gone > 0);
    window = await open();
    const started = Date.now();
    gone = 0;
    link = new BridgeLink({ connect: () => connect(address), token: 'a-token', write: () => undefined, onGone: () => void gone++ });
    await until(() => window.sockets.length > 0);
    window.answer({ jsonrpc: '2.0', method: 'notifications/acp-host/ended' });
    await until(() => gone > 0);
    assert.ok(Date.now() - started < 1000);
  });
});

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; !isDone(); tries++) {
    assert.ok(tries < 300, 'waited too long');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
