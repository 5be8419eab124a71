/** Every agent of a hostile registry: each is installed and runs, or is refused with a reason and leaves nothing behind. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '../../src/acp/connect';
import { ndjson } from '../../src/acp/transport/ndjson';
import { V1 } from '../../src/acp/v1/v1';
import { spawnAgent } from '../../src/agent/spawn';
import { failureOf } from '../../src/core/model/failure';
import type { InstallerDependencies } from '../../src/registry/install/context';
import { createInstaller } from '../../src/registry/install/installer';
import { npmOf } from '../../src/registry/install/nodeTools';
import { createRegistryIndex } from '../../src/registry/registryIndex';
import type { InstalledAgent, RegistryAgent } from '../../src/registry/types';
import { systemClock } from '../../src/util/clock';
import { Loopback } from '../support/registry/loopback';
import { TEST_LIMITS, testManifests, type TestManifest } from '../support/registry/manifests';

const SERVED_BY_UV = `#!/bin/sh
# uv tool install name==version
mkdir -p "$UV_TOOL_BIN_DIR" && cp "$TEST_PROGRAM" "$UV_TOOL_BIN_DIR/fast-agent-acp" && chmod 755 "$UV_TOOL_BIN_DIR/fast-agent-acp"
`;

describe('a registry with hostile entries', function () {
  this.timeout(240_000);
  let root: string;
  let server: Loopback;
  let manifests: TestManifest[];
  let agents: readonly RegistryAgent[];
  let deps: InstallerDependencies;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'registry agents ü-'));
    server = new Loopback();
    await server.start();
    manifests = testManifests(server);
    const home = path.join(root, 'home');
    await mkdir(home);
    await writeFile(path.join(home, '.npmrc'), `registry=${server.npm}\nfetch-retries=0\n`);
    const uv = path.join(root, 'uv');
    await writeFile(uv, SERVED_BY_UV);
    await chmod(uv, 0o755);
    const program = path.join(__dirname, 'scripted', 'registryProgram.mjs');
    const environment = { PATH: process.env['PATH'], HOME: home, npm_config_cache: path.join(root, 'npm'), TEST_PROGRAM: program };
    const npm = await npmOf(process.execPath, process.env);
    deps = {
      folder: path.join(root, 'agents'),
      fetch: (url, init) => fetch(url, init),
      now: Date.now,
      environment: () => environment,
      node: async () => ({ node: process.execPath, npm }),
      uv: async () => uv,
      limits: TEST_LIMITS,
    };
    const url = server.list(
      '/registry.json',
      manifests.map(({ entry }) => entry),
    );
    const team = server.list('/team.json', [
      {
        id: 'opencode',
        name: 'Our own',
        version: '9.0.0',
        description: 'x',
        distribution: { npx: { package: 'newer-agent@2.0.0-preview.1' } },
      },
    ]);
    const index = createRegistryIndex({ folder: path.join(root, 'cache'), urls: () => [url, team], fetch: deps.fetch, now: Date.now });
    const state = await index.refresh();
    assert.deepEqual(
      state.registries.map(({ problem }) => problem),
      [undefined, undefined],
    );
    assert.deepEqual((await index.cached()).agents, state.agents);
    ({ agents } = state);
  });

  after(async () => {
    await server.stop();
    await rm(root, { recursive: true, force: true });
  });

  it('has an outcome for each entry', async () => {
    assert.ok(manifests.length >= 40);
    const installer = createInstaller(deps);
    const outcomes: string[] = [];
    for (const [index, { outcome }] of manifests.entries()) {
      const agent = agents[index]!;
      const before = await everything(deps.folder);
      let found: string;
      try {
        found = await start(await installer.install(agent, () => undefined));
      } catch (error) {
        const failure = failureOf(error);
        found = String(
          failure.params?.['reason'] === 'refused_entry'
            ? agent.problem?.params?.['reason']
            : (failure.params?.['reason'] ?? failure.detail),
        );
        assert.deepEqual(await everything(deps.folder), before, `${agent.id} left something behind`);
      }
      outcomes.push(`${agent.id}: ${found}${found === outcome ? '' : `, expected ${outcome}`}`);
    }
    assert.deepEqual(
      outcomes.filter((line) => line.includes('expected')),
      [],
      outcomes.join('\n'),
    );
    assert.ok(!existsSync('/tmp/registry-test-evil'));
    const listed = await installer.list();
    assert.equal(listed.length, manifests.filter(({ outcome }) => outcome === 'runs').length);
    const dependent = listed.find(({ id }) => id === 'dependency-script')!;
    const dependency = path.join(dependent.current.folder, 'node_modules', 'evil-dependency');
    assert.deepEqual(await readdir(dependency), ['package.json']);
    const { icon } = listed.find(({ id }) => id === 'evil-icon')!;
    assert.equal(
      icon,
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="currentColor"><path d="M0 0h16" fill="currentColor"/></svg>',
    );
  });

  it('starts an installed agent again without a request', async () => {
    const asked = server.requests.length;
    for (const agent of await createInstaller(deps).list()) {
      assert.equal(await start(agent), 'runs', agent.id);
    }
    assert.equal(server.requests.length, asked);
  });

  it('installs the agent of a team beside the public one of the same id', async () => {
    const installer = createInstaller(deps);
    const own = agents.at(-1)!;
    const installed = await installer.install(own, () => undefined);
    assert.notEqual(installed.agentId, agents.find(({ id }) => id === 'opencode')!.agentId);
    assert.equal((await installer.list()).filter(({ id }) => id === 'opencode').length, 2);
  });

  it('leaves nothing of agents that are uninstalled', async () => {
    const installer = createInstaller(deps);
    for (const { agentId } of await installer.list()) {
      await installer.uninstall(agentId);
    }
    assert.deepEqual(await everything(deps.folder), []);
  });
});

/** Returns the paths in the folder that are more than marks of the installer. */
async function everything(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return entries.filter((entry) => !['.changed', '.locks', '.trash'].includes(entry)).sort();
}

/** Starts the agent and returns `runs` when it answers the handshake. */
async function start({ agentId, name, current }: InstalledAgent): Promise<string> {
  assert.ok(path.isAbsolute(current.launch.command));
  const cwd = await mkdtemp(path.join(tmpdir(), 'registry-project-'));
  const lines: string[] = [];
  const launch = { agentId, agentName: name, ...current.launch, cwd };
  const spawned = spawnAgent(launch, {
    clock: systemClock,
    log: silent,
    environment: process.env,
    onStderrLine: (line) => lines.push(line),
  });
  try {
    return await new Promise<string>((resolve) => {
      connect(
        ndjson(spawned.transport),
        [V1],
        { request: () => undefined, notification: () => undefined } as never,
        { ...connection, onEnd: (failure) => resolve(`${failure.code} ${failure.detail ?? ''} ${lines.join('\n')}`) },
        (outcome) => resolve(outcome.ok ? 'runs' : outcome.failure.code),
      );
    });
  } finally {
    await spawned.dispose();
    await rm(cwd, { recursive: true, force: true });
  }
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const connection = {
  mark: 'test.',
  clientInfo: { name: 'test', title: 'Test', version: '0' },
  adapterExtensions: false,
  clock: systemClock,
  log: silent,
  timeoutMs: 20_000,
  initializeTimeoutMs: 20_000,
};
