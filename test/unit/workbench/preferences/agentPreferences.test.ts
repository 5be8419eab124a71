import type { AgentKey } from '../../../../src/core/agents/agentIds';
import assert from 'node:assert/strict';
import type { SessionCapabilities } from '../../../../src/core/model/content';
import { NO_CAPABILITIES } from '../../../../src/core/model/wellKnown';
import { CapabilityCache } from '../../../../src/workbench/agents/capabilityCache';
import { AgentPreferencesStore } from '../../../../src/workbench/preferences/agentPreferences';

const DEMO: AgentKey = { agentId: 'acp-host/demo', earlierId: 'Demo Agent' };

class Memento {
  readonly values = new Map<string, unknown>();
  readonly keys = () => [...this.values.keys()];
  readonly setKeysForSync = () => undefined;
  readonly get = <T>(key: string, otherwise?: T): T => (this.values.has(key) ? (this.values.get(key) as T) : (otherwise as T));
  readonly update = async (key: string, value: unknown) => void this.values.set(key, value);
}

describe('the preferences of an agent', () => {
  it('belong to its id', () => {
    const store = new AgentPreferencesStore(new Memento());
    store.chose('one', 'model', 'big');
    store.mark('two', 'model', 'small', true);
    assert.deepEqual([store.of('one').values, store.of('two').values], [{ model: 'big' }, {}]);
    assert.deepEqual([store.of('one').favorites, store.of('two').favorites], [{}, { model: ['small'] }]);
  });

  it('are read from the name of an earlier version, and written under the id', () => {
    const memento = new Memento();
    new AgentPreferencesStore(memento).chose('Demo Agent', 'model', 'big');
    const store = new AgentPreferencesStore(memento, () => [DEMO]);
    assert.deepEqual(store.of(DEMO.agentId).values, { model: 'big' });
    store.chose(DEMO.agentId, 'mode', 'plan');
    assert.deepEqual(new AgentPreferencesStore(memento).of(DEMO.agentId).values, { model: 'big', mode: 'plan' });
    store.chose(DEMO.agentId, 'model', 'small');
    assert.equal(store.of(DEMO.agentId).values['model'], 'small');
  });

  it('never reach an agent whose name is the id of another, even from an earlier version', () => {
    const memento = new Memento();
    const store = new AgentPreferencesStore(memento, () => [{ agentId: 'Same' }, { agentId: 'x' }]);
    store.chose('Same', 'model', 'big');
    assert.deepEqual(store.of('x').values, {});
  });
});

describe('the remembered capabilities of an agent', () => {
  const offers: SessionCapabilities = { ...NO_CAPABILITIES, list: true };

  it('belong to its id, and are read from the name of an earlier version', () => {
    const memento = new Memento();
    memento.values.set('agentOffers', { 'Demo Agent': offers, mine: NO_CAPABILITIES });
    const known = new CapabilityCache(memento);
    assert.deepEqual([known.of(DEMO)?.list, known.of({ agentId: 'mine' })?.list], [true, false]);
    assert.equal(known.of({ agentId: 'x' }), undefined);
  });
});
