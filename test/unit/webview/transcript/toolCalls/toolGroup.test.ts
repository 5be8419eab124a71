import assert from 'node:assert/strict';
import { EntryList } from '../../../../../src/core/model/entries';
import type { MessageEntry, Slot, ToolCallEntry } from '../../../../../src/core/model/state';
import {
  type GroupedSlot,
  isOver,
  partsOf,
  type RunEntry,
  runAt,
  sameParts,
  timeOf,
} from '../../../../../webview/transcript/toolCalls/toolGroup';
import { pathOf, titleOf, withoutSigns } from '../../../../../webview/transcript/toolCalls/toolTitle';
import { runText } from '../../../../../webview/base/strings';

let count = 0;
const call = (toolKind: string, more: Partial<ToolCallEntry> = {}): ToolCallEntry => {
  const toolCallId = `c${count++}`;
  return {
    kind: 'tool_call',
    entryId: `tool_call:${toolCallId}`,
    toolCallId,
    at: 0,
    updatedAt: 0,
    toolKind,
    status: 'completed',
    content: [],
    locations: [],
    ...more,
  };
};
const message = (role: 'agent' | 'thought'): MessageEntry => ({
  kind: 'message',
  entryId: `m${count++}`,
  messageId: 'm',
  role,
  at: 0,
  updatedAt: 0,
  content: [{ type: 'text', text: 'x' }],
});
const absent = (): Slot => ({ entryId: `a${count++}`, kind: 'tool_call', absent: true });

/** 'r' read, 's' search, 'h' fetch, 't' thought, 'f' failed read, 'e' edit, 'm' message, 'w' a running read, 'a' absent. */
const made: Record<string, () => Slot> = {
  r: () => call('read'),
  s: () => call('search'),
  h: () => call('fetch'),
  t: () => message('thought'),
  f: () => call('read', { status: 'failed' }),
  c: () => call('read', { status: 'cancelled' }),
  e: () => call('edit'),
  m: () => message('agent'),
  w: () => call('read', { status: 'in_progress' }),
  a: absent,
};
const listOf = (letters: string) => EntryList.of([...letters].map((letter) => made[letter]!()));

/** The same letters, those of a run in brackets, or in braces when the run began earlier. */
function shape(letters: string, from = 0, to = letters.length): string {
  const entries = listOf(letters);
  let at = from;
  const words = partsOf(entries, entries.slice(from, to)).map((part: GroupedSlot) => {
    const length = part.slot ? 1 : part.own.length;
    const text = letters.slice(at, (at += length));
    return part.slot ? text : part.first ? `[${text}]` : `{${text}}`;
  });
  return words.join('');
}

