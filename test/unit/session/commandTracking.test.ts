/** The recorder is notified when the agent can run commands. */
import assert from 'node:assert/strict';
import type { ChangeRecorder, RecordedTurn } from '../../../src/changes/turns/changeRecorder';
import type { EventInput } from '../../../src/core/model/event';
import { ChangeTracking } from '../../../src/session/changeTracker';
import { SessionStore } from '../../../src/session/state/store';
import { FakeClock } from './permission/fakes';

describe('the tracking of changes', () => {
  function stage() {
    const clock = new FakeClock();
    const store = new SessionStore(clock);
    const ends = new Map<string, (turn: RecordedTurn | undefined) => void>();
    const recorder = {
      turnStarted: () => undefined,
      turnEnded: (turnId: string) => new Promise<RecordedTurn | undefined>((resolve) => ends.set(turnId, resolve)),
      agentRuns: () => undefined,
    };
    const done: string[] = [];
    const tracking = new ChangeTracking(store, clock, recorder as unknown as ChangeRecorder, ({ turnId }) => done.push(turnId));
    store.onEvents((_, events) => tracking.onEvents(events, false));
    const end = (turnId: string): void =>
      ends.get(turnId)!({ turnId, files: [], named: new Map(), steps: new Map() } satisfies RecordedTurn);
    return { store, tracking, done, end };
  }

  it('is settled when every ended turn is passed on, whichever is recorded first', async () => {
    const { store, tracking, done, end } = stage();
    await tracking.settled();
    for (const turnId of ['one', 'two']) {
      store.append({ type: 'turn_started', turnId });
      store.append({ type: 'turn_ended', turnId, stopReason: 'end_turn' } as EventInput);
    }
    const settled = tracking.settled().then(() => done.push('settled'));
    end('two');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(done, ['two']);
    end('one');
    await settled;
    assert.deepEqual(done, ['two', 'one', 'settled']);
  });

  it('is settled after a turn that could not be passed on', async () => {
    const { store, tracking, end, done } = stage();
    done.push = () => assert.fail('full');
    store.append({ type: 'turn_started', turnId: 'one' });
    store.append({ type: 'turn_ended', turnId: 'one', stopReason: 'end_turn' } as EventInput);
    end('one');
    await tracking.settled();
  });

  it('is settled after a turn of a disposed session', async () => {
    const { store, tracking, done, end } = stage();
    store.append({ type: 'turn_started', turnId: 'one' });
    store.append({ type: 'turn_ended', turnId: 'one', stopReason: 'end_turn' } as EventInput);
    tracking.dispose();
    end('one');
    await tracking.settled();
    assert.deepEqual(done, []);
  });
});

describe('the tracking of commands', () => {
  let runs: string[];
  let append: (event: EventInput) => void;

  beforeEach(() => {
    runs = [];
    const clock = new FakeClock();
    const store = new SessionStore(clock);
    const recorder = {
      turnStarted: () => undefined,
      turnEnded: async () => undefined,
      reportChange: () => undefined,
      agentRuns: (id: string, isOpen: boolean) => runs.push(`${id} ${isOpen ? 'open' : 'closed'}`),
    };
    const tracking = new ChangeTracking(store, clock, recorder as unknown as ChangeRecorder);
    store.onEvents((_, events) => tracking.onEvents(events, false));
    append = (event) => store.append(event);
    append({ type: 'turn_started', turnId: 'turn' });
  });

  for (const kind of ['execute', 'other', undefined, 'unheard_of']) {
    it(`reports a call of the kind ${kind ?? 'that is absent'} until it ends`, () => {
      append({ type: 'tool_call_update', toolCallId: 'a', patch: { ...(kind !== undefined && { kind }), status: 'in_progress' } });
      append({ type: 'tool_call_update', toolCallId: 'a', patch: { status: 'completed' } });
      assert.deepEqual(runs, ['call a open', 'call a closed']);
    });
  }

  it('leaves out calls that cannot run commands', () => {
    ['read', 'edit', 'search', 'think'].forEach((kind) =>
      append({ type: 'tool_call_update', toolCallId: kind, patch: { kind, status: 'in_progress' } }),
    );
    assert.deepEqual(runs, []);
  });

  it('reports a terminal until it exits, in the next turn too', () => {
    append({ type: 'terminal_update', terminalId: 't', ours: true });
    append({ type: 'tool_call_update', toolCallId: 'a', patch: { status: 'in_progress' } });
    append({ type: 'turn_ended', turnId: 'turn', stopReason: 'end_turn' } as EventInput);
    append({ type: 'turn_started', turnId: 'next' });
    append({ type: 'terminal_update', terminalId: 't', exitStatus: { exitCode: 0 } });
    append({ type: 'terminal_update', terminalId: 't', released: true });
    assert.deepEqual(runs, ['terminal t open', 'call a open', 'terminal t open', 'terminal t closed', 'terminal t closed']);
  });
});
