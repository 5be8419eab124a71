/** Two windows with the same storage: one runs an earlier version of an agent of a registry while the other one updates it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { failureOf } from '../../src/core/model/failure';
import { createInstaller } from '../../src/registry/install/installer';
import type { AgentInstaller, InstalledVersion, RegistryAgent } from '../../src/registry/types';
import { watchLeaks } from '../support/leaks';
import { Loopback } from '../support/registry/loopback';
import { agentArguments, buildAgent } from '../support/scenario/agents';
import { Stage } from '../support/scenario/stage';

describe('two versions of an agent in two windows', function () {
  this.timeout(60_000);
  watchLeaks();
  let root: string;
  let server: Loopback;

  before(buildAgent);
  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'versions-')));
    server = new Loopback();
    await server.start();
  });
  afterEach(async () => {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  });

  /** The scripted agent, which reports this version. */
  function agentOf(version: string): RegistryAgent {
    const setup = JSON.stringify({ initialize: { agentInfo: { name: 'tool', version } } });
    const program = [process.execPath, ...agentArguments(), '--setup', setup].map((word) => `'${word}'`).join(' ');
    const archive = server.file(`/${version}`, `#!/bin/sh\nexec ${program}\n`);
    return {
      ...{ id: 'tool', agentId: 'registry/tool', name: 'Tool', description: 'x', authors: [], origin: 'https://example.com/r.json' },
      version,
      ways: [{ kind: 'binary', archive, cmd: 'tool', args: [], env: {} }],
    };
  }

  const openWindow = (): AgentInstaller =>
    createInstaller({
      folder: path.join(root, 'agents'),
      fetch: (url, init) => fetch(url, init),
      now: () => Date.now(),
      environment: () => ({ PATH: process.env['PATH'] }),
      node: async () => undefined,
      uv: async () => undefined,
    });

  /** A session with a version, whose use is marked as by a window. */
  async function run(window: AgentInstaller, { launch }: InstalledVersion): Promise<{ stage: Stage; end(): Promise<void> }> {
    const endUse = await window.use(launch.command);
    const stage = new Stage(await mkdtemp(path.join(root, 'project-')), { launch, defaults: null });
    await stage.ready();
    return {
      stage,
      end: async () => {
        await stage.close();
        endUse?.();
      },
    };
  }

  const versionOf = ({ frames }: Stage): unknown => {
    const answer = frames.map(({ text }) => text).find((text) => text.includes('"agentInfo"'))!;
    return (JSON.parse(answer) as { result: { agentInfo: { version: string } } }).result.agentInfo.version;
  };
  const says = ({ session }: Stage, text: string): boolean => JSON.stringify([...session.store.state.entries]).includes(text);
  const refusal = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'done',
      (error: unknown) => failureOf(error).params?.['reason'],
    );
  const now = async (window: AgentInstaller): Promise<string[]> => {
    const [{ current, previous } = { current: undefined, previous: [] }] = await window.list();
    return [...(current ? [current] : []), ...previous].map(({ version }) => version);
  };

  it('run side by side, and no file of one that runs is deleted', async () => {
    const [one, other] = [openWindow(), openWindow()];
    const first = (await one.install(agentOf('1.0.0'), () => undefined)).current;
    const early = await run(one, first);
    const second = (await other.install(agentOf('2.0.0'), () => undefined)).current;
    const late = await run(other, second);
    assert.deepEqual([versionOf(early.stage), versionOf(late.stage)], ['1.0.0', '2.0.0']);
    assert.deepEqual(
      [await now(one), await now(other)],
      [
        ['2.0.0', '1.0.0'],
        ['2.0.0', '1.0.0'],
      ],
    );

    assert.equal(await refusal(other.uninstall('registry/tool')), 'in_use');
    for (const version of ['3.0.0', '4.0.0', '5.0.0', '6.0.0']) {
      await other.install(agentOf(version), () => undefined);
    }
    assert.deepEqual(
      await now(one),
      ['6.0.0', '5.0.0', '4.0.0', '2.0.0', '1.0.0'],
      'the versions that run stay beside those for a rollback',
    );
    await one.rollBack('registry/tool');
    assert.equal((await other.list())[0]!.current.version, '5.0.0');
    assert.deepEqual(
      [first, second].map(({ launch }) => existsSync(launch.command)),
      [true, true],
    );
    for (const { stage } of [early, late]) {
      await stage.turn({ say: 'still here' });
      assert.ok(says(stage, 'still here'));
    }

    await late.end();
    assert.equal(await refusal(other.uninstall('registry/tool')), 'in_use', 'the first window still runs its version');
    await early.stage.turn({ say: 'and still' });
    await early.end();
    assert.equal(await refusal(other.uninstall('registry/tool')), 'done');
    const left = await readdir(path.join(root, 'agents'), { recursive: true });
    assert.deepEqual(
      left.filter((name) => !/^\.(?:changed|locks|trash)$/.test(name)),
      [],
    );
  });
});
