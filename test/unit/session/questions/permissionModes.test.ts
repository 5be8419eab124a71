/** The permission mode of a session, with the agent's own plan mode. */
import assert from 'node:assert/strict';
import type { EventInput, SessionEvent } from '../../../../src/core/model/event';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { toJournal } from '../../../../src/core/modes/permissionMode';
import { PermissionModes } from '../../../../src/session/questions/permissionModes';
import { SessionStore } from '../../../../src/session/state/store';
import { FakeClock } from '../permission/fakes';

const option = (currentValue: string): EventInput => ({
  type: 'config_options',
  options: [
    {
      type: 'select',
      configId: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue,
      groups: [{ choices: ['default', 'plan', 'auto'].map((value) => ({ value, name: value })) }],
    },
  ],
});
const opened: EventInput = { type: 'session_opened', agentName: 'A', cwd: '/w' };
const ready: EventInput = { type: 'session_ready', sessionId: 's' };
const microtasks = () => new Promise((resolve) => setImmediate(resolve));

function scene(...before: EventInput[]) {
  const store = new SessionStore(new FakeClock());
  store.append(...before);
  const set: string[] = [];
  const modes = new PermissionModes({
    store,
    setConfig: (configId, value) => {
      set.push(`${configId}=${value}`);
      store.append({ type: 'config_value', configId, value });
    },
  });
  return { store, set, modes, mode: () => store.state.permissionMode };
}

describe('the permission mode of a session', () => {
  it('sets the agent’s plan mode, and the earlier one afterwards', () => {
    const { modes, set, mode } = scene(opened, option('auto'), ready);
    modes.set('planOnly');
    assert.deepEqual(mode(), { mode: 'planOnly', earlier: { configId: 'mode', value: 'auto' } });
    modes.set('acceptEdits');
    assert.deepEqual(mode(), { mode: 'acceptEdits' });
    assert.deepEqual(set, ['mode=plan', 'mode=auto']);
  });

  it('keeps a mode that the user has chosen meanwhile', () => {
    const { modes, set, store } = scene(opened, option('auto'), ready);
    modes.set('planOnly');
    store.append({ type: 'config_value', configId: 'mode', value: 'default' });
    modes.set('ask');
    assert.deepEqual(set, ['mode=plan']);
  });

  it('sets the plan mode of an agent that starts later, or again', async () => {
    const { modes, set, mode, store } = scene(opened);
    modes.set('planOnly');
    store.append(option('default'), ready);
    await microtasks();
    assert.deepEqual(set, ['mode=plan']);
    assert.deepEqual(mode(), { mode: 'planOnly', earlier: { configId: 'mode', value: 'default' } });
    store.append({ type: 'disconnected', failure: { code: 'agent.exited' } });
    store.append(opened, ready, option('auto'));
    await microtasks();
    assert.deepEqual(set, ['mode=plan', 'mode=plan']);
    store.append({ type: 'config_value', configId: 'mode', value: 'auto' });
    await microtasks();
    assert.equal(set.length, 2, 'the user has changed it');
  });

  it('is Ask after a reload, when Allow everything has replaced another mode', () => {
    const { modes, mode, store } = scene(opened, option('auto'), ready);
    const journaled: EventInput[] = [];
    store.onEvents((_, events) => journaled.push(...events.map(toJournal)));
    modes.set('planOnly');
    modes.set('allowEverything');
    assert.deepEqual(mode(), { mode: 'allowEverything' });
    const later = new SessionStore(new FakeClock());
    later.restore(journaled as SessionEvent[]);
    assert.equal(later.state.permissionMode, undefined);
  });

  it('works with an agent that has no plan mode', () => {
    const { modes, set, mode } = scene(opened, ready);
    modes.set('planOnly');
    modes.set('ask');
    assert.deepEqual([set, mode()], [[], undefined]);
  });

  it('allows everything only in a session that runs', () => {
    const { modes, mode, store } = scene(opened, ready, { type: 'disconnected', failure: { code: 'agent.exited' } });
    modes.set('allowEverything');
    assert.equal(mode(), undefined);
    store.append(opened, ready);
    modes.set('allowEverything');
    assert.deepEqual(mode(), { mode: 'allowEverything' });
    store.append({ type: 'session_ended' });
    assert.equal(mode(), undefined);
  });

  it('is recorded again when a replay replaces the conversation', async () => {
    const { modes, mode, store } = scene(opened, ready);
    const written: SessionEvent[] = [];
    store.onEvents((_, events) => void written.push(...events));
    modes.set('acceptEdits');
    store.replace([], EMPTY_STATE);
    await microtasks();
    assert.deepEqual(mode(), { mode: 'acceptEdits' });
    assert.deepEqual(
      written.map((event) => event.type === 'permission_mode' && event.mode),
      ['acceptEdits', 'acceptEdits'],
    );
    store.append(opened, ready);
    modes.set('allowEverything');
    written.length = 0;
    store.replace([], { ...EMPTY_STATE, status: 'ready' });
    await microtasks();
    assert.deepEqual([mode(), written.map((event) => event.type)], [{ mode: 'allowEverything' }, ['permission_mode']]);
  });
});
