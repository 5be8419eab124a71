import assert from 'node:assert/strict';
import type { FileChange, ToolContent } from '../../../../src/core/model/content';
import type { EventInput } from '../../../../src/core/model/event';
import { isSessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE, type SessionState, type TurnEntry } from '../../../../src/core/model/state';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import { turnFileChange } from '../../../../src/core/toolCalls/turnChanges';
import type { TurnChanges } from '../../../../src/core/fileChanges/turnFiles';
import { SessionStore } from '../../../../src/session/state/store';
import { TurnChangesCounter } from '../../../../src/session/turnChangesCounter';

let calls = 0;

/** `counted` returns when the changes of the ended turns have been reported. */
function stage(): { session: SessionStore; counted: () => void } {
  let now = 0;
  const clock = { now: () => ++now, after: () => ({ dispose: () => {} }) };
  const session = new SessionStore(clock);
  const counter = new TurnChangesCounter(session, clock);
  session.append({ type: 'session_ready', sessionId: 's' }, { type: 'turn_started', turnId: 't' });
  return { session, counted: () => counter.flush() };
}

function edit(
  path: string,
  oldText: string | null | undefined,
  newText: string | undefined,
  status = 'completed',
  more: Partial<FileChange> = {},
): EventInput {
  const change: FileChange = {
    operation: oldText === null ? 'add' : 'modify',
    path,
    ...(oldText !== undefined && { oldText }),
    ...(newText !== undefined && { newText }),
    ...more,
  };
  return tool([{ type: 'diff', changes: [change] }], status);
}

function tool(content: readonly ToolContent[], status = 'completed', more: object = {}): EventInput {
  return { type: 'tool_call_update', toolCallId: `call-${++calls}`, patch: { kind: 'edit', status, content, ...more } };
}

