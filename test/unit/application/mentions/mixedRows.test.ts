/** The order of files and symbols that a word behind an `@` finds. */
import assert from 'node:assert/strict';
import type { MentionRow } from '../../../../src/core/protocol/view';
import { mixedRows, rankedSymbols } from '../../../../src/application/mentions/mixedRows';

describe('the rows that a word behind an @ finds', () => {
  const file = (label: string): MentionRow => ({ kind: 'file', label, detail: '' });
  const symbol = (label: string, uri = 'file:///w/a.ts'): MentionRow => ({
    kind: 'symbol',
    label,
    detail: '',
    mention: { type: 'mention', token: `@${label}`, name: label, ref: { kind: 'symbol', uri, symbol: label, line: 1, endLine: 1 } },
  });
  const labels = (rows: readonly MentionRow[]) => rows.map(({ label }) => label);

  it('have the symbols behind the first files, whatever number of files matches', () => {
    const files = Array.from({ length: 60 }, (_, index) => file(`f${index}`));
    const rows = labels(mixedRows({ before: [file('front')], files, symbols: [symbol('add')], conversations: [file('talk')] }));
    assert.deepEqual(rows.slice(0, 8), ['front', 'f0', 'f1', 'f2', 'f3', 'f4', 'add', 'f5']);
    assert.deepEqual([rows.length, rows.at(-1)], [50, 'talk']);
    assert.deepEqual(labels(mixedRows({ before: [], files: [file('a')], symbols: [symbol('add')], conversations: [] })), ['a', 'add']);
  });

  it('have the file in front once', () => {
    const mentioned = (label: string, kind: 'file' | 'selection' = 'file'): MentionRow => ({
      ...file(label),
      kind,
      mention: { type: 'mention', token: `@${label}`, name: label, ref: { kind: 'file', uri: `file:///w/${label}` } },
    });
    const rows = (front: MentionRow) =>
      mixedRows({ before: [front], files: [mentioned('a.ts'), mentioned('b.ts')], symbols: [], conversations: [] });
    assert.deepEqual(labels(rows({ ...mentioned('a.ts'), detail: 'Active file' })), ['a.ts', 'b.ts']);
    assert.deepEqual(labels(rows(mentioned('a.ts', 'selection'))), ['a.ts', 'a.ts', 'b.ts']);
  });

  it('have the symbol of that name before loose matches in the document in front', () => {
    const own = ['addRow', 'handleDrop', 'areaDecided'].map((name) => symbol(name));
    const all = [symbol('add', 'file:///w/b.ts'), symbol('addRow')];
    assert.deepEqual(labels(rankedSymbols(own, all, 'add', 3)), ['add', 'addRow', 'handleDrop']);
  });
});
