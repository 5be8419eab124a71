import assert from 'node:assert/strict';
import type { SessionEvent, SessionHappening } from '../../../src/core/event';
import { reduce } from '../../../src/core/reduce';
import { EMPTY_STATE, type SessionState } from '../../../src/core/state';
import { Announcer, plainWords, sentencesEnd } from '../../../webview/announcer';

describe('announcer', () => {
  let said: string[];
  let state: SessionState;
  let announcer: Announcer;
  const happen = (...happenings: SessionHappening[]) => {
    for (const happening of happenings) state = reduce(state, { ...happening, at: 1 } as SessionEvent);
    announcer.hear(state);
  };
  const say = (text: string, messageId = '1', role: 'agent' | 'thought' = 'agent'): SessionHappening => ({ type: 'message_chunk', role, messageId, content: { type: 'text', text } });

  beforeEach(() => {
    said = [];
    state = EMPTY_STATE;
    announcer = new Announcer((words) => said.push(words));
    happen({ type: 'session_opened', agentName: 'Ada', cwd: '/w' });
    happen({ type: 'session_ready', sessionId: 's' });
    said.length = 0;
  });

  it('says sentences once they are finished, each once', () => {
    happen({ type: 'turn_started', turnId: 't' });
    said.length = 0;
    for (const token of 'The fi|rst is **done**|. The sec|ond| is not! |Is| it? N'.split('|')) happen(say(token));
    assert.deepEqual(said, ['The first is done .', 'The second is not!', 'Is it?']);
    happen(say('o'), { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    assert.deepEqual(said.slice(3).sort(), ['Ada is done', 'No']);
  });

  it('names code, and says nothing of thoughts and of what was there before', () => {
    const later = new Announcer((words) => said.push(words));
    happen({ type: 'turn_started', turnId: 't' }, say('History. '));
    said.length = 0;
    later.hear(state);
    assert.deepEqual(said, []);
    happen(say('Let me think. So. ', '2', 'thought'));
    happen(say('Look:\n\n```ts\nlet a. = 1;\n', '3'));
    assert.deepEqual(said, ['Look:']);
    happen(say('```\n\nDone. ', '3'));
    assert.deepEqual(said, ['Look:', 'Code block. Done.']);
  });

  it('is silent about a conversation that is told again', () => {
    happen({ type: 'session_opened', agentName: 'Ada', cwd: '/w' });
    happen(say('What was said at another time. '));
    happen({ type: 'session_ready', sessionId: 's' });
    assert.deepEqual(said, ['Ada is ready']);
  });

  it('only mentions what comes in one huge piece', () => {
    happen({ type: 'turn_started', turnId: 't' });
    said.length = 0;
    happen(say('A sentence. '.repeat(2000)));
    assert.deepEqual(said, ['A long answer is in the conversation.']);
  });

  it('says who asks what, how a turn ends, and what went wrong', () => {
    happen({ type: 'turn_started', turnId: 't' });
    said.length = 0;
    happen({ type: 'permission_requested', permissionId: 'p', title: 'Run ls', options: [], subject: {} });
    happen({ type: 'elicitation_requested', requestKey: 'e', message: 'Which one?', body: { mode: 'form', fields: [] } });
    happen({ type: 'turn_cancelling' });
    happen({ type: 'turn_ended', turnId: 't', stopReason: 'cancelled' });
    happen({ type: 'disconnected', failure: { code: 'agent.exited', params: { exitCode: 1 } } });
    assert.deepEqual(said.slice(0, 4), ['Ada asks for permission: Run ls', 'Ada asks you: Which one?', 'Stopping', 'Stopped']);
    assert.ok(said.length >= 5);
  });
});

describe('sentencesEnd', () => {
  it('is where the last finished sentence ends', () => {
    for (const [text, finished] of [
      ['One. Two', 'One.'],
      ['Version 1.2 of a.ts is', ''],
      ['“Really?” she', '“Really?”'],
      ['完了。 次', '完了。'],
      ['# Title\n\nText', '# Title\n\n'],
      ['```\na. b. c\n', ''],
      ['```\na. b\n```\nMore', '```\na. b\n```\n'],
    ] as const)
      assert.equal(text.slice(0, sentencesEnd(text)), finished, text);
  });
});

describe('plainWords', () => {
  it('leaves out the signs', () => {
    assert.equal(plainWords('## A [link](https://x.y) and `code`\n- *item*'), 'A link and code item');
  });
});
