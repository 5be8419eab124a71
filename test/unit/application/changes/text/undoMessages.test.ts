/** The question before an undo of several files, and the message after it. */
import assert from 'node:assert/strict';
import type { PlannedUndo } from '../../../../../src/changes/undo/undo';
import type { UndoAction, UndoEffect } from '../../../../../src/changes/undo/undoPlan';
import { leftMessage, leftSummary, planLines, undoQuestion } from '../../../../../src/application/changes/text/undoMessages';
import { english } from '../../english';

describe('the question before an undo', () => {
  const planned = (path: string, action: UndoAction, names = 1, relinked?: true): PlannedUndo =>
    ({ target: { file: { path, relinked } }, action, facts: { names } }) as unknown as PlannedUndo;
  const write = (path: string, effect: UndoEffect, names?: number, relinked?: true): PlannedUndo =>
    planned(path, { type: 'write', writes: [], removals: [], effect }, names, relinked);

  it('names the files of each effect', () => {
    const plans = [
      write('/w/a.ts', 'change'),
      write('/w/made.ts', 'delete'),
      write('/w/link.ts', 'delete'),
      write('/w/gone.ts', 'create'),
      write('/w/new.ts', 'move'),
      planned('/w/since.ts', { type: 'leave', reason: 'changed_since' }),
    ];
    assert.deepEqual(planLines(plans, english), [
      'Will be deleted: made.ts, link.ts',
      'Will be changed: a.ts',
      'Will be created again: gone.ts',
      'Will be moved back: new.ts',
      "Can't be undone:",
      'Changed since: since.ts',
    ]);
  });

  it('names the files that change under other names, too', () => {
    const plans = [
      write('/w/a.ts', 'change', 2),
      write('/w/new.ts', 'change', 2, true),
      write('/w/made.ts', 'delete', 2),
      write('/w/b.ts', 'change'),
    ];
    assert.deepEqual(planLines(plans, english), [
      'Will be deleted: made.ts',
      'Will be changed: a.ts, new.ts, b.ts',
      'Will be changed under their other names (hard links), too: a.ts',
    ]);
  });

  it('lists eight names and counts the others', () => {
    const plans = Array.from({ length: 300 }, (_, index) => write(`/w/f${index}`, 'change'));
    assert.deepEqual(planLines(plans, english), ['Will be changed: f0, f1, f2, f3, f4, f5, f6, f7, 292 more']);
  });

  it('shows the folders of files of the same name', () => {
    const plans = [write('/w/one/index.ts', 'delete'), write('/w/two/index.ts', 'delete'), write('/w/two/b.ts', 'delete')];
    assert.deepEqual(planLines(plans, english), ['Will be deleted: one/index.ts, two/index.ts, b.ts']);
  });

  it('names a single file', () => {
    assert.equal(undoQuestion(['/w/a.ts'], english), 'Are you sure you want to undo the changes in a.ts?');
    assert.equal(undoQuestion(['/w/a.ts', '/w/b.ts'], english), 'Are you sure you want to undo the changes in 2 files?');
  });
});

describe('the message after an undo', () => {
  it('names the files that were left, by reason', () => {
    const left = [
      { path: '/w/a.csv', reason: 'unknown' },
      { path: '/w/b.csv', reason: 'unknown' },
      { path: '/w/c', reason: 'changed_since' },
    ] as const;
    assert.equal(leftSummary(left, english), '3 files were not undone. Earlier version not known: a.csv, b.csv. Changed since: c.');
  });

  it('names no one for files that changed while the window was away', () => {
    const left = [
      { path: '/w/a', reason: 'unseen' },
      { path: '/w/b', reason: 'shared' },
    ] as const;
    assert.equal(
      leftSummary(left, english),
      '2 files were not undone. Author not known, because the window was away: a. Changed by you or another session in the same turn: b.',
    );
    assert.match(leftMessage(left[0], english), /^It isn't known who changed a, because /);
  });

  it('names a file once when two sessions have changed it', () => {
    const left = [
      { path: '/w/both.txt', reason: 'shared' },
      { path: '/w/both.txt', reason: 'shared' },
      { path: '/w/c', reason: 'changed_since' },
    ] as const;
    assert.equal(
      leftSummary(left, english),
      '2 files were not undone. Changed by you or another session in the same turn: both.txt. Changed since: c.',
    );
  });
});
