/** Scenarios against the scripted agent; what happens in each is in test/golden/scenarios/. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AGENT, playScenario } from '../support/scenario';
import type { Stage, StageOptions } from '../support/scenario';
import { watchLeaks } from '../support/leaks';

const CALC = 'export function add(a, b) {\n  return a - b;\n}\n';
const EDIT = { toolCallId: 'edit-1', title: 'Edit calc.js' };

const names: string[] = [];

function scenario(name: string, options: StageOptions, act: (stage: Stage) => Promise<void>): void {
  names.push(name);
  it(name.replaceAll('-', ' '), () => playScenario(name, options, act));
}

describe('scenarios', function () {
  this.timeout(30_000);
  watchLeaks();

  before(async () => {
    const bundle = (await import(pathToFileURL(path.resolve('test/harness/lib/bundle.mjs')).href)) as { bundleScriptedAgent(): Promise<void> };
    await bundle.bundleScriptedAgent();
    assert.ok(existsSync(AGENT));
  });

  scenario('hello', {}, async (stage) => {
    await stage.turn({ say: 'Hello' }, { say: ', world' });
  });

  scenario('markdown-stream', {}, async (stage) => {
    await stage.turn({ chunks: ['# Title\n\nSome **bo', 'ld** text and\n\n```js\nlet a', ' = 1;\n```\n', '🎉 漢字'] });
  });

  scenario('thought', {}, async (stage) => {
    await stage.turn({ think: 'Let me ' }, { think: 'see.' }, { say: 'Done.' }, { think: 'Or not?' });
  });

  scenario('messages-split', {}, async (stage) => {
    await stage.turn(
      { say: 'before' },
      { tool: { toolCallId: 'one', title: 'One', status: 'completed' } },
      { say: 'after' },
      { update: { sessionUpdate: 'agent_message_chunk', messageId: 'own', content: { type: 'text', text: 'named' } } },
      { update: { sessionUpdate: 'agent_message_chunk', messageId: 'own', content: { type: 'text', text: ' still' } } },
    );
  });

  scenario('tool-call', {}, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 'read-1', title: 'Read', kind: 'read', status: 'pending', locations: [{ path: '${cwd}/a.js', line: 3 }], rawInput: { path: 'a.js' } } },
      { toolUpdate: { toolCallId: 'read-1', status: 'in_progress' } },
      { toolUpdate: { toolCallId: 'read-1', status: 'completed', content: [{ type: 'content', content: { type: 'text', text: 'body' } }], rawOutput: { lines: 1 } } },
    );
  });

  scenario('tool-update-before-call', {}, async (stage) => {
    await stage.turn(
      { toolUpdate: { toolCallId: 'early', status: 'in_progress', title: 'Early' } },
      { tool: { toolCallId: 'early', title: 'Named late', kind: 'search', status: 'completed' } },
    );
  });

  scenario('diff', {}, async (stage) => {
    await stage.turn(
      { tool: { ...EDIT, kind: 'edit', content: [{ type: 'diff', path: '${cwd}/calc.js', oldText: CALC, newText: CALC.replace('-', '+') }] } },
      { toolUpdate: { toolCallId: 'edit-1', content: [{ type: 'diff', path: '${cwd}/new.js', newText: 'new\n' }], status: 'completed' } },
    );
  });

  scenario('plan-replaced', {}, async (stage) => {
    const entry = (content: string, status: string) => ({ content, status, priority: 'medium' });
    await stage.turn({ plan: [entry('one', 'in_progress'), entry('two', 'pending')] }, { plan: [entry('one', 'completed'), entry('three', 'sleeping')] });
  });

  scenario('permission-allow', {}, async (stage) => {
    await stage.turn({ tool: { ...EDIT, kind: 'edit' } }, { permission: { toolCall: EDIT } });
  });

  scenario('permission-reject', { answer: () => 'reject' }, async (stage) => {
    await stage.turn({ permission: { toolCall: { ...EDIT, kind: 'edit' } } });
  });

  scenario('permission-cancelled', { answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, { onCancel: [{ toolUpdate: { toolCallId: 'edit-1', status: 'failed' } }] }, { permission: { toolCall: EDIT } });
    await stage.seen('permission_requested');
    stage.cancel();
    await stage.turnEnd();
  });

  scenario('permission-unknown-kind', { answer: () => 'maybe' }, async (stage) => {
    const options = [{ optionId: 'maybe', name: 'Maybe later', kind: 'allow_sometimes' }] as unknown as [];
    await stage.turn({ permission: { toolCall: EDIT, options } });
  });

  scenario('unknown-update', {}, async (stage) => {
    await stage.turn({ update: { sessionUpdate: 'hologram', angle: 42 } }, { raw: { jsonrpc: '2.0', method: '_vendor/ping', params: { sessionId: 'session-1', n: 1 } } });
  });

  scenario('unknown-content', {}, async (stage) => {
    await stage.turn(
      { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'smell', of: 'roses' } } },
      { tool: { toolCallId: 'odd', title: 'Odd', content: [{ type: 'sculpture', of: 'stone' }] } },
    );
  });

  scenario('update-before-session', { setup: { beforeNew: [{ say: 'early' }, { commands: [{ name: 'go', description: 'Goes' }] }] } }, async (stage) => {
    await stage.turn({ say: 'later' });
  });

  scenario('update-after-turn', {}, async (stage) => {
    await stage.turn({ say: 'in time' }, { afterResponse: [{ say: 'late' }, { usage: { used: 5, size: 10 } }] });
    await stage.seen('usage');
  });

  scenario('read-unsaved', {}, async (stage) => {
    await stage.file('calc.js', CALC, '// mine\n');
    await stage.turn({ read: '${cwd}/calc.js' }, { read: { path: '${cwd}/calc.js', line: 2, limit: 1 } }, { read: '${cwd}/missing.js' }, { read: '/etc/hostname' });
  });

  scenario('write-merged', {}, async (stage) => {
    const document = await stage.file('calc.js', CALC, '// mine\n');
    await stage.ready();
    stage.script({ read: '${cwd}/calc.js' }, { permission: { toolCall: EDIT } }, { write: { path: '${cwd}/calc.js', content: CALC.replace('-', '+') + '// mine\n' } });
    // The user types while the agent waits; both changes must be in the file.
    await stage.seen('permission_requested');
    document?.type(0, 0, '// typed meanwhile\n');
    await stage.turnEnd();
  });

  scenario('write-conflict', {}, async (stage) => {
    const document = await stage.file('calc.js', CALC, '');
    await stage.ready();
    stage.script({ read: '${cwd}/calc.js' }, { permission: { toolCall: EDIT } }, { write: { path: '${cwd}/calc.js', content: CALC.replace('a - b', 'a + b') } });
    await stage.seen('permission_requested');
    document?.type(CALC.indexOf('-'), CALC.indexOf('-') + 1, '*');
    await stage.turnEnd();
  });

  scenario('write-new-file', {}, async (stage) => {
    await stage.turn({ write: { path: '${cwd}/made/new.txt', content: 'new\n' } }, { write: { path: '${cwd}/../out.txt', content: 'no' } });
  });

  scenario('terminal', {}, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 'run-1', title: 'Compute', kind: 'execute' } },
      { terminal: { command: process.execPath, args: ['-e', 'console.log(`6 x 7 = ${6 * 7}`)'], toolCallId: 'run-1' } },
      { toolUpdate: { toolCallId: 'run-1', status: 'completed' } },
      { terminal: { command: process.execPath, args: ['-e', 'process.exit(3)'] } },
      { terminal: { command: 'no-such-command-anywhere', args: ['--now'] } },
    );
  });

  scenario('terminal-killed', {}, async (stage) => {
    await stage.turn({ terminal: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], killAfterMs: 100 } });
  });

  scenario('terminal-stopped', {}, async (stage) => {
    await stage.ready();
    stage.script({ terminal: { command: process.execPath, args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] } });
    await stage.seen('terminal_output');
    stage.stopTerminal('terminal-1');
    await stage.turnEnd();
  });

  scenario('terminal-left-at-end', {}, async (stage) => {
    await stage.ready();
    stage.script({ terminal: { command: process.execPath, args: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'] } });
    await stage.seen('terminal_output');
  });

  scenario('prompt-error', {}, async (stage) => {
    await stage.turn({ say: 'so far' }, { error: { code: -32050, message: 'out of credit', data: { plan: 'free' } } });
    await stage.turn({ say: 'and on' });
  });

  scenario('refusal', {}, async (stage) => {
    await stage.turn({ stopReason: 'refusal' });
  });

  scenario('agent-dies', {}, async (stage) => {
    await stage.turn({ say: 'last words' }, { tool: EDIT }, { stderr: 'panic: on purpose\n' }, { exit: 3 });
  });

  scenario('noise', {}, async (stage) => {
    await stage.turn({ noise: 'npm warn something\n' }, { say: 'heard' }, { noise: 'no line end yet ' }, { noise: '\n{"broken": \n' }, { say: ' anyway' });
  });

  const modes = {
    currentModeId: 'ask',
    availableModes: [
      { id: 'ask', name: 'Ask' },
      { id: 'code', name: 'Code' },
    ],
  };

  scenario('modes', { setup: { new: { modes } } }, async (stage) => {
    await stage.ready();
    stage.setConfig('$mode', 'code');
    await stage.seen('config_value', ({ value }) => value === 'code');
    await stage.turn({ mode: 'ask' });
  });

  const verbose = { type: 'boolean' as const, id: 'verbose', name: 'Verbose', currentValue: false };
  const model = {
    type: 'select' as const,
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'small',
    options: [{ group: 'g', name: 'Group', options: [{ value: 'small', name: 'Small' }, { value: 'large', name: 'Large' }] }],
  };

  scenario('config-options', { setup: { new: { configOptions: [verbose, model] } } }, async (stage) => {
    await stage.ready();
    stage.setConfig('verbose', true);
    await stage.seen('config_options', ({ options }) => options.some((option) => option.type === 'boolean' && option.currentValue));
    stage.setConfig('model', 'large');
    await stage.seen('config_options', ({ options }) => options.some((option) => option.type === 'select' && option.currentValue === 'large'));
    stage.setConfig('colour', 'red');
    await stage.seen('notice');
    await stage.turn({ config: [model, { type: 'dial', id: 'd', name: 'Dial', currentValue: 3 }] });
  });

  scenario('commands-usage-info', {}, async (stage) => {
    await stage.turn(
      { commands: [{ name: 'go', description: 'Goes' }, { name: 'find', description: 'Finds', input: { hint: 'what' } }] },
      { usage: { used: 100, size: 1000, cost: { amount: 0.5, currency: 'EUR' } } },
      { info: { title: 'A title', updatedAt: '2026-01-02T03:04:05Z' } },
      { info: { title: null } },
      { notice: { severity: 'warning', title: 'Careful', description: 'It is hot' } },
    );
  });

  scenario('cancel-while-streaming', {}, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, { onCancel: [{ say: 'stopping' }] }, { say: 'going on' }, { waitCancel: true }, { say: 'never said' });
    await stage.seen('message_chunk');
    stage.cancel();
    await stage.turnEnd();
    await stage.turn({ say: 'next turn' });
  });

  scenario('malformed-updates', {}, async (stage) => {
    await stage.turn(
      { say: 'one' },
      { update: { sessionUpdate: 'tool_call', title: 7 } },
      { update: { sessionUpdate: 'plan', entries: 'none' } },
      { update: { sessionUpdate: 'usage_update', used: 'much', size: -1 } },
      { raw: { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'session-1', update: null } } },
      { raw: { jsonrpc: '2.0', method: 'session/update', params: 'what' } },
      { raw: { jsonrpc: '2.0', id: 'nobody-asked', result: {} } },
      { say: ' two' },
    );
  });

  scenario('unknown-request', {}, async (stage) => {
    await stage.turn({ request: { method: '_vendor/dance', params: {} } }, { request: { method: 'fs/read_text_file', params: { sessionId: 'session-1' } } });
  });

  scenario('unknown-session', {}, async (stage) => {
    await stage.turn(
      { raw: { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'other', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'not yours' } } } } },
      { request: { method: 'fs/read_text_file', params: { sessionId: 'other', path: '${cwd}/calc.js' } } },
    );
  });

  scenario('journey', {}, async (stage) => {
    await stage.file('calc.js', CALC, '// mine\n');
    await stage.ready();
    stage.prompt('Please look at calc.js');
    await stage.turnEnd();
  });

  scenario('agent-not-found', { launch: { command: 'no-such-agent-anywhere', args: [] } }, async (stage) => {
    await stage.seen('session_failed');
  });

  scenario('wrong-version', { setup: { initialize: { protocolVersion: 99 } } }, async (stage) => {
    await stage.seen('session_failed');
  });

  it('has no golden text without a scenario', () => {
    const files = readdirSync(path.resolve('test/golden/scenarios')).map((file) => path.basename(file, '.txt'));
    assert.deepEqual(files.sort(), [...names].sort());
  });
});
