/** The names of those who changed a file in the same turn as the agent. */
import assert from 'node:assert/strict';
import { inertLine } from '../../../../../src/application/shared/escape';
import { sharedAuthors, sharedMessage, sharedText } from '../../../../../src/application/changes/text/sharedAuthors';
import { english } from '../../english';

describe('a file that several changed', () => {
  const titleOf = (key: string) =>
    key === 'other' ? inertLine('Fix the parser', 60) : key === 'third' ? inertLine('Docs', 60) : undefined;
  const texts = (...sharedWith: readonly string[]): readonly string[] => {
    const authors = sharedAuthors({ sharedWith, hunks: { hunks: [{}] } }, titleOf);
    return [sharedText(authors, english), sharedMessage('/w/README.md', authors, english)];
  };

  it('names the user', () => {
    assert.deepEqual(texts('user'), ['Also changed by you', 'You changed README.md in the same turn, too. Undo its changes one by one.']);
  });

  it('names the other sessions by their titles', () => {
    assert.deepEqual(texts('other'), [
      'Also changed by Fix the parser',
      'Fix the parser changed README.md in the same turn, too. Undo its changes one by one.',
    ]);
    assert.equal(texts('other', 'third')[0], 'Also changed by Fix the parser, Docs');
    assert.equal(texts('user', 'other')[0], 'Also changed by you and Fix the parser');
    assert.equal(texts('user', 'other')[1], 'You and Fix the parser changed README.md in the same turn, too. Undo its changes one by one.');
  });

  it('names no one where no window followed the turn', () => {
    assert.deepEqual(texts('unseen'), [
      'Author not known, because the window was away',
      "It isn't known who changed README.md, because the window was away during the turn. Undo its changes one by one, or restore a checkpoint.",
    ]);
    // Known authors are named.
    assert.equal(texts('user', 'unseen')[0], 'Also changed by you');
    assert.equal(texts('other', 'unseen')[0], 'Also changed by Fix the parser');
  });

  it('names both where neither is known', () => {
    const either = [
      'Also changed by you or another session',
      'You or another session changed README.md in the same turn. Undo its changes one by one.',
    ];
    assert.deepEqual(texts(), either);
    assert.deepEqual(texts('closed'), either);
    assert.equal(sharedText(sharedAuthors({}, titleOf), english), either[0]);
  });

  it('advises to restore a checkpoint where no change can be undone alone', () => {
    const messages = (hunks?: { readonly hunks: readonly unknown[] }): readonly string[] =>
      [['user'], ['other'], ['user', 'other'], ['unseen'], []].map((sharedWith) =>
        sharedMessage('/w/logo.png', sharedAuthors({ sharedWith, ...(hunks && { hunks }) }, titleOf), english),
      );
    const expected = [
      'You changed logo.png in the same turn, too. Restore a checkpoint to take its changes back.',
      'Fix the parser changed logo.png in the same turn, too. Restore a checkpoint to take its changes back.',
      'You and Fix the parser changed logo.png in the same turn, too. Restore a checkpoint to take its changes back.',
      "It isn't known who changed logo.png, because the window was away during the turn. Restore a checkpoint to take its changes back.",
      'You or another session changed logo.png in the same turn. Restore a checkpoint to take its changes back.',
    ];
    assert.deepEqual(messages(), expected);
    // The file was moved, and its lines are as before.
    assert.deepEqual(messages({ hunks: [] }), expected);
  });
});
