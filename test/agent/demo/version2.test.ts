/** The demo agent in version 2, as a process. Its messages are checked against the schema. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { buildSync } from 'esbuild';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { watchLeaks } from '../../support/leaks';
import { assertValid } from '../../support/schema';

const DEMO = path.resolve('out/test/demo-agent-2.cjs');

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly update?: Readonly<Record<string, unknown>> };
  readonly result?: Readonly<Record<string, unknown>>;
}

describe('demo agent in version 2', function () {
  this.timeout(30_000);
  watchLeaks();

  let cwd: string;
  let agent: ChildProcess;
  let frames: Frame[];
  let changed: () => void;
  let requests = 0;

  before(() => {
    buildSync({ entryPoints: ['src/demo/agent.ts'], outfile: DEMO, bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' });
  });

  beforeEach(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'demo-agent-2-'));
    await mkdir(path.join(cwd, 'src'));
    await writeFile(path.join(cwd, 'src', 'calc.js'), 'export function add(a, b) {\n  return a - b;\n}\n');
    frames = [];
    changed = () => undefined;
    agent = spawn(process.execPath, [DEMO], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: agent.stdout! }).on('line', (line) => {
      const frame = JSON.parse(line) as Frame;
      frames.push(frame);
      if (frame.method === 'session/update') {
        assertValid('UpdateSessionNotification', frame.params, 'an update', 'acp-2');
      } else if (frame.method === 'session/request_permission') {
        assertValid('RequestPermissionRequest', frame.params, 'a question', 'acp-2');
        write({ id: frame.id, result: { outcome: { outcome: 'selected', optionId: 'allow' } } });
      }
      changed();
    });
  });

  afterEach(async () => {
    const ended = new Promise((resolve) => agent.once('exit', resolve));
    agent.stdin!.end();
    await ended;
    await rm(cwd, { recursive: true, force: true });
  });

  function write(message: object): void {
    agent.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async function until<T>(find: () => T | undefined): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined) {
        return found;
      }
      await new Promise<void>((resolve) => (changed = resolve));
    }
  }

  async function request(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const id = ++requests;
    write({ id, method, params });
    const { result, ...rest } = await until(() => frames.find((frame) => frame.id === id && frame.method === undefined));
    assert.ok(result, JSON.stringify(rest));
    return result;
  }

  const updates = () => frames.flatMap(({ params }) => (params?.update ? [params.update] : []));

  it('edits on the disk, runs commands itself, and reports its states', async () => {
    const info = { name: 'test', version: '1' };
    const initialized = await request('initialize', {
      protocolVersion: 2,
      info,
      capabilities: {},
      clientInfo: info,
      clientCapabilities: {},
    });
    assertValid('InitializeResponse', initialized, 'the answer to initialize', 'acp-2');
    assert.equal(initialized.protocolVersion, 2);
    const opened = await request('session/new', { cwd });
    assertValid('NewSessionResponse', opened, 'the answer to session/new', 'acp-2');
    const { sessionId } = opened;
    await request('session/set_config_option', { sessionId, configId: 'model', type: 'id', value: 'guide-brisk' });
    const { messageId } = await request('session/prompt', { sessionId, prompt: [{ type: 'text', text: '/tour' }] });
    await until(() => updates().find(({ state }) => state === 'idle'));

    const all = updates();
    assert.deepEqual(all.find(({ sessionUpdate }) => sessionUpdate === 'user_message')?.messageId, messageId);
    assert.deepEqual(
      all.filter(({ sessionUpdate }) => sessionUpdate === 'state_update').map(({ state, stopReason }) => [state, stopReason]),
      [
        ['running', undefined],
        ['idle', 'end_turn'],
      ],
    );
    const statuses = new Map(
      all.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update').map(({ toolCallId, status }) => [toolCallId, status]),
    );
    assert.ok(statuses.size >= 3 && [...statuses.values()].every((status) => status === 'completed'), JSON.stringify([...statuses]));
    assert.match(JSON.stringify(all), /"exitStatus":\{"exitCode":0/);
    assert.match(JSON.stringify(all), /"format":"git_patch"/);
    assert.notEqual(await readFile(path.join(cwd, 'src', 'calc.js'), 'utf8'), 'export function add(a, b) {\n  return a - b;\n}\n');
  });

  it('ends a stopped turn with its reason', async () => {
    const info = { name: 'test', version: '1' };
    await request('initialize', { protocolVersion: 2, info, capabilities: {} });
    const { sessionId } = await request('session/new', { cwd });
    await request('session/prompt', { sessionId, prompt: [{ type: 'text', text: '/tour' }] });
    await until(() => updates().find(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk'));
    write({ method: 'session/cancel', params: { sessionId } });
    const end = await until(() => updates().find(({ state }) => state === 'idle'));
    assert.equal(end.stopReason, 'cancelled');
  });
});
