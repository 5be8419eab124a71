import assert from 'node:assert/strict';
import { traceRow } from '../../../src/workbench/traceRows';
import { visible, visibleLine } from '../../../src/workbench/escape';
import { english } from './english';

describe('traces in a list', () => {
  const trace = { agentName: 'Agent\n$(bug)', commandLine: `run ${'x'.repeat(500)}`, cwd: '/w', startedAt: Date.UTC(2026, 10, 21, 9), endedAt: undefined };

  it('say what runs where, and since when', () => {
    const row = traceRow(trace, english, 'en-GB');
    assert.equal(row.label, 'Agent⏎$\u2060(bug)');
    assert.equal(row.description, `runs since ${new Date(trace.startedAt).toLocaleTimeString('en-GB')}`);
    assert.match(row.detail, /^run x+ …\(\+\d+\)… x+ in \/w$/);
  });

  it('say when an agent ended', () => {
    const endedAt = trace.startedAt + 1000;
    assert.equal(traceRow({ ...trace, endedAt }, english, 'en-GB').description, `ended at ${new Date(endedAt).toLocaleTimeString('en-GB')}`);
  });
});

describe('lines of the log', () => {
  it('show control characters, and leave what only lists would draw as an icon', () => {
    assert.equal(visibleLine('a\u001b[31m\u202e$(bug)\r\nb\t c'), 'a␛[31m‹U+202E›$(bug)⏎b  c');
    assert.equal(visible(' a$(bug) '), 'a$\u2060(bug)');
  });
});
