/** Tasks in the background, suggestions, and the footers of the agent's own turns. */
import assert from 'node:assert/strict';
import { hasOwnTurn } from '../../../../src/core/background/activeTasks';
import { backgroundItems } from '../../../../src/core/background/backgroundItems';
import { markEnded } from '../../../../src/core/toolCalls/markEnded';
import { runsInBackground } from '../../../../src/core/background/runsInBackground';
import type { EventInput } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';

function after(...events: EventInput[]): SessionState {
  return events.reduce<SessionState>((state, event, index) => reduce(state, { ...event, at: 1000 + index }), EMPTY_STATE);
}

const task = (taskId: string, patch: object): EventInput => ({ type: 'background_task', taskId, patch });
const call = (toolCallId: string, status: string): EventInput => ({ type: 'tool_call_update', toolCallId, patch: { status } });
const ready: EventInput = { type: 'session_ready', sessionId: 'S' };
const started = (turnId: string): EventInput => ({ type: 'turn_started', turnId });
const ended = (turnId: string, stopReason = 'end_turn'): EventInput => ({ type: 'turn_ended', turnId, stopReason });

describe('a call that the agent left open', () => {
  const left = [
    ready,
    started('one'),
    call('c', 'in_progress'),
    { type: 'terminal_update', terminalId: 'c', command: 'touch a' } as const,
    ended('one'),
  ];

  it('ends when the user marks it, and is open again when the agent reports it', () => {
    const state = after(...left);
    assert.equal(backgroundItems(state)[0]?.isLeft, true);
    const events = markEnded(state, 'c');
    const next = after(...left, ...events);
    assert.deepEqual([backgroundItems(next), next.openToolCalls, runsInBackground(next, 'c')], [[], [], false]);
    const entry = next.entries.get('tool_call:c') as { status: string };
    assert.equal(entry.status, 'unfinished');
    assert.deepEqual(markEnded(next, 'c'), []);
    const later = after(...left, ...events, call('c', 'in_progress'));
    assert.deepEqual(later.openToolCalls, ['c']);
    assert.equal((after(...left, ...events, call('c', 'completed')).entries.get('tool_call:c') as { status: string }).status, 'completed');
  });

  it('is not marked while the agent lists it, can stop it, or has ended it', () => {
    assert.deepEqual(markEnded(after(...left, { type: 'background_work', items: [{ type: 'tool_call', toolCallId: 'c' }] }), 'c'), []);
    assert.deepEqual(markEnded(after(...left, task('t', { toolCallId: 'c', status: 'running' })), 'c'), []);
    assert.deepEqual(markEnded(after(...left, { type: 'terminal_update', terminalId: 'c', canCancel: true }), 'c'), []);
    assert.deepEqual(markEnded(after(ready, call('d', 'completed')), 'd'), []);
  });
});

