import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EntryList } from '../../../../src/core/model/entries';
import type { SessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { trimEntry, trimEvent, trimQueue } from '../../../../src/core/protocol/trimForView';
import { bodiesOf, fromSnapshot, terminalsOf, toSnapshot, withBodies, withTerminals } from '../../../../src/core/protocol/snapshot';
import { EMPTY_STATE, isAbsent, type SessionState, type Slot } from '../../../../src/core/model/state';
import { eventSequence } from '../arbitrary';

const fold = (events: readonly SessionEvent[], from = EMPTY_STATE): SessionState => events.reduce(reduce, from);

/** A state as comparable JSON. postMessage loses only `undefined`, which has no meaning here. */
function plain(state: SessionState): unknown {
  const { entries, subagents, ...rest } = state;
  const children = (subagents ?? []).map(({ conversation, ...child }) => ({ child, conversation: plain(conversation) }));
  return JSON.parse(JSON.stringify({ rest, entries: entries.slice(), children }));
}

/** All entries of a state, those of its subagents included. */
function allSlots(state: SessionState): Slot[] {
  return [state, ...(state.subagents ?? []).map(({ conversation }) => conversation)].flatMap(({ entries }) => entries.slice());
}

/** The state of a view that has every body. */
function slimmed(state: SessionState): SessionState {
  return {
    ...state,
    entries: EntryList.of(state.entries.slice().map((slot) => (isAbsent(slot) ? slot : trimEntry(slot)))),
    queue: trimQueue(state.queue),
    ...(state.subagents && {
      subagents: state.subagents.map((child) => ({ ...child, conversation: slimmed(child.conversation) })),
    }),
  };
}

describe('the windowed mirror', () => {
  it('equals the fully reduced state once the missing bodies arrive, for any events, windows and moments', () => {
    fc.assert(
      fc.property(
        eventSequence,
        fc.nat(60),
        fc.nat(8),
        fc.nat(40),
        fc.array(fc.nat(60), { maxLength: 5 }),
        fc.array(fc.tuple(fc.nat(60), fc.nat(30)), { maxLength: 4 }),
        (events, cutAt, tail, output, wantAt, fetches) => {
          const cut = Math.min(cutAt, events.length);
          let host = fold(events.slice(0, cut));
          const all = allSlots(host);
          const want = wantAt.flatMap((index) => all[index]?.entryId ?? []);
          // The snapshot is sent to another process, so it may contain only JSON.
          let view = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(host, { tail, want, output }))));
          for (let index = cut; index < events.length; index++) {
            host = reduce(host, events[index]!);
            view = reduce(view, JSON.parse(JSON.stringify(trimEvent(events[index]!))));
            for (const [when, which] of fetches) {
              const slot = when === index ? allSlots(host)[which] : undefined;
              view = slot ? withBodies(view, bodiesOf(host, [slot.entryId])) : view;
            }
            // Before any body arrives, the view has the same index and everything outside the entries, and no body that the window omits.
            assert.deepEqual(
              allSlots(view).map((slot) => slot.entryId),
              allSlots(host).map((slot) => slot.entryId),
            );
          }
          const absent = allSlots(view).filter(isAbsent);
          const terminals = terminalsOf(
            host,
            Object.keys(host.terminals).filter((terminalId) => view.terminals[terminalId]?.absent),
          );
          const full = withBodies(
            withTerminals(view, JSON.parse(JSON.stringify(terminals))),
            bodiesOf(
              host,
              absent.map((slot) => slot.entryId),
            ),
          );
          assert.deepEqual(plain(full), plain(slimmed(host)));
        },
      ),
      { numRuns: 600 },
    );
  });

  it('keeps an absent entry absent whatever happens to it', () => {
    const host = fold([
      { type: 'tool_call_update', at: 1, toolCallId: 'a', patch: { title: 'Old', status: 'pending' } },
      { type: 'message_chunk', at: 2, role: 'agent', messageId: 'm', content: { type: 'text', text: 'tail' } },
    ]);
    const view = fromSnapshot(toSnapshot(host, { tail: 1 }));
    const next = reduce(view, { type: 'tool_call_update', at: 3, toolCallId: 'a', patch: { title: 'New', status: 'completed' } });
    const slot = next.entries.at(0);
    assert.ok(slot && isAbsent(slot));
    assert.deepEqual(next.openToolCalls, []);
  });

  it('always carries the body of a request that waits for the user', () => {
    const asked: SessionEvent = { type: 'permission_requested', at: 1, permissionId: 'p', title: 'May I', options: [], subject: {} };
    const chatter = Array.from(
      { length: 50 },
      (_, n): SessionEvent => ({ type: 'notice', at: n, noticeId: `${n}`, severity: 'info', title: 'x' }),
    );
    const snapshot = toSnapshot(fold([asked, ...chatter]), { tail: 3 });
    assert.equal(snapshot.bodies.length, 4);
    assert.equal(snapshot.ids.length, 51);
    assert.equal(snapshot.bodies[0]?.entryId, 'permission:p');
  });

  it('carries only the output of the newest terminals, however many there were', () => {
    const host = fold(
      Array.from(
        { length: 300 },
        (_, n): SessionEvent => ({ type: 'terminal_update', at: n, terminalId: `${n}`, command: `run ${n}`, output: 'x'.repeat(20_000) }),
      ),
    );
    const { terminals } = toSnapshot(host, { tail: 1 }).rest;
    assert.equal(Object.keys(terminals).length, 300);
    assert.equal(terminals['299']!.output.length, 20_000);
    assert.deepEqual(terminals['0'], { ...host.terminals['0'], output: '', absent: true });
    assert.ok(JSON.stringify(terminals).length < 1.2 * 1024 * 1024);
    const view = withTerminals(fromSnapshot(toSnapshot(host, { tail: 1 })), terminalsOf(host, ['0', 'none']));
    assert.equal(view.terminals['0']!.output.length, 20_000);
  });

  it('trims an entry the same before and after reducing, and never trims small ones', () => {
    fc.assert(
      fc.property(eventSequence, (events) => {
        assert.deepEqual(plain(fold(events.map(trimEvent))), plain(slimmed(fold(events))));
      }),
      { numRuns: 200 },
    );
  });
});
