/** The tooltips of files that wait for review. */
import assert from 'node:assert/strict';
import type { ReviewFile } from '../../../../../src/changes/review/review';
import { changeText, unknownText } from '../../../../../src/application/changes/text/changeText';
import { english } from '../../english';

describe('the text for a changed file', () => {
  const FILE = { kind: 'file', hash: 'a', size: 1, mode: 0o644, kept: true } as const;
  const text = (more: Partial<ReviewFile>): string =>
    changeText({ path: '/work/src/a.ts', before: FILE, after: FILE, isDeleted: false, turns: ['1'], ...more }, english);

  it('names the target of a symbolic link', () => {
    const after = { kind: 'link', target: 'b.ts' } as const;
    assert.equal(text({ after }), 'a.ts was replaced by a symbolic link to b.ts');
    assert.equal(text({ after, before: { kind: 'none' } }), 'a.ts was created as a symbolic link to b.ts');
    assert.equal(text({ after, before: { kind: 'link', target: 'c.ts' } }), 'a.ts was changed to link to b.ts');
  });

  it('shows that a deleted file cannot be undone, and why', () => {
    const before = { kind: 'unknown', reason: 'too_large' } as const;
    assert.equal(
      text({ before, after: { kind: 'none' }, isDeleted: true }),
      "a.ts was deleted. Can't be undone: the file is too large to store an earlier version",
    );
  });

  it('shows that a deleted file exists again', () => {
    const deleted = { after: { kind: 'none' }, isDeleted: true } as const;
    assert.equal(text(deleted), 'a.ts was deleted');
    assert.equal(text({ ...deleted, isBack: true }), 'a.ts was deleted, and exists again');
  });

  it('does not claim that a file without a known earlier version existed', () => {
    const before = { kind: 'unknown', reason: 'unproven' } as const;
    assert.equal(text({ before }), "a.ts was created or changed. Can't be undone: the earlier version is not known");
  });

  it('shows that the store had no room', () => {
    assert.equal(
      unknownText({ kind: 'unknown', reason: 'limit' }, english),
      "Can't be undone: there was no room to store an earlier version",
    );
  });

  it('names the old folder of a file that moved without a new name', () => {
    assert.equal(text({ oldPath: '/work/lib/a.ts' }), 'a.ts was moved from ../lib/a.ts');
    assert.equal(text({ oldPath: '/work/src/old.ts' }), 'a.ts was moved from old.ts');
  });
});
