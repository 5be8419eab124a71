import assert from 'node:assert/strict';
import type { SessionEvent, EventInput } from '../../../../src/core/model/event';
import { isNew, needsYou } from '../../../../src/core/model/select';
import { conversationBefore } from '../../../../src/core/model/select';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { chunk, message, stateOf, toolCall } from '../../../support/events';

describe('the conversation up to an entry', () => {
  const state = stateOf([message('first', 'a', 'user'), message('one', 'b'), message('second', 'c', 'user'), message('two', 'd')]);

  it('excludes that entry and the following ones', () => {
    const text = toMarkdown(conversationBefore(state, 'user:c')!);
    assert.match(text, /first[\s\S]*one/);
    assert.doesNotMatch(text, /second|two/);
    assert.equal(toMarkdown(conversationBefore(state, 'user:a')!), '');
    assert.equal(conversationBefore(state, 'user:gone'), undefined);
    assert.equal(state.entries.length, 4);
  });
});

describe('a new session', () => {
  const after = (...events: EventInput[]) =>
    events.reduce((state, event) => reduce(state, { ...event, at: 1 } as SessionEvent), EMPTY_STATE);

  it('stays new when only the agent has said something', () => {
    const banner = [chunk('Welcome', 'b'), chunk('hm', 'h', 'thought')];
    assert.ok(isNew(after()));
    assert.ok(isNew(after(...banner, { type: 'notice', noticeId: 'n', severity: 'info', title: 'Beta' })));
    assert.equal(isNew(after(...banner, chunk('Hi', 'u', 'user'))), false);
    assert.equal(isNew(after(...banner, { type: 'turn_started', turnId: 't' })), false);
    assert.equal(isNew(after(...banner, toolCall('c', { status: 'completed' }))), false);
  });
});

describe('a command that waits for input', () => {
  const terminalId = 't';
  const after = (...events: EventInput[]) =>
    events.reduce((state, event) => reduce(state, { ...event, at: 1 } as SessionEvent), EMPTY_STATE);

  it('needs the user, until it writes again, ends or is released', () => {
    const waiting: EventInput = { type: 'terminal_update', terminalId, ours: true, waiting: true };
    assert.ok(needsYou(after(waiting)));
    assert.equal(needsYou(after(waiting, { type: 'terminal_update', terminalId, waiting: false })), false);
    assert.equal(needsYou(after(waiting, { type: 'terminal_update', terminalId, exitStatus: { exitCode: 0 } })), false);
    assert.equal(needsYou(after(waiting, { type: 'disconnected', failure: { code: 'agent.exited' } })), false);
  });
});
