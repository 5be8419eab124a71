import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import type { SubagentPatch } from '../../../../src/core/model/subagent';
import { cardsAround, indexInSession } from '../../../../src/core/subagents/displayOrder';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import { ConversationTexts } from '../../../../src/text/find/conversationTexts';
import { findIn, type KnownCount, matcherFor } from '../../../../src/text/find/find';
import type { SessionState } from '../../../../src/core/model/state';
import { chunk, stateOf, toolCall, toolText } from '../../../support/events';

const update = (subagentId: string, patch: SubagentPatch = {}, parentId?: string): EventInput => ({
  type: 'subagent_update',
  subagentId,
  patch,
  ...(parentId !== undefined && { parentId }),
});
const inner = (subagentId: string, ...events: EventInput[]): EventInput[] => asSubagentEvents(subagentId, events);
const task = (recipientId: string): EventInput => ({
  type: 'session_message',
  messageId: 'task',
  recipientId,
  content: [{ type: 'text', text: 'Find a needle' }],
});

/** Searches a conversation, again and again with the same cache. */
function finder(): (state: SessionState, text: string) => readonly (readonly [string, number])[] {
  const known = new Map<string, KnownCount>();
  const texts = new ConversationTexts();
  return (state, text) => {
    const run = findIn(state, matcherFor({ text, caseSensitive: false, wholeWord: false })!, known, texts);
    for (let step = run.next(); ; step = run.next()) {
      if (step.done) {
        return step.value.hits;
      }
    }
  };
}

describe('a search in a conversation with subagents', () => {
  const events = [
    chunk('A needle first', 'a'),
    update('x', { title: 'Explore', description: 'Look for the needle' }),
    ...inner('x', chunk('One needle, another needle', 'm'), toolCall('t', { title: 'Read', content: [toolText('a needle')] })),
    update('y', { title: 'Reader' }, 'x'),
    ...inner('y', chunk('A deep needle', 'm')),
    ...inner('x', chunk('The last needle', 'n')),
    chunk('A needle after it', 'b'),
  ];

  it('finds text at every depth, in the order of the page', () => {
    assert.deepEqual(finder()(stateOf(events), 'needle'), [
      ['agent:a', 1],
      ['subagent:x', 1],
      ['agent:x/m', 2],
      ['tool_call:x/t', 1],
      ['agent:y/m', 1],
      ['agent:x/n', 1],
      ['agent:b', 1],
    ]);
  });

  it('finds the name and the task of a subagent, also when they change', () => {
    const find = finder();
    assert.deepEqual(find(stateOf(events), 'explore look'), [['subagent:x', 1]]);
    const renamed = stateOf([...events, update('x', { title: 'Scout' })]);
    assert.deepEqual(find(renamed, 'explore look'), []);
    assert.deepEqual(finder()(renamed, 'scout'), [['subagent:x', 1]]);
  });

  it('counts a task once, where the page shows it', () => {
    const sent = [update('x'), task('x')];
    assert.deepEqual(finder()(stateOf(sent), 'needle'), [['session_message:task', 1]]);
    assert.deepEqual(finder()(stateOf([...sent, ...inner('x', task('x'))]), 'needle'), [['session_message:x/task', 1]]);
  });

  it('has the cards around each entry', () => {
    const state = stateOf(events);
    assert.deepEqual(cardsAround(state, 'agent:y/m'), ['subagent:x', 'subagent:y']);
    assert.deepEqual(cardsAround(state, 'subagent:y'), ['subagent:x']);
    assert.deepEqual(cardsAround(state, 'agent:b'), []);
    assert.deepEqual(
      ['agent:a', 'agent:y/m', 'agent:b', 'nowhere'].map((entryId) => indexInSession(state, entryId)),
      [0, 1, 2, -1],
    );
  });

  it('ends with subagents a thousand deep', () => {
    const deep = Array.from({ length: 999 }, (_, at) => update(`s${at}`, {}, at === 0 ? undefined : `s${at - 1}`));
    assert.deepEqual(finder()(stateOf([...deep, ...inner('s998', chunk('needle'))]), 'needle'), [['agent:s998/m', 1]]);
  });
});
