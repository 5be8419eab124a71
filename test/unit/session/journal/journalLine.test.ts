import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionEvent } from '../../../../src/core/model/event';
import { lineOf } from '../../../../src/session/journal/journalLine';
import { eventSequence } from '../../core/arbitrary';

describe('the line of an event', () => {
  const expected = (seq: number, event: SessionEvent): string => `${JSON.stringify({ seq, event })}\n`;

  it('is its JSON, whatever the event', () => {
    fc.assert(
      fc.property(eventSequence, (events) => {
        events.forEach((event, seq) => assert.deepEqual(JSON.parse(lineOf(seq, event)), JSON.parse(expected(seq, event))));
      }),
      { numRuns: 100 },
    );
  });

  it('is the same text for text of a subagent, and keeps all fields', () => {
    const chunk = { type: 'message_chunk', role: 'agent', messageId: 'x/"m"', content: { type: 'text', text: 'a\n"b"\ud800\u2028' } };
    const outer = (event: object, more: object = {}): SessionEvent =>
      ({ type: 'subagent_event', event, subagentId: 'x', at: 1.5e12, ...more }) as SessionEvent;
    for (const event of [
      outer(chunk),
      outer({ ...chunk, meta: { a: 1 } }),
      outer({ ...chunk, extra: { a: 1 } }),
      outer(chunk, { meta: 1 }),
      outer(chunk, { extra: { b: 2 } }),
      outer({ ...chunk, content: { ...chunk.content, annotations: { priority: 1 } } }),
      outer({ ...chunk, content: { type: 'image', data: '', mimeType: 'image/png' } }),
    ]) {
      assert.equal(lineOf(7, event), expected(7, event));
    }
  });
});