const end: EventInput = { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' };

function changes(state: SessionState): TurnChanges | undefined {
  return (state.entries.get('turn:t') as TurnEntry).changes;
}

function after(...events: EventInput[]): TurnChanges | undefined {
  const { session, counted } = stage();
  session.append(...events, { ...end });
  counted();
  return changes(session.state);
}

describe('the changes of a turn', () => {
  it('include those of subagents, in the order of the calls', () => {
    const started: EventInput = { type: 'subagent_update', subagentId: 'x', patch: {} };
    const { session, counted } = stage();
    session.append(edit('/a', 'one\n', 'two\n'), started);
    session.append(...asSubagentEvents('x', [edit('/a', 'two\n', 'three\nfour\n'), edit('/b', null, 'new\n')]));
    session.append(edit('/a', 'three\nfour\n', 'five\n'));
    session.append({ ...end });
    counted();
    assert.deepEqual(changes(session.state)?.files, [
      { path: '/a', operation: 'modify', added: 1, removed: 1, hasText: true, subagents: ['x'] },
      { path: '/b', operation: 'add', added: 1, removed: 0, hasText: true, subagents: ['x'] },
    ]);
  });

  it('are undefined without edits', () => {
    assert.equal(after(), undefined);
    assert.equal(after(tool([{ type: 'content', content: { type: 'text', text: 'x' } }])), undefined);
  });

  it('list each file once, with its line counts', () => {
    assert.deepEqual(after(edit('/w/a', 'a\nb\n', 'a\nB\nc\n'), edit('/w/b', null, 'x\ny\n')), {
      files: [
        { path: '/w/a', operation: 'modify', added: 2, removed: 1, hasText: true },
        { path: '/w/b', operation: 'add', added: 2, removed: 0, hasText: true },
      ],
    });
  });

  it('compare the first text with the last when one edit continues another', () => {
    const result = after(edit('/w/a', 'a\n', 'a\nb\n'), edit('/w/a', 'a\nb\n', 'a\nc\n'));
    assert.deepEqual(result?.files, [{ path: '/w/a', operation: 'modify', added: 1, removed: 0, hasText: true }]);
  });

  it('add up passages', () => {
    const result = after(edit('/w/a', 'one', 'ONE'), edit('/w/a', 'two', 'TWO\nthree'));
    assert.deepEqual(result?.files, [{ path: '/w/a', operation: 'modify', added: 3, removed: 2, hasText: true }]);
  });

  it('leave out edits that failed, were stopped or were undone', () => {
    assert.equal(
      after(
        edit('/w/a', 'a', 'b', 'failed'),
        edit('/w/a', 'a', 'b', 'in_progress'),
        edit('/w/a', 'a\n', 'b\n'),
        edit('/w/a', 'b\n', 'a\n'),
      ),
      undefined,
    );
    assert.equal(after(edit('/w/new', null, 'b'), edit('/w/new', 'b', '', 'completed', { operation: 'delete' })), undefined);
  });

  it('include files without their text, without line counts', () => {
    const result = after(
      edit('/w/a', undefined, undefined),
      tool([], 'completed', { kind: 'delete', locations: [{ path: '/w/gone' }] }),
      tool([{ type: 'diff', changes: [{ operation: 'modify', path: '/w/p' }], patch: '--- a/p\n+++ b/p\n@@ -1 +1,2 @@\n-x\n+y\n+z\n' }]),
    );
    assert.deepEqual(result?.files, [
      { path: '/w/a', operation: 'modify' },
      { path: '/w/gone', operation: 'delete' },
      { path: '/w/p', operation: 'modify', added: 2, removed: 1 },
    ]);
  });

  it('follow a file that moves', () => {
    const result = after(
      edit('/w/a', 'a\n', 'b\n'),
      edit('/w/c', undefined, undefined, 'completed', { operation: 'move', oldPath: '/w/a' }),
    );
    assert.deepEqual(result?.files, [{ path: '/w/c', oldPath: '/w/a', operation: 'move', added: 1, removed: 1, hasText: true }]);
  });

  it("include writes without a tool call, and prefer the tool call's counts for the same file", () => {
    const result = after(
      { type: 'file_written', file: { path: '/w/a', operation: 'modify', added: 50, removed: 50 } },
      { type: 'file_written', file: { path: '/w/b', operation: 'add', added: 3, removed: 0 } },
      { type: 'file_written', file: { path: '/w/b', operation: 'modify', added: 1, removed: 2 } },
      edit('/w/a', 'a\n', 'b\n'),
    );
    assert.deepEqual(result?.files, [
      { path: '/w/a', operation: 'modify', added: 1, removed: 1, hasText: true },
      { path: '/w/b', operation: 'add', added: 4, removed: 2 },
    ]);
  });

  it('are bounded, with the number of further files', () => {
    const result = after(...Array.from({ length: 230 }, (_, index) => edit(`/w/${index}`, null, 'x\n')));
    assert.equal(result?.files.length, 200);
    assert.equal(result?.more, 30);
  });

  it('belong to their own turn only', () => {
    const { session, counted } = stage();
    session.append(edit('/w/a', 'a', 'b'), { ...end });
    session.append({ type: 'turn_started', turnId: 't2' }, edit('/w/b', 'a', 'b'), {
      type: 'turn_ended',
      turnId: 't2',
      stopReason: 'end_turn',
    });
    counted();
    assert.deepEqual(
      (session.state.entries.get('turn:t2') as TurnEntry).changes?.files.map(({ path }) => path),
      ['/w/b'],
    );
  });

  it('are computed also when the agent disconnects', () => {
    const { session, counted } = stage();
    session.append(edit('/w/a', 'a', 'b'));
    session.append({ type: 'disconnected', failure: { code: 'internal' } });
    counted();
    assert.deepEqual(
      changes(session.state)?.files.map(({ path }) => path),
      ['/w/a'],
    );
  });

  it('are reported in the event, for a view that does not have the bodies', () => {
    const { session, counted } = stage();
    let state = EMPTY_STATE;
    session.onEvents((_, events) => events.forEach((event) => assert.ok(isSessionEvent(event), event.type)));
    session.onEvents((_, events) => (state = events.reduce(reduce, state)));
    session.append({ type: 'turn_started', turnId: 't' }, edit('/w/a', 'a', 'b'));
    state = { ...state, entries: state.entries.replace({ entryId: state.entries.at(0)!.entryId, kind: 'tool_call', absent: true }) };
    session.append({ ...end });
    counted();
    assert.deepEqual(changes(state), changes(session.state));
    assert.ok(changes(state));
  });

  it('open as one change from before the turn to after it', () => {
    const { session, counted } = stage();
    session.append(
      edit('/w/a', 'a', 'b'),
      edit('/w/a', 'b', 'c'),
      edit('/w/b', 'one', '1'),
      edit('/w/b', 'two', '2'),
      { type: 'file_written', file: { path: '/w/c', operation: 'add' } },
      { ...end },
    );
    counted();
    assert.deepEqual(turnFileChange(session.state, 'turn:t', 0)?.change, { operation: 'modify', path: '/w/a', oldText: 'a', newText: 'c' });
    assert.deepEqual(turnFileChange(session.state, 'turn:t', 1)?.change, {
      operation: 'modify',
      path: '/w/b',
      oldText: 'one\n⋯\ntwo\n',
      newText: '1\n⋯\n2\n',
    });
    assert.equal(turnFileChange(session.state, 'turn:t', 2), undefined);
    assert.equal(turnFileChange(session.state, 'turn:t', 9), undefined);
    assert.equal(turnFileChange(session.state, 'turn:none', 0), undefined);
  });
});
