/** Checks that must hold in every scenario, whatever its golden text. */
import assert from 'node:assert/strict';
import type { Trace } from '../../../src/acp/trace/trace';
import type { SessionEvent } from '../../../src/core/model/event';
import { toJournal } from '../../../src/core/modes/permissionMode';
import { reduce } from '../../../src/core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../../../src/core/model/state';
import { assertSentFrames } from '../schema';
import { assertSameConversation, replayed } from './replayed';

/**
 * The state is the reduction of the events, and the journal has exactly these events, except for queued messages that were not sent.
 *
 * @param journaled the events in the journal
 * @param missed the number of events before the first listener
 */
export function assertFold(state: SessionState, events: readonly SessionEvent[], journaled: readonly SessionEvent[], missed: number): void {
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  assert.deepEqual(journaled.slice(missed), plain(events.map(toJournal)));
  const folded = journaled.reduce(reduce, EMPTY_STATE);
  const { entries, queue, ...rest } = state;
  assert.deepEqual(plain({ ...folded, entries: [...folded.entries], queue }), plain({ ...rest, entries: [...entries], queue }));
}

/** Every sent frame is valid by the official schema, and at least one was sent. */
export function assertFrames(traces: readonly Trace[]): void {
  const sent = traces.map((trace) => {
    assert.equal(trace.dropped, 0);
    return assertSentFrames(trace.entries());
  });
  assert.ok(sent.length > 0 && sent.every((count) => count > 0), `frames checked of each agent: ${sent.join(', ')}`);
}

/** The replayed log of one agent shows the same as the live session. */
export function assertReplay([trace, ...others]: readonly Trace[], states: readonly SessionState[], events: readonly SessionEvent[]): void {
  // A prompt that waited for a sign-in, or that was sent again as text, is on the wire twice, and was refused the first time.
  const refused = events.some((event) => event.type === 'sign_in' && event.failure?.params?.['method'] === 'session/prompt');
  const isSentAgain = [...(trace?.entries() ?? [])].some(({ kind, text }) => kind === 'c2a' && /"prompt":"/.test(text));
  if (!trace || others.length > 0 || refused || isSentAgain) {
    return;
  }
  const sessions = replayed(trace);
  for (const state of states.filter(({ entries }) => entries.length > 0)) {
    assertSameConversation(
      sessions.find(({ state: { sessionId } }) => sessionId === state.sessionId),
      state,
    );
  }
}
