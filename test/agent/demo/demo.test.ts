/** The demo agent as a process, with the official SDK's client side as its client. */
import type { CreateElicitationRequest } from '@agentclientprotocol/sdk';
import assert from 'node:assert/strict';
import { buildSync } from 'esbuild';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TestClient } from '../../support/client';
import type { TestClientOptions } from '../../support/client';
import { watchLeaks } from '../../support/leaks';

/** The agent is built for this run: on each start the loader would double its start time. */
const DEMO = path.resolve('out/test/demo-agent.cjs');
const CALC = 'export function add(a, b) {\n  return a - b;\n}\n';

describe('demo agent', function () {
  this.timeout(30_000);
  watchLeaks();

  let cwd: string;
  let calc: string;
  let session: TestClient;

  before(() => {
    buildSync({ entryPoints: ['src/demo/agent.ts'], outfile: DEMO, bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' });
  });

  beforeEach(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'demo-agent-'));
    calc = path.join(cwd, 'src', 'calc.js');
    await mkdir(path.dirname(calc));
    await writeFile(calc, CALC);
    await writeFile(path.join(cwd, 'README.md'), '# Calc\n\nAdds.\n');
  });

  afterEach(async () => {
    await session.dispose();
    await rm(cwd, { recursive: true, force: true });
  });

  async function open(options: Partial<TestClientOptions> = {}) {
    session = new TestClient({ cwd, permission: () => 'allow', ...options });
    const opened = await session.open(process.execPath, [DEMO]);
    await session.agent.request('session/set_config_option', { sessionId: session.sessionId, configId: 'model', value: 'guide-brisk' });
    return opened;
  }

  /** The final status of each tool call, by kind. */
  function outcomes(): Record<string, string | null | undefined> {
    const last = new Map(session.all('tool_call_update').map(({ toolCallId, status }) => [toolCallId, status]));
    return Object.fromEntries(session.all('tool_call').map(({ toolCallId, kind }) => [kind ?? 'other', last.get(toolCallId)]));
  }

  it('offers modes, options of every shape, and commands', async () => {
    const { initialized, opened } = await open();
    assert.equal(initialized.protocolVersion, 1);
    assert.deepEqual(
      opened.modes?.availableModes.map(({ id }) => id),
      ['ask', 'plan', 'auto'],
    );
    const options = opened.configOptions ?? [];
    assert.deepEqual(
      options.map(({ id, type }) => `${id} ${type}`),
      ['mode select', 'model select', 'thinking select', 'explain boolean'],
    );
    assert.ok(options.some((option) => option.type === 'select' && option.options.some((choice) => 'group' in choice)));
    const [commands] = session.all('available_commands_update');
    assert.deepEqual(
      commands?.availableCommands.map(({ name }) => name),
      ['tour', 'read', 'edit', 'run', 'plan', 'form', 'help'],
    );
  });

  it('sends no boolean option to a client that cannot show it', async () => {
    const { opened } = await open({ capabilities: { terminal: true } });
    assert.ok(opened.configOptions?.every(({ type }) => type === 'select'));
  });

  it('gives the whole tour when allowed', async () => {
    await open();
    assert.equal(await session.prompt('/tour'), 'end_turn');
    assert.match(session.said, /demo agent.*scripted guide.*not a language model/s);
    assert.match(session.said, /`src\/calc\.js` has \*\*3 lines\*\*.*no unsaved changes/s);
    assert.notEqual(session.thought, '');
    assert.equal(await readFile(calc, 'utf8'), CALC.replace('a - b', 'a + b'));
    assert.deepEqual(outcomes(), { read: 'completed', edit: 'completed', execute: 'completed' });
    assert.deepEqual(
      session.permissions.map(({ options }) => options.map(({ name }) => name)),
      [['Allow', 'Always allow', 'Reject']],
    );
    const plans = session.all('plan').map(({ entries }) => entries.map(({ status }) => status));
    assert.deepEqual(plans[0], ['pending', 'pending', 'pending', 'pending']);
    assert.deepEqual(plans[plans.length - 1], ['completed', 'completed', 'completed', 'completed']);
    assert.equal(session.all('session_info_update')[0]?.title, 'A tour of ACP Host');
    assert.ok((session.all('usage_update').at(-1)?.used ?? 0) > 100);
    assert.equal(session.terminals.size, 0, 'terminals are released');
    const run = session.all('tool_call_update').find(({ content }) => content?.some(({ type }) => type === 'terminal'));
    assert.ok(run, 'the terminal is embedded');
  });

  it('continues and reports the rejection', async () => {
    await open({ permission: () => 'reject' });
    assert.equal(await session.prompt('/tour'), 'end_turn');
    assert.match(session.said, /You rejected the edit, so `src\/calc\.js` was not changed/);
    assert.doesNotMatch(session.said, /Written/);
    assert.equal(await readFile(calc, 'utf8'), CALC);
    assert.deepEqual(outcomes(), { read: 'completed', edit: 'failed', execute: 'completed' });
  });

  it('reads unsaved changes and proposes its edit against them', async () => {
    const dirty = `// mine\n${CALC}`;
    await open({ buffers: new Map([[calc, dirty]]) });
    await session.prompt('fix the bug in src/calc.js');
    assert.match(session.said, /4 lines.*\*\*unsaved changes\*\*/s);
    assert.equal(session.written.get(calc), dirty.replace('a - b', 'a + b'));
    const edit = session.all('tool_call').find(({ kind }) => kind === 'edit');
    assert.deepEqual(edit?.locations, [{ path: calc, line: 3 }]);
    assert.deepEqual(edit.content?.[0], { type: 'diff', path: calc, oldText: dirty, newText: dirty.replace('a - b', 'a + b') });
  });

  it('uses the attached file', async () => {
    await open();
    await session.prompt('explain this', { type: 'resource_link', uri: pathToFileURL(calc).href, name: 'calc.js' });
    assert.match(session.said, /`src\/calc\.js`/);
    assert.match(session.said, /export function add/);
    assert.equal(session.written.size, 0);
  });

  it('gives its tour on the attached file when asked about its abilities', async () => {
    const other = path.join(cwd, 'zz last.js');
    await writeFile(other, CALC);
    await open();
    await session.prompt('Show me what you can do', { type: 'resource_link', uri: pathToFileURL(other).href, name: 'zz last.js' });
    assert.deepEqual(outcomes(), { read: 'completed', edit: 'completed', execute: 'completed' });
    assert.equal(await readFile(other, 'utf8'), CALC.replace('a - b', 'a + b'));
    assert.equal(await readFile(calc, 'utf8'), CALC);
  });

  it('remembers "Always allow" for the session', async () => {
    await open({ permission: () => 'allow_always' });
    await session.prompt('/edit src/calc.js');
    await session.prompt('/edit src/calc.js');
    await session.prompt('/run echo one');
    await session.prompt('/run echo one');
    assert.deepEqual(
      session.permissions.map(({ toolCall }) => toolCall.kind),
      ['edit', 'execute'],
    );
  });

  it('writes and runs nothing in plan mode, and does not ask in auto mode', async () => {
    await open();
    await session.agent.request('session/set_mode', { sessionId: session.sessionId, modeId: 'plan' });
    await session.prompt('/tour');
    assert.deepEqual(outcomes(), { read: 'completed' });
    assert.match(session.said, /\*Plan only\* mode, nothing is written/);
    assert.equal(session.all('current_mode_update').at(-1)?.currentModeId, 'plan');
    const { configOptions } = await session.agent.request('session/set_config_option', {
      sessionId: session.sessionId,
      configId: 'mode',
      value: 'auto',
    });
    assert.equal(configOptions[0]?.currentValue, 'auto');
    await session.prompt('/edit src/calc.js');
    assert.equal(session.permissions.length, 0);
    assert.equal(session.written.size, 1);
  });

  it('refuses an unknown option', async () => {
    await open();
    const set = (configId: string, value: string) =>
      session.agent.request('session/set_config_option', { sessionId: session.sessionId, configId, value });
    await assert.rejects(set('mode', 'yolo'), { code: -32602 });
    await assert.rejects(set('colour', 'red'), { code: -32602 });
  });

  it('explains what it cannot do because a client lacks capabilities', async () => {
    await open({ capabilities: {} });
    assert.equal(await session.prompt('/tour'), 'end_turn');
    assert.deepEqual(outcomes(), {});
    assert.match(session.said, /doesn't support reading files.*doesn't support terminals/s);
  });

  it('shows a refused write and fails the tool call', async () => {
    await open({ writeError: 'the file changed on disk' });
    await session.prompt('/edit src/calc.js');
    assert.match(session.said, /\*\*not\*\* written: the file changed on disk/);
    assert.deepEqual(outcomes(), { read: 'completed', edit: 'failed' });
  });

  it('reports a file that cannot be read', async () => {
    await open();
    await session.prompt('read src/missing.js');
    assert.match(session.said, /couldn't read `src\/missing\.js`/);
    assert.deepEqual(outcomes(), { read: 'failed' });
  });

  it('answers openly what it does not understand', async () => {
    await open({ permission: () => 'reject' });
    await session.prompt('Why is the sky blue?');
    assert.match(session.said, /don't have an answer/);
  });

  it('asks by a form and a web page, and repeats the answers', async () => {
    const asked: CreateElicitationRequest[] = [];
    await open({
      elicitation: (request) => {
        asked.push(request);
        return request.mode === 'form'
          ? { action: 'accept', content: { name: 'greeter', targets: ['Linux', 'macOS'] } }
          : { action: 'accept' };
      },
    });
    assert.equal(await session.prompt('Ask me a form'), 'end_turn');
    assert.deepEqual(
      asked.map(({ mode }) => mode),
      ['form', 'url'],
    );
    assert.match(session.said, /- Project name: `greeter`\n- Runs on: `Linux,macOS`/);
    assert.deepEqual(
      session.completed,
      asked.flatMap((request) => ('elicitationId' in request ? [request.elicitationId] : [])),
    );
  });

  it('shows no form to a client that cannot show it, and accepts a refusal', async () => {
    await open();
    await session.prompt('/form');
    assert.match(session.said, /doesn't support forms or web pages/);
    await session.dispose();
    await open({ elicitation: ({ mode }) => ({ action: mode === 'form' ? 'decline' : 'cancel' }) });
    await session.prompt('/form');
    assert.match(session.said, /You declined/);
    assert.match(session.said, /Nothing was opened/);
    assert.equal(session.completed.length, 0);
  });

  it('stops while it streams text', async () => {
    await open({ onUpdate: ({ sessionUpdate }) => void (sessionUpdate === 'agent_message_chunk' && session.cancel()) });
    await session.agent.request('session/set_config_option', { sessionId: session.sessionId, configId: 'model', value: 'guide-slow' });
    assert.equal(await session.prompt('/tour'), 'cancelled');
    assert.equal(session.all('tool_call').length, 0);
  });

  it('stops while a permission request is pending, and accepts the next prompt', async () => {
    await open({ permission: () => void session.cancel() });
    assert.equal(await session.prompt('/edit src/calc.js'), 'cancelled');
    assert.equal(session.written.size, 0);
    assert.equal(await session.prompt('/help'), 'end_turn');
  });

  it('stops a running command and releases its terminal', async () => {
    await open({
      onUpdate: (update) =>
        void (update.sessionUpdate === 'tool_call_update' && update.content?.[0]?.type === 'terminal' && session.cancel()),
    });
    assert.equal(await session.prompt('/run sleep 60'), 'cancelled');
    assert.equal(session.terminals.size, 0);
  });
});
