import assert from 'node:assert/strict';
import { inOrder, traceRow } from '../../../../src/application/export/traceRows';
import { inertLine, visibleLine } from '../../../../src/application/shared/escape';
import { english } from '../english';

describe('traces in a list', () => {
  const trace = {
    agentId: 'Agent',
    agentName: 'Agent\n$(bug)',
    commandLine: `run ${'x'.repeat(500)}`,
    cwd: '/w',
    startedAt: Date.UTC(2026, 10, 21, 9),
    endedAt: undefined,
  };

  it('name the command and folder, and the time since the start', () => {
    const row = traceRow(trace, english, 'en-GB');
    assert.equal(row.label, 'Agent⏎$\u2060(bug)');
    assert.equal(row.description, `Running since ${new Date(trace.startedAt).toLocaleTimeString('en-GB')}`);
    assert.match(row.detail, /^run x+ …\(\+\d+\)… x+ in \/w$/);
  });

  it('name the time when an agent ended', () => {
    const endedAt = trace.startedAt + 1000;
    assert.equal(
      traceRow({ ...trace, endedAt }, english, 'en-GB').description,
      `Ended at ${new Date(endedAt).toLocaleTimeString('en-GB')}`,
    );
  });
});

describe('agents to choose from', () => {
  it('begin with that of the session in front, then the newest', () => {
    const traces = [
      ['a', '/w'],
      ['b', '/w'],
      ['a', '/x'],
      ['a', '/w'],
      ['c', '/w'],
    ].map(([agentId, cwd], index) => ({ agentId: agentId!, cwd: cwd!, index }));
    const order = (active?: { agentId: string; cwd: string }): number[] => inOrder(traces, active).map(({ index }) => index);
    assert.deepEqual(order({ agentId: 'a', cwd: '/w' }), [3, 0, 4, 2, 1]);
    assert.deepEqual(order(), [4, 3, 2, 1, 0]);
  });
});

describe('lines of the log', () => {
  it('show control characters, and leave text alone that only lists would draw as an icon', () => {
    assert.equal(visibleLine('a\u001b[31m\u202e$(bug)\r\nb\t c'), 'a␛[31m‹U+202E›$(bug)⏎b  c');
    assert.equal(inertLine(' a$(bug) '), 'a$\u2060(bug)');
  });
});
