import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../../src/core/model/content';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { PromptEcho } from '../../../../src/core/replay/promptEcho';
import { chunk, text } from '../../../support/events';
import { spoken } from './histories';

const SENT = 'three hello\nagain friends';

/** The conversation after a prompt and these updates, each delivered separately. */
function after(updates: readonly EventInput[], content: readonly ContentBlock[] = [text(SENT)]): string[] {
  const echo = new PromptEcho();
  const add = (state: SessionState, event: EventInput): SessionState => reduce(state, { ...event, at: 1 } as SessionEvent);
  const start = [
    { type: 'turn_started', turnId: 't' },
    { type: 'message', role: 'user', messageId: 't', content },
  ] as const;
  const state = updates.reduce(
    (before, update) => echo.without([update], before).reduce(add, before),
    start.reduce<SessionState>(add, EMPTY_STATE),
  );
  return spoken(state);
}

const user = (words: string, messageId = '~1'): EventInput => chunk(words, messageId, 'user');

describe('an echo of the prompt', () => {
  const shown = [`user ${SENT}`];

  it('is left out when it is one chunk', () => assert.deepEqual(after([user(SENT)]), shown));

  it('is left out when it is several chunks, which a thought may separate', () => {
    const pieces = [user('three he', 'um1'), chunk('hm', 'th', 'thought'), user('llo\nagain ', 'um1'), user('friends', 'um1')];
    assert.deepEqual(after(pieces), [...shown, 'thought hm']);
    assert.deepEqual(after([user('three he', 'a'), user('llo again', 'b'), user(' friends', 'c')]), shown);
  });

  it('is left out when it is trimmed, wrapped or cut', () => {
    assert.deepEqual(after([user('three hello again')]), shown);
    assert.deepEqual(after([user('  three hello again friends\n\n')]), shown);
  });

  it('is left out with the attachments that were sent', () => {
    const link = { type: 'resource_link', uri: 'file:///a.ts', name: 'a.ts' } as const;
    const sent = [text('see '), link, text(' please')];
    const echoed = sent.map((content): EventInput => ({ type: 'message_chunk', role: 'user', messageId: 'e', content }));
    assert.deepEqual(after(echoed, sent), ['user see resource_link please']);
    assert.deepEqual(after([user('see please', 'e')], sent), ['user see resource_link please']);
  });

  it('is left out each time', () =>
    assert.deepEqual(after([user(SENT, 'a'), chunk('Answer'), user(SENT, 'b')]), [...shown, 'agent Answer']));
});

describe('a message of the user that differs from the prompt', () => {
  it('is shown, with the chunks that looked like an echo', () => {
    assert.deepEqual(after([user('three '), user('others'), user(' more')]), [`user ${SENT}`, 'user three others more']);
    assert.deepEqual(after([user(`${SENT}, and more`)]), [`user ${SENT}`, `user ${SENT}, and more`]);
    assert.deepEqual(after([user('friends')]), [`user ${SENT}`, 'user friends']);
  });

  it('is shown twice when it arrives twice', () => {
    assert.deepEqual(after([user('x', 'a'), user('x', 'b')]), [`user ${SENT}`, 'user x', 'user x']);
  });

  it('is shown outside turns', () => {
    assert.deepEqual(new PromptEcho().without([user(SENT)], EMPTY_STATE), [user(SENT)]);
  });
});
