/** The files that a running turn has changed so far, as views receive them. */
import assert from 'node:assert/strict';
import type { ChangeRecorder } from '../../../src/changes/turns/changeRecorder';
import type { EventInput, SessionEvent, ToolCallPatch } from '../../../src/core/model/event';
import { ChangeTracking } from '../../../src/session/changeTracker';
import { RunningFiles } from '../../../src/session/runningFiles';
import { SessionStore } from '../../../src/session/state/store';
import { toolCall, toolDiff } from '../../support/events';
import { FakeClock } from './permission/fakes';

describe('the files that a running turn has changed so far', () => {
  function stage(isAccepted: (path: string) => boolean = () => false) {
    const clock = new FakeClock();
    const store = new SessionStore(clock);
    const recorder = {
      turnStarted: () => undefined,
      turnContinued: () => undefined,
      turnEnded: async () => undefined,
      reportChange: () => undefined,
      agentRuns: () => undefined,
    };
    const published: SessionEvent[] = [];
    store.onEvents((_, events) => published.push(...events.filter(({ type }) => type === 'running_changes')));
    const running = new RunningFiles(store, clock, isAccepted);
    const tracking = new ChangeTracking(store, clock, recorder as unknown as ChangeRecorder, undefined, undefined, running);
    store.onEvents((_, events, whole) => tracking.onEvents(events, whole));
    const happen = (...events: EventInput[]): void => {
      store.append(...events);
      clock.pass(1000);
    };
    const shown = (): string[] => (store.state.runningChanges?.files ?? []).map(({ path, operation }) => `${operation} ${path}`);
    return { clock, store, running, tracking, published, happen, shown };
  }

  const start: EventInput = { type: 'turn_started', turnId: 't' };
  const end: EventInput = { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' };
  const edit = (toolCallId: string, patch: ToolCallPatch): EventInput =>
    toolCall(toolCallId, { kind: 'edit', status: 'completed', ...patch });
  const diff = (path: string, oldText: string | null, newText: string): ToolCallPatch => ({ content: [toolDiff(path, oldText, newText)] });

  it('has the files of completed calls, and of writes for the agent, each once', () => {
    const { happen, shown } = stage();
    happen(start, edit('a', { status: 'pending', ...diff('/w/a', 'one\n', 'two\n') }));
    assert.deepEqual(shown(), []);
    happen(edit('a', { status: 'completed' }));
    assert.deepEqual(shown(), ['modify /w/a']);
    happen(
      edit('b', diff('/w/b', null, 'new\n')),
      edit('c', diff('/w/a', 'two\n', 'three\n')),
      edit('d', diff('/w/b', 'new\n', 'newer\n')),
    );
    happen({ type: 'file_written', file: { path: '/w/c', operation: 'add' } });
    assert.deepEqual(shown(), ['modify /w/a', 'add /w/b', 'add /w/c']);
  });

  it('has the locations of edits without a diff, and no files of other calls', () => {
    const { happen, shown } = stage();
    happen(
      start,
      edit('a', { locations: [{ path: '/w/a' }] }),
      toolCall('d', { kind: 'delete', status: 'completed', locations: [{ path: '/w/d' }] }),
    );
    happen(toolCall('r', { kind: 'read', status: 'completed', locations: [{ path: '/w/r' }] }));
    happen(edit('f', { status: 'failed', ...diff('/w/f', 'one\n', 'two\n') }), edit('n', diff('/w/n', 'same\n', 'same\n')));
    assert.deepEqual(shown(), ['modify /w/a', 'delete /w/d']);
  });

  it('leaves out a file that the turn has made and deleted, and follows a move', () => {
    const { happen, shown } = stage();
    happen(start, edit('a', diff('/w/a', null, 'a\n')), edit('b', diff('/w/b', null, 'b\n')));
    happen(
      toolCall('d', { kind: 'delete', status: 'completed', content: [{ type: 'diff', changes: [{ operation: 'delete', path: '/w/a' }] }] }),
    );
    assert.deepEqual(shown(), ['add /w/b']);
    const moved = [{ operation: 'move', path: '/w/c', oldPath: '/w/b' }];
    happen(toolCall('m', { kind: 'move', status: 'completed', content: [{ type: 'diff', changes: moved }] }));
    assert.deepEqual(shown(), ['add /w/c']);
  });

  it('leaves out a write that the user has accepted before it was made', () => {
    const { happen, shown } = stage((path) => path === '/w/a');
    happen(start, { type: 'file_written', file: { path: '/w/a', operation: 'modify' } }, edit('b', diff('/w/b', 'b\n', 'c\n')));
    assert.deepEqual(shown(), ['modify /w/b']);
  });

  it('publishes many changes together, and nothing when a file is changed again', () => {
    const { published, happen } = stage();
    happen(start, edit('a', diff('/w/a', 'a\n', 'b\n')), edit('b', diff('/w/b', 'a\n', 'b\n')));
    happen(edit('c', diff('/w/a', 'b\n', 'c\n')));
    assert.equal(published.length, 1);
  });

  it('stays until the review has the turn, then goes', () => {
    const { clock, store, running, happen, shown } = stage();
    happen(start, edit('a', diff('/w/a', 'a\n', 'b\n')), end);
    assert.deepEqual(shown(), ['modify /w/a']);
    running.recorded('t');
    clock.pass(1000);
    assert.equal('runningChanges' in store.state, false);
  });

  it('belongs to the newest turn, also when an earlier one is recorded late', () => {
    const { clock, running, happen, shown } = stage();
    happen(start, edit('a', diff('/w/a', 'a\n', 'b\n')), end, { type: 'turn_started', turnId: 'next' });
    assert.deepEqual(shown(), []);
    happen(edit('b', diff('/w/b', 'a\n', 'b\n')));
    running.recorded('t');
    clock.pass(1000);
    assert.deepEqual(shown(), ['modify /w/b']);
  });

  it('has the files of a turn that an earlier window has begun', () => {
    const { clock, store, tracking, shown } = stage();
    const events = [
      { ...start, at: 1 },
      { type: 'message', role: 'user', messageId: 't', content: [], at: 1 },
      { ...edit('a', diff('/w/a', 'a\n', 'b\n')), at: 2 },
    ];
    store.restore(events as SessionEvent[]);
    tracking.continues('t', 1);
    clock.pass(1000);
    assert.deepEqual(shown(), ['modify /w/a']);
  });

  it('names at most 200 files, and counts the others', () => {
    const { store, happen, shown } = stage();
    happen(start, ...Array.from({ length: 203 }, (_, index) => edit(`c${index}`, diff(`/w/${index}`, 'a\n', 'b\n'))));
    assert.equal(shown().length, 200);
    assert.equal(store.state.runningChanges?.more, 3);
  });

  it('is removed with the session, which a page may outlive', () => {
    const { store, running, happen } = stage();
    happen(start, edit('a', diff('/w/a', 'a\n', 'b\n')));
    running.dispose();
    assert.equal('runningChanges' in store.state, false);
  });
});
