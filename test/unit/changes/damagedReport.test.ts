/** The stored report of a session, as a crash, another version or another program may have left it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { FileState } from '../../../src/core/fileChanges/records';
import { ChangeReport, type ChangeReportDependencies, type FileNote } from '../../../src/changes/review/changeReport';
import { systemClock } from '../../../src/util/clock';

const at = (name: string): string => path.resolve('/project', name);
const NONE: FileState = { kind: 'none' };
const FILE: FileState = { kind: 'file', hash: createHash('sha256').update('a').digest('hex'), size: 1, mode: 0o644, kept: true };
const HUNK = { by: 'turn-1', text: 'agent\n', gone: false };

const note = (name: string, more: object = {}): FileNote => ({
  path: at(name),
  whole: 'undone',
  words: 'It was put back.',
  believed: FILE,
  actual: NONE,
  diff: '-agent',
  ...more,
});

describe('a stored report', () => {
  let report: ChangeReport;
  afterEach(() => report.dispose());

  async function load(stored: unknown): Promise<ChangeReport> {
    const folder = { readAll: async () => Buffer.from(JSON.stringify(stored)), replace: async () => undefined };
    report = new ChangeReport({
      sessionKey: 'session',
      folder: folder as unknown as ChangeReportDependencies['folder'],
      clock: systemClock,
      review: undefined,
      nameOf: (file) => path.basename(file),
      access: { maySend: (paths) => !paths.some((each) => each.endsWith('.env')), refresh: () => undefined, onDidChange: () => NOTHING },
      wasSent: () => false,
    });
    await report.load();
    return report;
  }

  const whole = { version: 1, count: 3, told: [[at('a.txt'), [[1, HUNK]]]], notes: [note('a.txt')], moves: [[at('b.txt'), [at('.env')]]] };

  const damaged: readonly (readonly [string, object])[] = [
    ['a path that is no text', { notes: [note('x', { path: 7 }), note('a.txt')] }],
    ['a relative path', { notes: [note('x', { path: 'x' }), note('a.txt')] }],
    ['a note that is null', { notes: [null, note('a.txt')] }],
    ['a note without a difference', { notes: [note('x', { diff: undefined }), note('a.txt')] }],
    ['a note of an unknown kind', { notes: [note('x', { whole: 'deleted' }), note('a.txt')] }],
    ['a note with an unknown other path', { notes: [note('x', { otherPaths: [at('y'), null] }), note('a.txt')] }],
    ['a reported file that is null', { told: [null, ...whole.told] }],
    ['reported changes that are an object', { told: [[at('x'), {}], ...whole.told] }],
    ['a reported change that is null', { told: [[at('x'), [null, [1, null], [2, HUNK]]], ...whole.told] }],
    ['a reported change without text', { told: [[at('x'), [[1, { by: 'turn-1', gone: false }]]], ...whole.told] }],
    ['a move that is null', { moves: [null, ...whole.moves] }],
    ['a move from nowhere', { moves: [[at('x'), null], [at('x')], ...whole.moves] }],
    ['a move from a number', { moves: [[at('x'), [1, at('y')]], ...whole.moves] }],
    ['moves that are an object', { moves: {} }],
    ['a number that is no number', { count: 'three' }],
  ];
  for (const [what, change] of damaged) {
    it(`loses only the entry with ${what}`, async () => {
      await load({ ...whole, ...change });
      assert.deepEqual(report.summary, [{ path: 'a.txt', whole: 'undone' }]);
      assert.deepEqual(report.otherPathsOf(at('b.txt')), what === 'moves that are an object' ? [] : [at('.env')]);
    });
  }

  it('does not restore a state that is not valid', async () => {
    await load({ ...whole, notes: [note('a.txt', { believed: { kind: 'file', hash: '../x', size: 1, mode: 0o644, kept: true } })] });
    assert.equal(report.noteOf(at('a.txt'))?.believed.kind, 'unknown');
  });

  it('keeps the rest of a note when its file has another path', async () => {
    const moved = note('c.txt', { moved: true, otherPaths: [at('.env')] });
    await load({ ...whole, notes: [moved] });
    assert.deepEqual(report.noteOf(at('c.txt')), moved);
  });
});

const NOTHING = { dispose: () => undefined };
