/** The steps of a file in a turn, from the reports of its document. */
import assert from 'node:assert/strict';
import { TurnEdits } from '../../../src/changes/turns/turnEdits';

const FILE = '/w/a.txt';

describe('the edits of a turn', () => {
  let edits: TurnEdits;
  beforeEach(() => (edits = new TurnEdits()));
  const steps = (before: string, after: string, isSaved = false): string[] | undefined =>
    edits.stepsOf(FILE, before, after, isSaved)?.map(({ author, text }) => `${author}: ${text}`);

  it('are unknown for a file without a document', () => {
    assert.equal(steps('a', 'b'), undefined);
  });

  it('join the typing of the user into one step', () => {
    edits.documentOpened(FILE, 'a', false);
    ['ab', 'abc', 'abcd'].forEach((text) => edits.documentChanged(FILE, text, 'user'));
    edits.saved(FILE, 'abcd');
    assert.deepEqual(steps('a', 'abcd', true), ['user: abcd']);
  });

  it('keep the step that was saved when the typing continues', () => {
    edits.documentOpened(FILE, 'a', false);
    edits.documentChanged(FILE, 'ab', 'user');
    edits.saved(FILE, 'ab');
    edits.documentChanged(FILE, 'abc', 'user');
    assert.deepEqual(steps('a', 'ab', true), ['user: ab']);
  });

  it('keep the parts of both authors apart', () => {
    edits.documentOpened(FILE, 'a', false);
    edits.documentChanged(FILE, 'a agent', 'agent');
    edits.documentChanged(FILE, 'a agent user', 'user');
    edits.saved(FILE, 'a agent user');
    assert.deepEqual(steps('a', 'a agent user', true), ['agent: a agent', 'user: a agent user']);
  });

  it('leave out unsaved typing', () => {
    edits.documentOpened(FILE, 'a', false);
    edits.documentChanged(FILE, 'a typed', 'user');
    assert.deepEqual(steps('a', 'agent'), ['agent: agent']);
  });

  it('leave out unsaved typing from before the turn', () => {
    edits.documentOpened(FILE, 'a typed', true);
    assert.deepEqual(steps('a', 'agent'), ['agent: agent']);
  });

  it('keep unsaved typing that a write of the agent contains', () => {
    edits.documentOpened(FILE, 'a', false);
    edits.documentChanged(FILE, 'a typed', 'user');
    edits.documentChanged(FILE, 'a typed agent', 'agent');
    assert.deepEqual(steps('a', 'a typed agent'), ['user: a typed', 'agent: a typed agent']);
  });

  it('begin with the agent when the file had changed before it was opened', () => {
    edits.documentOpened(FILE, 'silent', false);
    edits.documentChanged(FILE, 'silent user', 'user');
    edits.saved(FILE);
    assert.deepEqual(steps('a', 'silent user', true), ['agent: silent', 'user: silent user']);
  });

  it('end with the agent when the disk has a text that no document had', () => {
    edits.documentOpened(FILE, 'a', false);
    edits.documentChanged(FILE, 'a user', 'user');
    edits.saved(FILE, 'a user');
    assert.deepEqual(steps('a', 'a user agent'), ['user: a user', 'agent: a user agent']);
  });

  it('are unknown when the user saved a text that no document reported', () => {
    edits.saved(FILE);
    assert.equal(steps('a', 'b', true), undefined);
  });

  it('are unknown when the first report is a change', () => {
    edits.documentChanged(FILE, 'b', 'user');
    edits.saved(FILE);
    assert.equal(steps('a', 'b', true), undefined);
  });

  it('are unknown beyond the bound of steps', () => {
    edits = new TurnEdits({ steps: 3, units: 1000 });
    edits.documentOpened(FILE, '0', false);
    ['1', '2', '3', '4'].forEach((text, index) => edits.documentChanged(FILE, text, index % 2 === 0 ? 'agent' : 'user'));
    assert.equal(steps('0', '4'), undefined);
    assert.equal(edits.hasOthers(FILE, '0'), true);
  });

  it('are unknown beyond the bound of texts', () => {
    edits = new TurnEdits({ steps: 100, units: 10 });
    edits.documentOpened(FILE, '0', false);
    edits.documentChanged(FILE, '012345', 'agent');
    edits.documentChanged(FILE, '0123456789', 'user');
    assert.equal(steps('0', '0123456789'), undefined);
  });
});
