import assert from 'node:assert/strict';
import { planModeIn } from '../../../../src/core/approval/planMode';
import { modeLimits, needsSandbox } from '../../../../src/core/approval/modeLimits';
import type { ConfigOption } from '../../../../src/core/model/content';
import type { EventInput, SessionEvent } from '../../../../src/core/model/event';
import { EMPTY_STATE, type SessionState, withEntries } from '../../../../src/core/model/state';
import { modeOf, type PermissionMode, toJournal } from '../../../../src/core/modes/permissionMode';
import { reduce } from '../../../../src/core/reduce/reduce';
import { modeLimitsText } from '../../../../src/text/messages/permissionModes';
import { englishVerbatim } from '../../application/english';

const after = (...events: EventInput[]): SessionState =>
  events.reduce((state, event) => reduce(state, { ...event, at: 0 } as SessionEvent), EMPTY_STATE);
const set = (mode: PermissionMode): EventInput => ({ type: 'permission_mode', mode });
const failure = { code: 'agent.exited' } as const;

describe('a permission mode', () => {
  it('ends with the session only when everything is allowed', () => {
    const ends: EventInput[] = [{ type: 'session_ended' }, { type: 'disconnected', failure }, { type: 'session_failed', failure }];
    ends.push({ type: 'session_opened', agentName: 'A', cwd: '/w' });
    for (const end of ends) {
      assert.equal(modeOf(after(set('allowEverything'), end)), 'ask', end.type);
      assert.equal(modeOf(after(set('planOnly'), end)), 'planOnly', end.type);
    }
  });

  it('is part of the state that a new entry leaves', () => {
    const state = after(set('acceptEdits'));
    assert.equal(modeOf(withEntries(state, state.entries)), 'acceptEdits');
    assert.equal(after(set('acceptEdits'), set('ask')).permissionMode, undefined);
  });

  it('is Ask in the journal when everything is allowed', () => {
    assert.deepEqual(
      (['ask', 'acceptEdits', 'planOnly', 'allowEverything'] as const).map((mode) => toJournal(set(mode))),
      [set('ask'), set('acceptEdits'), set('planOnly'), { ...set('ask'), endsWithWindow: true }],
    );
  });

  it('is known to have ended with the window until another mode or the end of the session', () => {
    const all = toJournal(set('allowEverything'));
    const ended = after(set('planOnly'), all);
    assert.deepEqual([modeOf(ended), ended.hasEndedMode], ['ask', true]);
    assert.equal(withEntries(ended, ended.entries).hasEndedMode, true);
    const laterOnes: EventInput[] = [set('ask'), set('planOnly'), { type: 'session_ended' }, { type: 'disconnected', failure }];
    for (const later of laterOnes) {
      assert.equal(after(all, later).hasEndedMode, undefined, later.type);
    }
  });
});

describe('the agent’s own plan mode', () => {
  const modes = (...choices: { value: string; name: string }[]): ConfigOption[] => [
    { type: 'select', configId: 'mode', name: 'Mode', category: 'mode', currentValue: 'x', groups: [{ choices }] },
  ];
  for (const [value, name] of [
    ['plan', 'Plan Mode'],
    ['https://agentclientprotocol.com/protocol/session-modes#plan', 'Plan'],
    ['architect', 'Architect'],
    ['read-only', 'Read Only'],
    ['m2', 'Plan'],
  ] as const) {
    it(`is ${value}, ${name}`, () => {
      assert.deepEqual(planModeIn(modes({ value: 'default', name: 'Default' }, { value, name })), {
        configId: 'mode',
        plan: value,
        now: 'x',
      });
    });
  }

  it('is not a mode that only mentions plans', () => {
    assert.equal(planModeIn(modes({ value: 'default', name: 'Default' }, { value: 'explain', name: 'Explain plans' })), undefined);
    assert.equal(planModeIn([]), undefined);
  });
});

describe('the limits of a mode', () => {
  const say = (state: SessionState, agent: string): string => modeLimitsText(modeLimits(state, agent), agent, englishVerbatim);

  it('name what a known agent does itself', () => {
    assert.match(say(EMPTY_STATE, 'OpenCode'), /^OpenCode edits files and runs commands itself, without asking/);
    assert.match(say(EMPTY_STATE, 'Claude Code'), /itself, and asks first/);
    assert.match(say(EMPTY_STATE, 'Unheard'), /^Whether Unheard asks/);
    assert.equal(needsSandbox(modeLimits(EMPTY_STATE, 'OpenCode')), true);
  });

  it('follow what the agent has done in the session', () => {
    const written = { path: '/w/a', operation: 'add', added: 1, removed: 0 };
    const turn: EventInput = { type: 'turn_started', turnId: 't' };
    const file = { type: 'file_written', file: written } as EventInput;
    const terminal = { type: 'terminal_update', terminalId: 'x', ours: true, command: 'ls' } as EventInput;
    assert.match(say(after(turn, file, terminal), 'Unheard'), /^Unheard edits files and runs commands through ACP Host/);
    const asked: EventInput = { type: 'permission_requested', permissionId: 'p', title: 'Edit', options: [], subject: { kind: 'edit' } };
    assert.match(say(after(turn, asked), 'Unheard'), /^Unheard edits files itself, and asks first.*commands is not known yet\.$/);
    assert.match(say({ ...after(turn, file), protocolVersion: 2 }, 'Unheard'), /version 2 do neither/);
  });
});
