/** The words that ask for a comment. */
import assert from 'node:assert/strict';
import { commentWords } from '../../../../src/application/comments/commentWords';
import { english } from '../english';

describe('words that ask for a comment', () => {
  it('name the session and what to say, in every box', () => {
    assert.deepEqual(commentWords('Fix the login', english), {
      prompt: 'Comment for Fix the login',
      placeHolder: 'Comment for Fix the login: say what should change here',
    });
    assert.equal(commentWords(undefined, english).placeHolder, 'Comment for the agent: say what should change here');
    assert.equal(commentWords('x'.repeat(100), english).prompt.length, 'Comment for '.length + 60);
  });
});
