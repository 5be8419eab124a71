/** The rules of **ACP: Add Agent…**. */
import assert from 'node:assert/strict';
import { parseAgents } from '../../../../src/agent/parseAgents';
import { PREDEFINED_AGENTS } from '../../../../src/agent/predefined';
import { typedVariables } from '../../../../src/agent/typedCommand';
import {
  readCommand,
  readHost,
  readHostFolder,
  readName,
  readVariables,
  variablesText,
  withAgent,
} from '../../../../src/application/agents/addAgentRules';
import { english } from '../english';

describe('adding an agent', () => {
  it('accepts a new name, including that of a hidden or known agent', () => {
    const settings = { Mine: { command: 'x' }, Goose: null };
    assert.deepEqual(readName('  New ', settings, english), { value: 'New' });
    assert.deepEqual(readName('Goose', settings, english), { value: 'Goose' });
    assert.deepEqual(readName('Claude Code', settings, english), { value: 'Claude Code' });
    for (const [name, problem] of [
      ['Mine', 'Your settings already have an agent with this name.'],
      [' ', 'Enter a name.'],
      ['x'.repeat(81), 'Enter a name of up to 80 characters.'],
    ] as const) {
      assert.deepEqual(readName(name, settings, english), { problem });
    }
  });

  it('accepts only commands that the setting accepts', () => {
    const read = (text: string) => readCommand(text, 'linux', english);
    assert.deepEqual(read('agent'), { value: { command: 'agent' } });
    assert.deepEqual(read('agent --acp "a b"'), { value: { command: 'agent', args: ['--acp', 'a b'] } });
    assert.deepEqual(read('./agent'), { problem: '`command` must be a program name or an absolute path' });
    assert.deepEqual(read('~/bin/agent'), { problem: '`command` must be a program name or an absolute path' });
    assert.deepEqual(read('agent && other'), { problem: "Agents start without a shell, so && doesn't work here." });
    assert.deepEqual(read('A=1 agent'), { problem: 'Enter environment variables in the next step.' });
  });

  it('accepts hosts that ssh takes as such, and a program below the home folder of the host', () => {
    assert.deepEqual(readHost(' me@build ', english), { value: 'me@build' });
    for (const host of ['', '-oProxyCommand=id', 'a b', '$(id)']) {
      assert.deepEqual(readHost(host, english), { problem: 'Enter a host of your SSH configuration, or user@host.' });
    }
    assert.deepEqual([readHostFolder(' ', english), readHostFolder('/srv/shop', english)], [{ value: '' }, { value: '/srv/shop' }]);
    assert.ok('problem' in readHostFolder('shop', english));
    assert.deepEqual(readCommand('~/bin/agent --acp', 'win32', english, true), { value: { command: '~/bin/agent', args: ['--acp'] } });
    const { problems } = parseAgents({ Far: { ssh: { host: 'me@build' }, command: '~/bin/agent', args: ['--acp'] } }, 'acpHost.agents');
    assert.deepEqual(problems, []);
  });

  it('adds variables if there are any, and never shows a value', () => {
    const entry = { command: 'agent', args: ['--acp'] };
    const read = (text: string) => readVariables(text, entry, 'linux', english);
    assert.deepEqual(read(''), { value: entry });
    assert.deepEqual(read('KEY="a b"'), { value: { ...entry, env: { KEY: 'a b' } } });
    const refused = read('K EY=hunter2 hunter2');
    assert.ok('problem' in refused && !refused.problem.includes('hunter2=') && refused.problem.startsWith("K isn't a variable."));
  });

  it('keeps every other entry, and leaves a setting alone that is not an object', () => {
    const entry = { command: 'agent' };
    assert.deepEqual(withAgent({ B: 'broken', A: { command: 'x', note: 1 }, C: null }, 'C', entry), {
      B: 'broken',
      A: { command: 'x', note: 1 },
      C: entry,
    });
    assert.deepEqual(withAgent(undefined, 'C', entry), { C: entry });
    for (const value of [[], 'x', 5]) {
      assert.equal(withAgent(value, 'C', entry), undefined);
    }
    assert.ok(Object.hasOwn(withAgent({}, '__proto__', entry)!, '__proto__'));
  });

  it('starts with the command of a known agent', () => {
    for (const { env, agentName } of PREDEFINED_AGENTS) {
      assert.deepEqual(typedVariables(variablesText(env), 'linux'), { env }, agentName);
    }
    const odd = { A: 'x y "z"', B: '', C: 'back\\slash' };
    assert.deepEqual(typedVariables(variablesText(odd), 'linux'), { env: odd });
    assert.deepEqual(parseAgents(withAgent({}, 'New', { command: 'a', args: ['b'], env: odd }), 's').problems, []);
  });
});
