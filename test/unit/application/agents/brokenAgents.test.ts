import assert from 'node:assert/strict';
import { catalogOf } from '../../../../src/agent/catalog';
import { agentRows } from '../../../../src/application/agents/agentRows';
import { brokenAgentsNotice } from '../../../../src/application/agents/brokenAgents';
import { english } from '../english';

const problemsOf = (userAgents: unknown) => catalogOf({ userAgents }).problems;
const noticeOf = (userAgents: unknown) => brokenAgentsNotice(problemsOf(userAgents), english);

describe('the notice about invalid agents', () => {
  it('names each with its own reason, and the misspelled field', () => {
    assert.deepEqual(noticeOf({ 'Bad One': { cmd: 'node' }, 'Bad Two': 'node' }), {
      text: 'Check the agents in your settings. Bad One: `cmd` should be `command`. ' + 'Bad Two: must be an object with a `command`.',
      rest: 0,
    });
  });

  it('counts those that it does not name', () => {
    const bad = (count: number) => noticeOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`Bad ${index}`, 1])));
    assert.deepEqual([bad(3)?.rest, bad(3)?.text.endsWith(' And 1 more.')], [1, true]);
    assert.deepEqual([bad(9)?.rest, bad(9)?.text.endsWith(' And 7 more.')], [7, true]);
  });

  it('describes the error in each field, and in the setting as a whole', () => {
    const reasonOf = (userAgents: unknown) => noticeOf(userAgents)?.text.replace('Check the agents in your settings. ', '');
    const entry = { command: 'x' };
    assert.equal(reasonOf([]), 'acpHost.agents: must be an object with one entry per agent.');
    assert.equal(reasonOf({ ' ': entry }), 'acpHost.agents: the name is empty.');
    assert.equal(reasonOf({ A: {} }), 'A: `command` is missing.');
    assert.equal(reasonOf({ A: { command: ['x'] } }), 'A: `command` must be a string.');
    assert.equal(reasonOf({ A: { command: './x' } }), 'A: `command` must be a program name or an absolute path.');
    assert.equal(reasonOf({ A: { ...entry, args: 'y' } }), 'A: `args` must be an array.');
    assert.equal(
      reasonOf({ A: { ...entry, args: [1], cwd: 'rel', timeoutMs: 0 } }),
      'A: `args[0]` must be a string, `cwd` must be an absolute path, `timeoutMs` must be a number greater than 0.',
    );
    assert.equal(reasonOf({ A: { ...entry, env: [] } }), 'A: `env` must be an object.');
    assert.equal(reasonOf({ A: { ...entry, arguments: [] } }), 'A: `arguments` should be `args`.');
    assert.equal(reasonOf({ A: entry }), undefined);
  });
});

describe('agents that are not valid, in the list of agents', () => {
  it('follow the others of the setting with their reasons, and cannot be started', () => {
    const userAgents = { Bad: { cmd: 'x' }, Odd: { command: 'x', arg: [] }, Worse: 5 };
    const { entries, problems } = catalogOf({ userAgents, predefined: [] });
    const rows = agentRows(entries, { problems }, english);
    assert.deepEqual(
      rows.map((row) => ('separator' in row ? `— ${row.separator}` : `${row.label}${'isBroken' in row ? `: ${row.detail}` : ''}`)),
      [...['— Custom', 'Odd'], 'Bad: `cmd` should be `command`', 'Worse: must be an object with a `command`'],
    );
    assert.ok(rows.every((row) => !('isBroken' in row && 'entry' in row)));
    assert.deepEqual(
      rows.flatMap((row) => ('isBroken' in row ? [row.agentName, row.description] : [])),
      ['Bad', 'Not valid · Select to edit', 'Worse', 'Not valid · Select to edit'],
    );
  });

  it('come before the agents that everybody has', () => {
    const { entries, problems } = catalogOf({ userAgents: { Bad: 1 } });
    const rows = agentRows(entries, { problems }, english);
    const broken = rows.findIndex((row) => 'isBroken' in row);
    assert.ok(broken < rows.findIndex((row) => 'separator' in row && row.separator === 'Popular'));
    assert.deepEqual(rows[broken - 1], { separator: 'Custom' });
  });
});
