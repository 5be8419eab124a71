/** The variables for VS Code's proxy reach the process of an agent, below the user's own, and its password is not written anywhere. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Traces } from '../../src/acp/trace/traces';
import type { StartFollower } from '../../src/application/agents/startFollower';
import { proxyVariables } from '../../src/application/registry/proxyVariables';
import type { Failure } from '../../src/core/model/failure';
import type { Log } from '../../src/core/platform/log';
import { systemClock } from '../../src/util/clock';
import { connector } from '../../src/workbench/agents/connector';
import { expectNoChildren } from '../support/leaks';

const PROXY = 'http://me:made-up-password@proxy.example:8080';
/** Prints variables to stderr and ends. */
const PRINT = `for (const name of ['HTTP_PROXY', 'https_proxy', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS']) console.error(name + '=' + process.env[name]);`;

describe("VS Code's network settings in an agent's process", function () {
  this.timeout(30_000);
  let cwd: string;
  beforeEach(async () => (cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'network-')))));
  afterEach(async () => {
    await rm(cwd, { recursive: true, force: true });
    await expectNoChildren();
  });

  async function run(
    env: Readonly<Record<string, string>>,
    version?: string,
  ): Promise<{ lines: string[]; calls: string[]; failure: Failure }> {
    const lines: string[] = [];
    const calls: string[] = [];
    const write = (message: string): void => void lines.push(message);
    const log: Log = { debug: write, info: write, warn: write, error: write };
    const follower: StartFollower = {
      ready: () => calls.push('ready'),
      ended: (failure) => {
        calls.push(`ended ${failure?.code ?? ''}`);
        return version === undefined ? undefined : Promise.resolve(version);
      },
    };
    const connect = connector({
      ...{ clock: systemClock, log, environment: process.env, version: '0', traces: new Traces(systemClock) },
      launchFolders: (_, folder) => ({ cwd: folder }),
      demo: { agentId: 'D', agentName: 'D', command: 'none', args: ['none'], env: {} },
      network: () => proxyVariables({ proxy: PROXY, noProxy: ['corp.example'], certificates: '/certificates.pem' }, {}),
      follow: () => follower,
    });
    const launch = { agentId: 'A', agentName: 'A', command: process.execPath, args: ['-e', PRINT], env };
    const failure = await new Promise<Failure>((resolve) => {
      const agent = connect(
        launch,
        cwd,
      )({
        client: { request: () => undefined, notification: () => undefined } as never,
        onProgress: () => undefined,
        onReady: () => undefined,
        onEnd: (each) => {
          agent.dispose();
          resolve(each);
        },
      });
    });
    assert.ok(!JSON.stringify([lines, failure]).includes('made-up-password'), lines.join('\n'));
    return { lines: lines.flatMap((line) => /^A: (\w+=.*)$/.exec(line)?.[1] ?? []), calls, failure };
  }

  it('arrive without the password in a log, and the end is followed', async () => {
    const { lines, calls } = await run({});
    assert.equal(lines.length, 4);
    assert.match(lines[0]!, /^HTTP_PROXY=http:\/\/\S+@proxy\.example:8080$/);
    assert.match(lines[1]!, /^https_proxy=http/);
    assert.deepEqual(lines.slice(2), ['NO_PROXY=corp.example,localhost,127.0.0.1,::1', 'NODE_EXTRA_CA_CERTS=/certificates.pem']);
    assert.match(calls[0]!, /^ended agent\.exited_at_start$/);
    assert.ok(!calls.includes('ready'));
  });

  it('leave a failure the version to which the user can go back', async () => {
    const { failure } = await run({}, '1.2.3');
    assert.deepEqual([failure.code, failure.params?.['earlierVersion']], ['agent.exited_at_start', '1.2.3']);
    assert.equal(failure.params?.['isInstalled'], 'yes', 'a start that is followed is that of an installed agent');
    assert.equal((await run({})).failure.params?.['earlierVersion'], undefined);
  });

  it("stay below the user's own entry", async () => {
    const { lines } = await run({ http_proxy: 'http://own.example:1', NO_PROXY: '*', NODE_EXTRA_CA_CERTS: '/own.pem' });
    // The names of variables have no case on Windows.
    assert.equal(lines[0], process.platform === 'win32' ? 'HTTP_PROXY=http://own.example:1' : 'HTTP_PROXY=undefined');
    assert.deepEqual(lines.slice(2), ['NO_PROXY=*', 'NODE_EXTRA_CA_CERTS=/own.pem']);
  });
});
