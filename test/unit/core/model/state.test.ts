import assert from 'node:assert/strict';
import { conversationBefore } from '../../../../src/core/model/state';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { message, stateOf } from '../../../support/events';

describe('the conversation up to an entry', () => {
  const state = stateOf([message('first', 'a', 'user'), message('one', 'b'), message('second', 'c', 'user'), message('two', 'd')]);

  it('is without that and what follows', () => {
    const text = toMarkdown(conversationBefore(state, 'user:c')!);
    assert.match(text, /first[\s\S]*one/);
    assert.doesNotMatch(text, /second|two/);
    assert.equal(toMarkdown(conversationBefore(state, 'user:a')!), '');
    assert.equal(conversationBefore(state, 'user:gone'), undefined);
    assert.equal(state.entries.length, 4);
  });
});
