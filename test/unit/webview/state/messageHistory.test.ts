import assert from 'node:assert/strict';
import { MessageHistory } from '../../../../webview/state/messageHistory';
import type { EventInput } from '../../../../src/core/model/event';
import type { Slot } from '../../../../src/core/model/state';
import { EntryList } from '../../../../src/core/model/entries';
import { chunk, message, stateOf, toolCall } from '../../../support/events';

const link = { type: 'resource_link' as const, uri: 'file:///a', name: 'a' };
const said = (...texts: string[]) => texts.map((each, index) => message(each, `u${index}`, 'user'));
const entriesOf = (...events: EventInput[]) => stateOf(events).entries;

describe('earlier messages', () => {
  const entries = entriesOf(
    ...said('first', 'second\nwith two lines'),
    chunk('an answer'),
    toolCall('c', { title: 'Read' }),
    message([{ type: 'text', text: 'third' }, link, { type: 'text', text: 'part' }], 'u3', 'user'),
    message([link], 'u4', 'user'),
  );
  /** The text in the composer after each step. */
  function walk(history: MessageHistory, box: string, ...steps: ('up' | 'down' | 'escape' | 'send' | { typed: string })[]): string[] {
    return steps.map((step) => {
      const went =
        step === 'up'
          ? history.earlier(entries, box)
          : step === 'down'
            ? history.later(entries, box)
            : step === 'escape'
              ? { text: history.leave() }
              : step === 'send'
                ? { text: history.sent() }
                : { text: step.typed };
      box = went && 'text' in went ? went.text : box;
      return box;
    });
  }

  it('return one by one, the newest first, and stop at the first', () => {
    assert.deepEqual(walk(new MessageHistory(), '', 'up', 'up', 'up', 'up'), ['third @a part', 'second\nwith two lines', 'first', 'first']);
  });

  it('go forward again to the original draft', () => {
    assert.deepEqual(walk(new MessageHistory(), '', 'up', 'up', 'down', 'down', 'down'), [
      'third @a part',
      'second\nwith two lines',
      'third @a part',
      '',
      '',
    ]);
    assert.deepEqual(walk(new MessageHistory(), 'half a thou', 'up', 'down'), ['third @a part', 'half a thou']);
    assert.deepEqual(walk(new MessageHistory(), 'half a thou', 'up', 'up', 'escape', 'up'), [
      'third @a part',
      'second\nwith two lines',
      'half a thou',
      'third @a part',
    ]);
  });

  it('keep their edits until a message is sent', () => {
    const history = new MessageHistory();
    assert.deepEqual(walk(history, 'draft', 'up', { typed: 'third!' }, 'up', 'down', 'down', 'up'), [
      'third @a part',
      'third!',
      'second\nwith two lines',
      'third!',
      'draft',
      'third!',
    ]);
    assert.equal(history.sent(), 'draft', 'the draft is in the box again');
    assert.deepEqual(walk(history, '', 'up'), ['third @a part']);
  });

  it('start again when the composer was emptied', () => {
    assert.deepEqual(walk(new MessageHistory(), 'draft', 'up', 'up', { typed: '' }, 'up', 'down'), [
      'third @a part',
      'second\nwith two lines',
      '',
      'third @a part',
      'draft',
    ]);
  });

  it('are unavailable before the first message', () => {
    const history = new MessageHistory();
    assert.equal(history.earlier(entriesOf(), 'text'), undefined);
    assert.equal(history.later(entries, 'text'), undefined);
    assert.equal(history.isBrowsing, false);
  });

  it('are skipped when they repeat the same text', () => {
    const same = entriesOf(...said('one', 'two', 'two', 'two'));
    const history = new MessageHistory();
    assert.deepEqual(history.earlier(same, ''), { text: 'two' });
    assert.deepEqual(history.earlier(same, 'two'), { text: 'one' });
    assert.deepEqual(history.later(same, 'one'), { text: 'two' });
    assert.deepEqual(history.later(same, 'two'), { text: '' });
  });

  it('are requested when the page does not have them', () => {
    const slots: Slot[] = Array.from({ length: 40 }, (_, index) => ({ entryId: `message:${index}`, kind: 'message', absent: true }));
    slots.splice(20, 0, { entryId: 'tool_call:1', kind: 'tool_call', absent: true });
    const history = new MessageHistory();
    const step = history.earlier(EntryList.of(slots), '');
    assert.ok(step && 'want' in step);
    assert.equal(step.want[0], 'message:39');
    assert.ok(step.want.length < 40 && step.want.every((entryId) => entryId.startsWith('message:')));
    assert.equal(history.isBrowsing, false);
  });

  it('do not include those of the previous conversation', () => {
    const history = new MessageHistory();
    walk(history, 'draft', 'up', 'up');
    const others = entriesOf(message('of another', 'o1', 'user'));
    assert.deepEqual(history.earlier(others, 'second\nwith two lines'), { text: 'of another' });
    assert.deepEqual(history.later(others, 'of another'), { text: 'draft' });
  });
});