describe('runs of tool calls', () => {
  it('are three or more calls that only read', () => {
    assert.equal(shape('rr'), 'rr');
    assert.equal(shape('rsr'), '[rsr]');
    assert.equal(shape('rhshrh'), '[rhshrh]');
    assert.equal(shape('mrrrem'), 'm[rrr]em');
    assert.equal(shape('rrwm'), '[rrw]m');
  });

  it('end at a call that failed, was cancelled or changes something, and at a message', () => {
    assert.equal(shape('rrrfrr'), '[rrr]frr');
    assert.equal(shape('rrrcrrr'), '[rrr]c[rrr]');
    assert.equal(shape('rremrr'), 'rremrr');
    assert.equal(shape('rrarr'), 'rrarr');
  });

  it('contain the thoughts between them, but not those at their ends', () => {
    assert.equal(shape('trtrtsrt'), 't[rtrtsr]t');
    assert.equal(shape('rtr'), 'rtr');
    assert.equal(shape('tttt'), 'tttt');
  });

  it('recognize a search by its name, but never a call that changes a file', () => {
    const entries = EntryList.of([
      call('other', { name: 'ls' }),
      call('other', { name: 'Glob' }),
      call('read'),
      call('other', { name: 'deploy' }),
    ]);
    assert.deepEqual(runAt(entries, 1), { from: 0, to: 3 });
    assert.equal(runAt(entries, 3), undefined);
    const diff = call('read', { content: [{ type: 'diff', changes: [] }] });
    assert.equal(runAt(EntryList.of([call('read'), call('read'), diff]), 0), undefined);
  });

  it('are over once another entry than a thought follows', () => {
    const overs = ['rrr', 'mrrr', 'rrrt', 'rrrm', 'rrrtm', 'rrre', 'rrrf', 'rrra', 'r'.repeat(300)].map((letters) => {
      const entries = listOf(letters);
      const { from, to } = runAt(entries, letters.indexOf('r'))!;
      return isOver(entries, entries.slice(from, to) as RunEntry[]);
    });
    assert.deepEqual(overs, [false, false, false, true, true, true, true, true, true]);
  });

  it('extend across the edges of pages', () => {
    assert.equal(shape('mrrrrm', 0, 3), 'm[rr]');
    assert.equal(shape('mrrrrm', 3, 6), '{rr}m');
    assert.equal(shape('mrrm', 2, 4), 'rm');
  });

  it('are divided when one would be too long', () => {
    const entries = listOf('r'.repeat(300));
    assert.deepEqual(runAt(entries, 127), { from: 0, to: 128 });
    assert.deepEqual(runAt(entries, 128), { from: 128, to: 256 });
  });

  it('keep their identity until something in them changes, on whichever page', () => {
    const entries = listOf('mrrrrm');
    const page = entries.slice(0, 3);
    const before = partsOf(entries, page);
    assert.ok(sameParts(before, partsOf(entries, page)));
    const changed = entries.replace({ ...(entries.at(4) as ToolCallEntry), updatedAt: 9 });
    assert.ok(!sameParts(before, partsOf(changed, page)));
    assert.ok(sameParts(before, partsOf(entries.append(message('agent')), page)));
  });

  it('have the total time in which any of their calls was running', () => {
    const from = (at: number, updatedAt: number) => call('read', { at, updatedAt });
    assert.equal(timeOf([from(0, 1000), from(500, 1500), from(5000, 6000), from(100, 200)]), 2500);
    assert.equal(timeOf([]), 0);
  });

  it('are summarized in one phrase', () => {
    assert.deepEqual(
      (
        [
          [0, 0],
          [1, 0],
          [2, 0],
          [0, 1],
          [0, 3],
          [1, 1],
          [1, 2],
          [5, 1],
          [5, 3],
          [0, 0, 1],
          [0, 0, 4],
          [2, 1, 1],
          [0, 1, 2],
        ] as const
      ).map(([files, searches, fetches]) => runText(files, searches, fetches)),
      [
        '',
        'Read 1 file',
        'Read 2 files',
        'Searched once',
        'Searched 3 times',
        'Read 1 file, searched once',
        'Read 1 file, searched 2 times',
        'Read 5 files, searched once',
        'Read 5 files, searched 3 times',
        'Fetched 1 page',
        'Fetched 4 pages',
        'Read 2 files, searched once, fetched 1 page',
        'Searched once, fetched 2 pages',
      ],
    );
  });
});

describe('titles of tool calls', () => {
  it('lose the syntax of code, but not inside a command', () => {
    assert.equal(withoutSigns('Find `**/*.ts` in ``a`b``', 'search'), 'Find **/*.ts in ``a`b``');
    assert.equal(withoutSigns('`ls -la`', 'execute'), 'ls -la');
    assert.equal(withoutSigns('echo `date`', 'execute'), 'echo `date`');
    assert.equal(withoutSigns('a ` b', 'read'), 'a ` b');
  });

  it('fall back to the name, then to the kind', () => {
    assert.equal(titleOf(call('read', { title: '/w/a.ts', name: 'Read' }), '/w'), 'a.ts');
    assert.equal(titleOf(call('read', { title: ' ', name: 'Read' }), ''), 'Read');
    assert.equal(titleOf(call('fetch'), ''), 'Fetch');
  });

  it('concern the file that is named first', () => {
    assert.equal(pathOf(call('read', { locations: [{ path: '/a' }, { path: '/b' }] })), '/a');
    assert.equal(pathOf(call('read', { rawInput: { filePath: '/c' } })), '/c');
    assert.equal(pathOf(call('read', { rawInput: 'text' })), undefined);
  });
});
