import assert from 'node:assert/strict';
import type { AgentLaunch } from '../../../../src/core/model/agentLaunch';
import type { SandboxMode } from '../../../../src/core/sandbox/sandbox';
import { AgentConnections } from '../../../../src/session/agent/agentConnections';

const launch = { agentId: 'ada', agentName: 'Ada', command: 'ada', args: [], env: {} };
const log = { trace: () => undefined, debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function connections(setting?: SandboxMode) {
  const started: AgentLaunch[] = [];
  const all = new AgentConnections({
    log,
    clock: { now: () => 0 },
    trust: { check: (_request, settled) => settled(undefined), isRestricted: () => false },
    connect: (each) => {
      started.push(each);
      return () => ({ dispose: () => undefined });
    },
    secretsOf: () => [],
    ...(setting && { sandboxModeOf: () => setting }),
  });
  const start = (cwd: string, sandbox?: SandboxMode, more: AgentLaunch = launch) => {
    let outcome: unknown;
    all.start(
      { launch: more, roots: { cwd, additionalDirectories: [] }, byUser: true, ...(sandbox && { sandbox }) },
      (settled) => (outcome = settled),
    );
    return outcome as { ok: boolean; value?: unknown; failure?: { code: string } };
  };
  return { start, started };
}

describe('the process of a sandboxed agent', () => {
  it('differs from the process of a session without a sandbox', () => {
    const { start, started } = connections();
    const plain = start('/p');
    const boxed = start('/p', 'agent');
    assert.notEqual(plain.value, boxed.value);
    assert.equal(start('/p', 'agent').value, boxed.value);
    assert.equal(start('/p', 'commands').value, plain.value);
    assert.deepEqual(
      started.map(({ sandbox }) => sandbox),
      [undefined, { folders: ['/p'] }],
    );
  });

  it('is sandboxed by the setting where there is no session', () => {
    const { start, started } = connections('agent');
    start('/p');
    assert.deepEqual(started[0]?.sandbox, { folders: ['/p'] });
  });

  it('does not start when it is no process of ours', () => {
    const { start, started } = connections('agent');
    const stream: AgentLaunch = { agentId: 'ada', agentName: 'Ada', kind: 'websocket', url: 'ws://x', headers: {} };
    assert.equal(start('/p', undefined, stream).failure?.code, 'sandbox.not_a_process');
    assert.equal(started.length, 0);
  });
});
