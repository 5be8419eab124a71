import assert from 'node:assert/strict';
import type { Preset } from '../../../../src/application/presets/preset';
import type { Session } from '../../../../src/session/session';
import { SessionStore } from '../../../../src/session/state/store';
import { systemClock } from '../../../../src/util/clock';
import { type ApplyPresetDependencies, startWithPreset, switchToPreset } from '../../../../src/workbench/presets/applyPreset';

const PRESET: Preset = {
  name: 'Review',
  agent: 'A',
  options: { model: 'large', gone: true },
  mcpServers: ['git', 'other'],
  permissionMode: 'acceptEdits',
};

function scene(agentId = 'A') {
  const calls: unknown[] = [];
  const store = new SessionStore(systemClock);
  const session = {
    key: 'S',
    agentId,
    store,
    setPermissionMode: async (mode: string) => void calls.push(['mode', mode]),
    setOptions: (values: unknown, whenSet: () => void) => {
      calls.push(['options', values]);
      whenSet();
    },
  } as unknown as Session;
  const feature = {
    choices: { limit: async (...args: unknown[]) => void calls.push(['limit', ...args]) },
    planOf: async () => ({ servers: [{ name: 'git' }] }),
    changed: async () => void calls.push(['changed']),
  };
  const deps = {
    servers: { feature: async () => feature },
    agents: () => ({ catalog: { entries: [{ agentId: 'A', agentName: 'A' }] } }),
  } as unknown as ApplyPresetDependencies;
  const notices = () => [...store.state.entries].flatMap((entry) => ('failure' in entry ? [entry.failure] : []));
  return { calls, session, store, deps, notices };
}

describe('a preset', () => {
  it('sets servers and permission mode before the agent starts, and says what is not there once it is ready', async () => {
    const { calls, session, store, deps, notices } = scene();
    await startWithPreset(deps, session, PRESET);
    assert.deepEqual(calls, [
      ['limit', 'S', ['git', 'other']],
      ['mode', 'acceptEdits'],
    ]);
    assert.deepEqual(notices(), []);
    store.append({ type: 'session_ready', sessionId: 'X' });
    await new Promise(setImmediate);
    assert.deepEqual(notices(), [{ code: 'preset.partial', params: { preset: 'Review', missing: 'model, gone, other' } }]);
  });

  it('names its agent when another one runs', async () => {
    const { session, store, deps, notices } = scene('B');
    await startWithPreset(deps, session, { name: 'P', agent: 'Gone', options: {} });
    store.append({ type: 'session_ready', sessionId: 'X' });
    await new Promise(setImmediate);
    assert.deepEqual(notices(), [{ code: 'preset.partial', params: { preset: 'P', missing: 'Gone' } }]);
  });

  it('changes a running session: options, then the permission mode, then the servers', async () => {
    const { calls, session, deps } = scene();
    await switchToPreset(deps, session, { name: 'P', agent: 'A', options: {}, mcpServers: ['git'] });
    assert.deepEqual(calls, [['options', {}], ['mode', 'ask'], ['limit', 'S', ['git']], ['changed']]);
  });
});
