/** The agent that counts as the one used last. */
import assert from 'node:assert/strict';
import type { AgentSource, CatalogEntry } from '../../../../src/agent/catalog';
import { SessionStore } from '../../../../src/session/state/store';
import { lastAgents, recentAgents, rememberWhenReady } from '../../../../src/workbench/sessions/recentAgents';
import { FakeClock } from '../../session/permission/fakes';

function stage(stored: Record<string, unknown> = {}) {
  const values = new Map(Object.entries(stored));
  const globalState = {
    get: <T>(key: string, otherwise?: T) => (values.has(key) ? (values.get(key) as T) : otherwise),
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
  } as Parameters<typeof rememberWhenReady>[2];
  const remembered: string[] = [];
  const entry = (agentName: string, source: AgentSource): CatalogEntry => ({
    agentId: agentName,
    agentName,
    source,
    launch: { agentId: agentName, agentName, command: 'x', args: [], env: {} },
  });
  const entries = [entry('Mine', 'user'), entry('Other', 'predefined'), entry('Demo', 'demo')];
  const start = (agentName: string, all = entries, isReady = false) => {
    const store = new SessionStore(new FakeClock());
    store.append({ type: 'session_opened', agentName, cwd: '/w' });
    if (isReady) {
      store.append({ type: 'session_ready', sessionId: 's' });
    }
    rememberWhenReady({ agentId: agentName, store }, all, globalState, () => remembered.push(agentName));
    return store;
  };
  const newest = (agentId: string, store: SessionStore, all = entries) => lastAgents(globalState, all, { agentId, store });
  return { entries, start, newest, recent: () => recentAgents(globalState), last: () => values.get('lastAgent'), remembered };
}

describe('the agent used last', () => {
  it('is the last one that started a session, not one that failed to', () => {
    const { start, recent, last, remembered } = stage();
    start('Mine').append({ type: 'session_ready', sessionId: 's' });
    start('Other').append({ type: 'session_failed', failure: { code: 'agent.not_found' } });
    start('Hangs');
    assert.deepEqual([recent(), last(), remembered], [['Mine'], 'Mine', ['Mine']]);
  });

  it('counts an agent whose start succeeds later, such as after a sign-in', () => {
    const { start, recent } = stage({ lastAgent: 'Mine' });
    assert.deepEqual(recent(), ['Mine']);
    const store = start('Other');
    store.append({ type: 'session_failed', failure: { code: 'auth.required' } });
    assert.deepEqual(recent(), ['Mine']);
    store.append({ type: 'session_opened', agentName: 'Other', cwd: '/w' }, { type: 'session_ready', sessionId: 's' });
    assert.deepEqual(recent(), ['Other', 'Mine']);
    // A session that is resumed later does not move its agent up.
    start('Mine').append({ type: 'session_ready', sessionId: 't' });
    store.append({ type: 'session_ready', sessionId: 's' });
    assert.deepEqual(recent(), ['Mine', 'Other']);
  });

  it('is not the demo agent for a user with agents of their own', () => {
    const { start, recent, entries } = stage();
    start('Demo').append({ type: 'session_ready', sessionId: 's' });
    assert.deepEqual(recent(), []);
    start('Demo', entries.slice(1)).append({ type: 'session_ready', sessionId: 's' });
    assert.deepEqual(recent(), ['Demo']);
  });

  it('counts an agent that was ready before its session was followed', () => {
    const { recent, start } = stage();
    start('Mine', undefined, true);
    assert.deepEqual(recent(), ['Mine']);
  });

  it('is the one of the session that is starting, until that fails', () => {
    const { entries, start, newest, recent } = stage({ recentAgents: ['Mine', 'Other'] });
    const store = start('Other');
    assert.deepEqual(newest('Other', store), ['Other', 'Mine']);
    assert.deepEqual(newest('Demo', start('Demo')), ['Mine', 'Other']);
    assert.deepEqual(newest('Demo', start('Demo', entries.slice(1)), entries.slice(1)), ['Demo', 'Mine', 'Other']);
    store.append({ type: 'session_failed', failure: { code: 'agent.not_found' } });
    assert.deepEqual(
      [newest('Other', store), recent()],
      [
        ['Mine', 'Other'],
        ['Mine', 'Other'],
      ],
    );
  });
});
