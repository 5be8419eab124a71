/** A window that installs an agent, to be killed. */
import { createInstaller } from '../../../src/registry/install/installer';
import type { RegistryAgent } from '../../../src/registry/types';

process.on('message', ({ folder, agent }: { folder: string; agent: RegistryAgent }) => {
  const deps = { folder, fetch, now: Date.now, environment: () => ({}), node: async () => undefined, uv: async () => undefined };
  void createInstaller(deps).install(agent, ({ done }) => void (done && process.send?.('downloading')));
});
