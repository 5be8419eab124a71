/** The work that an agent does without a request. */
import assert from 'node:assert/strict';
import { modeLimits } from '../../../../src/core/approval/modeLimits';
import type { EventInput } from '../../../../src/core/model/event';
import type { UnaskedKind } from '../../../../src/core/modes/permissionMode';
import { noteUnaskedCalls } from '../../../../src/session/questions/unaskedCalls';
import { SessionStore } from '../../../../src/session/state/store';
import { FakeClock } from '../permission/fakes';

const roots = { cwd: '/w', additionalDirectories: [] };
const started: EventInput[] = [
  { type: 'session_opened', agentName: 'pi', cwd: '/w' },
  { type: 'session_ready', sessionId: 's' },
  { type: 'turn_started', turnId: 't' },
];
/** The reports of pi-acp about an edit: the first has the location, and the last has the diff. */
const edit = (toolCallId = 'e', path = '/w/list.txt'): EventInput[] => [
  { type: 'tool_call_update', toolCallId, patch: { title: 'edit', kind: 'edit', status: 'pending', locations: [{ path }] } },
  { type: 'tool_call_update', toolCallId, patch: { status: 'completed' } },
];
const command = (toolCallId = 'c'): EventInput[] => [
  { type: 'tool_call_update', toolCallId, patch: { title: 'ls', kind: 'execute', status: 'in_progress' } },
  { type: 'tool_call_update', toolCallId, patch: { status: 'completed' } },
];
const planOnly: EventInput = { type: 'permission_mode', mode: 'planOnly' };
const request = (kind: string, toolCallId?: string): EventInput => ({
  type: 'permission_requested',
  permissionId: 'p',
  title: 'A request',
  options: [],
  subject: { kind, ...(toolCallId !== undefined && { toolCallId }) },
});

function scene(agentName: string, ...before: EventInput[]) {
  const store = new SessionStore(new FakeClock());
  store.append(...structuredClone([...started, ...before]));
  const kept: UnaskedKind[] = [];
  const memory = { of: () => kept, add: (_: string, kind: UnaskedKind) => void kept.push(kind) };
  return {
    store,
    kept,
    happen: (...events: EventInput[]) => {
      const own = structuredClone(events);
      store.append(...own);
      noteUnaskedCalls(own, store.state, store, { agentId: agentName, agentName }, roots, memory);
    },
    notices: () => [...store.state.entries.slice(0)].flatMap((slot) => (slot.kind === 'notice' && 'failure' in slot ? [slot.failure] : [])),
  };
}

describe('work without a request', () => {
  it('is learned from finished edits and commands, for the limits of the modes and for later sessions', () => {
    const { store, happen, kept, notices } = scene('pi');
    assert.deepEqual(modeLimits(store.state, 'pi'), { edits: 'unknown', commands: 'unknown', isVersion2: false });
    happen(...edit());
    assert.deepEqual(modeLimits(store.state, 'pi'), { edits: 'itself', commands: 'unknown', isVersion2: false });
    happen(...command());
    assert.deepEqual(modeLimits(store.state, 'pi'), { edits: 'itself', commands: 'itself', isVersion2: false });
    assert.deepEqual(kept, ['edit', 'command']);
    assert.deepEqual(notices(), []);
  });

  it('in Plan only is reported once in the conversation, and marks the mode', () => {
    const { store, happen, notices } = scene('pi', planOnly);
    happen(...edit());
    happen(...edit('f', '/w/other.txt'));
    happen(...command());
    assert.deepEqual(notices(), [{ code: 'mode.not_held', params: { agent: 'pi', path: 'list.txt' } }]);
    assert.deepEqual(store.state.unasked?.inPlanOnly, true);
    assert.deepEqual(store.state.unasked?.kinds, ['edit', 'command']);
  });

  it('is not work that was requested, that failed, or that went through ACP Host', () => {
    const cases: EventInput[][] = [
      [edit()[0]!, request('edit', 'e'), edit()[1]!],
      [request('edit'), ...edit()],
      [edit()[0]!, { type: 'tool_call_update', toolCallId: 'e', patch: { status: 'failed' } }],
      [{ type: 'file_written', file: { path: '/private/w/list.txt', operation: 'update', added: 1, removed: 0 } }, ...edit()],
      [{ type: 'terminal_update', terminalId: 'x', ours: true, command: 'ls' }, ...command()],
    ];
    for (const events of cases) {
      const { store, happen, kept, notices } = scene('pi', planOnly);
      happen(...events);
      assert.deepEqual([store.state.unasked, kept, notices()], [undefined, [], []], JSON.stringify(events));
    }
  });

  it('is not a call of an earlier turn, which an agent repeats', () => {
    const { store, happen } = scene('pi', { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    happen(...edit());
    assert.equal(store.state.unasked, undefined);
  });

  it('is not learned of commands where the agent asks about others', () => {
    const known = scene('Claude Code');
    known.happen(...command());
    assert.equal(modeLimits(known.store.state, 'Claude Code').commands, 'asks');
    assert.deepEqual(known.kept, []);
    const other = scene('pi', { ...request('execute', 'earlier') }, { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    other.happen({ type: 'turn_started', turnId: 'u' }, ...command());
    assert.deepEqual(other.kept, []);
  });

  it('in the agent’s own plan mode is an edit in the folders of the session', () => {
    const choices = ['default', 'plan'].map((value) => ({ value, name: value }));
    const mode: EventInput = {
      type: 'config_options',
      options: [{ type: 'select', configId: 'mode', name: 'Mode', category: 'mode', currentValue: 'plan', groups: [{ choices }] }],
    };
    const { happen, notices } = scene('Claude Code', mode, planOnly);
    happen(...command());
    happen(...edit('p', '/home/me/.claude/plans/a.md'));
    happen(...edit('q', '/work/a.md'));
    assert.deepEqual(notices(), []);
    happen(...edit());
    assert.equal(notices().length, 1);
  });
});