describe('background tasks', () => {
  it('are listed with their state, output and Stop', () => {
    const state = after(
      ready,
      { type: 'terminal_update', terminalId: 'c', command: 'npm run dev' },
      task('t', { name: 'Dev server', taskKind: 'shell', toolCallId: 'c', canStop: true, status: 'running' }),
      task('t', { summary: 'Listening', outputPath: '/tmp/t' }),
    );
    assert.deepEqual(backgroundItems(state), [
      {
        key: 'task:t',
        taskId: 't',
        terminalId: 'c',
        name: 'Dev server',
        summary: 'Listening',
        status: 'running',
        toolCallId: 'c',
        outputPath: '/tmp/t',
        canStop: true,
        at: 1002,
      },
    ]);
    assert.deepEqual([runsInBackground(state, 'c'), runsInBackground(state, 'd')], [true, false]);
  });

  it('are being stopped until the agent confirms or refuses that', () => {
    const running = [ready, task('t', { canStop: true, status: 'running' })];
    const stopping: EventInput = { type: 'background_task_stopping', taskId: 't', stopping: true };
    const itemOf = (...more: EventInput[]) => backgroundItems(after(...running, ...more))[0]!;
    assert.deepEqual([itemOf(stopping).status, itemOf(stopping).canStop], ['stopping', false]);
    assert.deepEqual([itemOf(stopping, { ...stopping, stopping: false }).status], ['running']);
    const stopped = itemOf(stopping, task('t', { status: 'stopped' }));
    assert.deepEqual([stopped.status, stopped.canStop, stopped.endedAt], ['stopped', false, 1003]);
  });

  it('stay while they run, when others have filled the list', () => {
    const others = Array.from({ length: 300 }, (_, index) => [task(`o${index}`, {}), task(`o${index}`, { status: 'completed' })]);
    const state = after(ready, task('dev', { name: 'Dev server', canStop: true }), ...others.flat());
    const items = backgroundItems(state);
    assert.deepEqual([items.length, items[0]?.name, items[0]?.canStop], [200, 'Dev server', true]);
    const running = Array.from({ length: 300 }, (_, index) => task(`r${index}`, {}));
    assert.equal(backgroundItems(after(ready, ...running)).at(-1)?.taskId, 'r299');
  });

  it('stay after their end until the next turn, and not after the agent is gone', () => {
    const events = [ready, task('a', { status: 'completed' }), task('b', {})];
    assert.deepEqual(
      backgroundItems(after(...events)).map(({ taskId }) => taskId),
      ['a', 'b'],
    );
    assert.deepEqual(
      backgroundItems(after(...events, started('1'))).map(({ taskId }) => taskId),
      ['b'],
    );
    assert.deepEqual(after(...events, { type: 'disconnected', failure: { code: 'agent.exited' } }).backgroundTasks, undefined);
    assert.deepEqual(after(...events, ready).backgroundTasks, undefined);
  });

  it('include commands that outlive their tool call or their turn', () => {
    const agents: EventInput = { type: 'terminal_update', terminalId: 'c', command: 'sleep 60' };
    const ours: EventInput = { type: 'terminal_update', terminalId: 'o', command: 'npm start', ours: true };
    const keys = (...events: EventInput[]) =>
      backgroundItems(after(ready, started('1'), ...events)).map(({ key, canStop }) => [key, canStop]);
    assert.deepEqual(keys(agents, ours, call('c', 'in_progress')), []);
    assert.deepEqual(keys(agents, call('c', 'completed')), [['terminal:c', false]]);
    assert.deepEqual(keys(agents, call('c', 'failed')), []);
    assert.deepEqual(keys(agents, ours, call('c', 'in_progress'), ended('1')), [
      ['terminal:c', false],
      ['terminal:o', true],
    ]);
    assert.deepEqual(keys(agents, ours, call('c', 'in_progress'), ended('1', 'cancelled')), [['terminal:o', true]]);
    assert.deepEqual(keys(agents, call('c', 'completed'), { type: 'terminal_update', terminalId: 'c', exitStatus: {} }), []);
  });

  it("include the agent's list of work beside turns, once", () => {
    const terminal = (more: object): EventInput => ({ type: 'terminal_update', terminalId: 'c', command: 'npm run dev', ...more });
    const reported: EventInput = {
      type: 'background_work',
      items: [
        { type: 'terminal', terminalId: 'c' },
        { type: 'terminal', terminalId: 'not seen' },
        { type: 'tool_call', toolCallId: 't' },
        { type: 'tool_call', toolCallId: 'covered' },
        { type: 'subagent', subagentId: 's' },
        { type: '_claude/task', description: 'Watches the log' } as never,
        { type: '_x' },
      ],
    };
    const state = after(ready, terminal({ canCancel: true }), call('t', 'in_progress'), task('k', { toolCallId: 'covered' }), reported);
    assert.deepEqual(
      backgroundItems(state).map(({ key, name, canStop }) => [key, name, canStop]),
      [
        ['task:k', 'k', false],
        ['terminal:c', 'npm run dev', true],
        ['call:t', 't', false],
        ['subagent:s', 's', false],
        ['other:5', 'Watches the log', false],
        ['other:6', '_x', false],
      ],
    );
    assert.equal(runsInBackground(state, 't'), true);
    const ended = after(ready, terminal({}), reported, terminal({ exitStatus: {} }), { type: 'background_work', items: [] });
    assert.deepEqual([backgroundItems(ended), runsInBackground(ended, 't')], [[], false]);
  });

  it('include no turn of the agent', () => {
    const state = after(ready, task('t', { taskKind: 'turn', status: 'running' }));
    assert.deepEqual([backgroundItems(state), hasOwnTurn(state)], [[], true]);
    assert.equal(hasOwnTurn(after(ready, task('t', { taskKind: 'turn', status: 'completed' }))), false);
  });
});

describe('suggested messages', () => {
  it('replace each other, and go with the next turn', () => {
    const suggest = (...suggestions: string[]): EventInput => ({ type: 'prompt_suggestions', suggestions });
    assert.deepEqual(after(ready, suggest('a'), suggest('b', 'c')).suggestions, ['b', 'c']);
    assert.equal(after(ready, suggest('a'), suggest()).suggestions, undefined);
    assert.equal(after(ready, suggest('a'), started('1')).suggestions, undefined);
  });
});

describe("the agent's own turn", () => {
  const says: EventInput = { type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text: 'x' } };
  const work: EventInput = { type: 'work_started', workId: 'w' };
  const usage: EventInput = { type: 'usage', usage: { used: 7, size: 100 } };

  it('has a footer with its usage and plans', () => {
    const plan: EventInput = { type: 'plan_update', planId: 'p', plan: { type: 'markdown', content: '# A' } };
    const state = after(ready, started('1'), says, ended('1'), work, says, usage, plan, { type: 'work_ended', workId: 'w' });
    assert.deepEqual(
      [...state.entries].map(({ entryId }) => entryId),
      ['agent:m', 'turn:1', 'agent:m~w', 'turn:w'],
    );
    assert.deepEqual(state.entries.get('turn:w'), {
      kind: 'turn',
      entryId: 'turn:w',
      at: 1008,
      turnId: 'w',
      stopReason: 'end_turn',
      startedAt: 1004,
      plans: { p: { type: 'markdown', content: '# A' } },
      use: { context: 7 },
    });
    assert.deepEqual(state.plans, {});
  });

  it('has a footer when the user stops it or sends a message', () => {
    const events = [ready, started('1'), says, ended('1'), work, says];
    const footer = (...more: EventInput[]) => {
      const entry = after(...events, ...more).entries.get('turn:w');
      return entry && 'stopReason' in entry ? entry.stopReason : undefined;
    };
    assert.equal(footer({ type: 'turn_cancelling' }, { type: 'work_ended', workId: 'w' }), 'cancelled');
    assert.equal(footer(started('2')), 'end_turn');
  });

  it('leaves out the footer when nothing came, or when the updates are late', () => {
    const none = after(ready, started('1'), says, ended('1'), work, { type: 'work_ended', workId: 'w' });
    const late = after(ready, started('1'), ended('1', 'cancelled'), { ...work, isLate: true } as EventInput, says, {
      type: 'work_ended',
      workId: 'w',
    });
    assert.deepEqual([none.entries.get('turn:w'), late.entries.get('turn:w')], [undefined, undefined]);
  });
});
