import { strict as assert } from 'node:assert';
import type { ConnectorDependencies } from '../../../../src/workbench/agents/connector';
import { lazyConnector } from '../../../../src/workbench/agents/lazyConnector';

describe('an agent whose code is loaded at its start', () => {
  /** A start first reads its dependencies. */
  const start = (onStart: () => void) => {
    const dependencies = { valuesOf: onStart, launchFolders: () => ({}), environment: {}, demo: { command: 'demo', args: [] } };
    const connect = lazyConnector(
      dependencies as unknown as ConnectorDependencies,
      () => Promise.resolve({ connectorSettings: {} }),
      async (launch) => launch,
    );
    const nothing = () => undefined;
    const launch = { agentId: 'a', agentName: 'a', command: 'a', args: [], env: {} };
    return connect(launch, '/w')({ client: {} as never, onProgress: nothing, onReady: nothing, onEnd: nothing });
  };

  it('is started once the code is loaded', async () => {
    const started = new Promise<void>((resolve) => start(resolve));
    await started;
  });

  it('is never started when it was cancelled before', async () => {
    let started = false;
    start(() => (started = true)).dispose();
    await import('../../../../src/workbench/agents/connector');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(started, false);
  });
});
