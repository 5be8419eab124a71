import { strict as assert } from 'node:assert';
import { Fault } from '../../../../src/core/model/failure';
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

  it('says when the refused values were entered by the user, and asks for them again', async () => {
    const asked: boolean[] = [];
    const ended = (headers: Record<string, string>): Promise<unknown> => {
      const connect = lazyConnector(
        {} as unknown as ConnectorDependencies,
        () => Promise.resolve({ connectorSettings: {} }),
        async (_, again) => {
          asked.push(again);
          throw new Fault({ code: 'remote.denied', params: { host: 'x' } });
        },
      );
      const launch = { agentId: 'a', agentName: 'a', url: 'wss://x/', headers, kind: 'websocket' } as never;
      const nothing = () => undefined;
      const once = () =>
        new Promise<unknown>((resolve) =>
          connect(launch, '/w')({ client: {} as never, onProgress: nothing, onReady: nothing, onEnd: resolve }),
        );
      return once().then(once);
    };
    const denied = { code: 'remote.denied', params: { host: 'x' } };
    assert.deepEqual(await ended({ authorization: 'Bearer ${input:token}' }), { ...denied, params: { host: 'x', isEntered: 'yes' } });
    assert.deepEqual(await ended({ authorization: 'Bearer ${env:TOKEN}' }), denied);
    assert.deepEqual(asked, [false, true, false, true]);
  });

  it('is never started when it was cancelled before', async () => {
    let started = false;
    start(() => (started = true)).dispose();
    await import('../../../../src/workbench/agents/connector');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(started, false);
  });
});
