import assert from 'node:assert/strict';
import { AgentModel } from '../../../../../src/application/agents/views/agentModel';
import { AgentOperations } from '../../../../../src/application/agents/views/agentOperations';
import { fault } from '../../../../../src/core/model/failure';
import type { AgentInstaller, InstallProgress, RegistryAgent, RegistryIndex, RegistryState } from '../../../../../src/registry/types';
import { installedAgent, registryAgent } from '../../../../support/agentPages';

const registry = registryAgent('a');
const target = { key: 'registry/a', agentId: 'registry/a', registry };
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** An installer whose installation the test ends by hand. */
class FakeInstaller implements Partial<AgentInstaller> {
  readonly calls: unknown[][] = [];
  report: ((progress: InstallProgress) => void) | undefined;
  signal: AbortSignal | undefined;
  finish!: () => void;
  fail!: (error: Error) => void;
  changed: (() => void) | undefined;
  installed = [installedAgent('a')];

  install = (_agent: RegistryAgent, report: (progress: InstallProgress) => void, signal?: AbortSignal) =>
    new Promise<never>((resolve, reject) => {
      this.report = report;
      this.signal = signal;
      this.finish = () => resolve(installedAgent('a') as never);
      this.fail = reject;
      signal?.addEventListener('abort', () => reject(fault('install.failed', { reason: 'cancelled' })));
    });
  rollBack = async (...args: unknown[]) => (this.calls.push(['rollBack', ...args]), installedAgent('a'));
  choose = async (...args: unknown[]) => (this.calls.push(['choose', ...args]), installedAgent('a'));
  pin = async (...args: unknown[]) => (this.calls.push(['pin', ...args]), installedAgent('a'));
  used = false;
  isUsed = async () => this.used;
  uninstall = async (...args: unknown[]) => void this.calls.push(['uninstall', ...args]);
  list = async () => this.installed;
  onDidChange = (listener: () => void) => {
    this.changed = listener;
    return () => (this.changed = undefined);
  };
}

function scene() {
  const installer = new FakeInstaller();
  let changes = 0;
  const operations = new AgentOperations(
    async () => installer as unknown as AgentInstaller,
    () => void changes++,
  );
  return { installer, operations, changes: () => changes };
}

describe('the operations on agents', () => {
  it('report progress, and end without a trace', async () => {
    const { installer, operations, changes } = scene();
    const run = operations.run('install', target);
    assert.deepEqual(operations.workOn('registry/a'), { progress: 'start' });
    await soon();
    installer.report!({ step: 'download', done: 1, total: 2 });
    assert.deepEqual(operations.workOn('registry/a').progress, { step: 'download', done: 1, total: 2 });
    installer.finish();
    assert.equal(await run, true);
    assert.deepEqual(operations.workOn('registry/a'), {});
    assert.equal(changes(), 3);
  });

  it('run once at a time for each agent', async () => {
    const { installer, operations } = scene();
    const first = operations.run('install', target);
    assert.equal(await operations.run('uninstall', target), false);
    await soon();
    installer.finish();
    await first;
    assert.deepEqual(installer.calls, []);
  });

  it('can be cancelled, which is no failure', async () => {
    const { installer, operations } = scene();
    const run = operations.run('install', target);
    await soon();
    operations.cancel('registry/a');
    assert.equal(installer.signal?.aborted, true);
    assert.equal(await run, false);
    assert.deepEqual(operations.workOn('registry/a'), {});
  });

  it('keep the failure until the next operation', async () => {
    const { installer, operations } = scene();
    const run = operations.run('update', target);
    await soon();
    installer.fail(fault('install.failed', { reason: 'disk_full' }));
    assert.equal(await run, false);
    assert.equal(operations.workOn('registry/a').failure?.code, 'install.failed');
    await operations.run('pin', target);
    assert.deepEqual(operations.workOn('registry/a'), {});
  });

  it('say at once that a running agent can not be uninstalled', async () => {
    const { installer, operations } = scene();
    assert.equal(await operations.canUninstall(target), true);
    installer.used = true;
    assert.equal(await operations.canUninstall(target), false);
    assert.equal(operations.workOn('registry/a').failure?.params?.['reason'], 'in_use');
    assert.deepEqual(installer.calls, []);
  });

  it('pin, unpin, roll back, use a version and uninstall', async () => {
    const { installer, operations } = scene();
    for (const operation of ['pin', 'unpin', 'roll_back', 'uninstall'] as const) {
      assert.equal(await operations.run(operation, target), true);
    }
    assert.equal(await operations.run('use_version', target, '1.0.0'), true);
    assert.deepEqual(installer.calls.pop(), ['choose', 'registry/a', '1.0.0']);
    assert.deepEqual(installer.calls, [
      ['pin', 'registry/a', true],
      ['pin', 'registry/a', false],
      ['rollBack', 'registry/a'],
      ['uninstall', 'registry/a'],
    ]);
  });
});

describe('the agents of the window', () => {
  function model(refresh: RegistryIndex['refresh']) {
    const installer = new FakeInstaller();
    const index = { cached: async () => ({ agents: [registry], registries: [] }), refresh };
    const agents = new AgentModel({
      registry: async () => ({ index, installer: installer as unknown as AgentInstaller, read: async () => undefined }),
      entries: () => [],
    });
    return { agents, installer };
  }

  it('come from the cache before a registry answers', async () => {
    let answer!: (state: RegistryState) => void;
    const { agents } = model(() => new Promise((resolve) => (answer = resolve)));
    const refreshing = agents.refresh();
    await soon();
    assert.deepEqual([agents.isLoading, agents.isRefreshing, agents.agents.map(({ key }) => key)], [false, true, ['registry/a']]);
    answer({ agents: [registry, registryAgent('b')], registries: [] });
    await refreshing;
    assert.deepEqual([agents.isRefreshing, agents.agents.length], [false, 2]);
  });

  it('come from a registry that has answered while another one is waited for', async () => {
    let answer!: (state: RegistryState) => void;
    const { agents } = model((_signal, report) => {
      report!({ agents: [registry, registryAgent('b')], registries: [] });
      return new Promise((resolve) => (answer = resolve));
    });
    const refreshing = agents.refresh();
    await soon();
    assert.deepEqual([agents.isRefreshing, agents.agents.length], [true, 2]);
    answer({ agents: [], registries: [] });
    await refreshing;
  });

  it('follow installations, also of another window', async () => {
    const { agents, installer } = model(async () => ({ agents: [], registries: [] }));
    await agents.load();
    assert.equal(agents.find('registry/a')?.installed?.id, 'a');
    installer.installed = [];
    let changes = 0;
    agents.onDidChange(() => void changes++);
    installer.changed!();
    await soon();
    assert.equal(agents.find('registry/a')?.installed, undefined);
    assert.equal(changes, 1);
  });

  it('keep the reason when their cache cannot be read', async () => {
    const agents = new AgentModel({ registry: () => Promise.reject(fault('internal')), entries: () => [] });
    await agents.refresh();
    assert.deepEqual([agents.isLoading, agents.failure?.code, agents.agents], [false, 'internal', []]);
  });
});
