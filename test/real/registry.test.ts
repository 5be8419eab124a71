/**
 * Real agents through a registry: installed from npm, started again without a request, updated, rolled back and uninstalled, and two versions in two
 * windows. Each start is compared with npx in the same run.
 *
 *     ACP_HOST_REAL_AGENTS=claude,codex-acp,gemini,kilo npx mocha --require ./test/support/tsx.cjs test/real/registry.test.ts
 *
 * Needs the npm registry, but no account. The requests go through a server that counts them. The results are in `test-results/registry.json`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cleanEnvironment } from '../../src/util/environment';
import { newMark, markedEnvironment } from '../../src/util/processes/processMark';
import { ProcessTree } from '../../src/util/processes/processTree';
import { createInstaller } from '../../src/registry/install/installer';
import { npmOf } from '../../src/registry/install/nodeTools';
import { createRegistryIndex } from '../../src/registry/registryIndex';
import type { AgentInstaller, RegistryAgent } from '../../src/registry/types';
import { Loopback } from '../support/registry/loopback';

/** The packages of agents, with the version before and the newest one. */
const AGENTS: Readonly<
  Record<string, { readonly name: string; readonly versions: readonly [string, string]; readonly args: readonly string[] }>
> = {
  claude: { name: '@agentclientprotocol/claude-agent-acp', versions: ['0.100.0', '0.101.0'], args: [] },
  'codex-acp': { name: '@agentclientprotocol/codex-acp', versions: ['2.5.0', '2.6.0'], args: [] },
  gemini: { name: '@google/gemini-cli', versions: ['0.60.0', '0.61.0'], args: ['--acp'] },
  kilo: { name: '@kilocode/cli', versions: ['7.7.7', '7.8.1'], args: ['acp'] },
  qwen: { name: '@qwen-code/qwen-code', versions: ['0.24.3', '0.24.4'], args: ['--acp'] },
  opencode: { name: 'opencode-ai', versions: ['1.18.32', '1.18.33'], args: ['acp'] },
  pi: { name: 'pi-acp', versions: ['0.0.24', '0.0.34'], args: [] },
  copilot: { name: '@github/copilot', versions: ['1.0.92', '1.0.102'], args: ['--acp'] },
  droid: { name: '@factory/cli', versions: ['0.225.1', '0.225.1'], args: ['exec', '--output-format', 'acp'] },
  kimi: { name: '@moonshot-ai/kimi-code', versions: ['2.0.2', '2.1.0'], args: ['acp'] },
  auggie: { name: '@augmentcode/auggie', versions: ['0.25.2', '0.36.0'], args: ['--acp'] },
  cline: { name: 'cline', versions: ['3.0.64', '3.0.65'], args: ['--acp'] },
};
const names = (process.env['ACP_HOST_REAL_AGENTS'] ?? '').split(',').filter((name) => name !== '');
const STARTS = 3;
const START_MS = 180_000;
const results: object[] = [];

(names.length > 0 ? describe : describe.skip)('real agents of a registry', function () {
  this.timeout(900_000);
  let root: string;
  let home: string;
  let registry: Loopback;
  let npm: Server;
  let npmUrl: string;
  let node: string;
  let npmCli: string;
  /** The requests to npm since the last call of `requests`. */
  let asked = 0;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'registry-real-'));
    home = path.join(root, 'home');
    await mkdir(home);
    registry = new Loopback();
    await registry.start();
    npm = createServer((request, response) => {
      asked++;
      const { accept = '*/*' } = request.headers;
      fetch(`https://registry.npmjs.org${request.url}`, { headers: { accept } })
        .then(async (answer) => {
          const body = Buffer.from(await answer.arrayBuffer());
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/octet-stream' }).end(body);
        })
        .catch(() => response.writeHead(502).end());
    });
    await new Promise<void>((resolve) => npm.listen(0, '127.0.0.1', resolve));
    npmUrl = `http://127.0.0.1:${(npm.address() as AddressInfo).port}/`;
    await writeFile(path.join(home, '.npmrc'), `registry=${npmUrl}\nupdate-notifier=false\n`);
    const { ensureVSCode, currentVersion } = (await import(pathToFileURL(path.resolve('test/harness/lib/vscode.mjs')).href)) as {
      readonly currentVersion: string;
      ensureVSCode(version: string): Promise<{ readonly node: string }>;
    };
    ({ node } = await ensureVSCode(currentVersion));
    npmCli = (await npmOf(node, process.env))!;
  });

  after(async () => {
    await registry.stop();
    await new Promise((resolve) => npm.close(resolve));
    await rm(root, { recursive: true, force: true });
    if (results.length > 0) {
      await mkdir('test-results', { recursive: true });
      await writeFile('test-results/registry.json', JSON.stringify(results, undefined, 2));
      console.table(results);
    }
  });

  const environment = () => ({
    // npx, which runs this test, sets variables of npm.
    ...Object.fromEntries(Object.entries(cleanEnvironment(process.env)).filter(([name]) => !/^npm_/i.test(name))),
    ...{ HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, npm_config_cache: path.join(root, 'npm') },
    ...{ PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH']}`, IS_SANDBOX: '1', DISABLE_AUTOUPDATER: '1' },
  });
  const installerIn = (folder: string): AgentInstaller =>
    createInstaller({
      folder,
      fetch: (url, init) => fetch(url, init),
      now: Date.now,
      environment,
      node: async () => ({ node, npm: npmCli }),
      uv: async () => undefined,
    });
  const entryOf = async (name: string, version: string): Promise<RegistryAgent> => {
    const { name: spec, args } = AGENTS[name]!;
    const about = { id: name, name, version, description: name, distribution: { npx: { package: `${spec}@${version}`, args } } };
    const url = registry.list(`/${name}.json`, [about]);
    const index = createRegistryIndex({
      folder: path.join(root, 'cache'),
      urls: () => [url],
      fetch: (to, init) => fetch(to, init),
      now: Date.now,
    });
    return (await index.refresh()).agents[0]!;
  };

  /** Starts a program and returns the ms until it has answered `initialize`. */
  async function start({
    command,
    args,
    env = {},
  }: {
    command: string;
    args: readonly string[];
    env?: Readonly<Record<string, string>>;
  }): Promise<number> {
    const cwd = await mkdtemp(path.join(root, 'project-'));
    const mark = newMark();
    const began = performance.now();
    const child = spawn(command, args, { cwd, env: markedEnvironment({ ...environment(), ...env }, mark), stdio: 'pipe', detached: true });
    const tree = new ProcessTree(child.pid, mark);
    try {
      return await new Promise<number>((resolve, reject) => {
        let [out, error] = ['', ''];
        const timer = setTimeout(() => reject(new Error(`no answer: ${error.slice(-2000)}`)), START_MS);
        child.stdout.on('data', (chunk: Buffer) => {
          out += chunk.toString();
          if (/"protocolVersion"/.test(out)) {
            clearTimeout(timer);
            resolve(Math.round(performance.now() - began));
          }
        });
        child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
        child.on('exit', (code) => reject(new Error(`exit ${code}: ${error.slice(-2000)}`)));
        const params = { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: 'test', version: '0' } };
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
      });
    } finally {
      tree.exited();
      await tree.end({ graceMs: 500 });
    }
  }

  const medianOf = async (run: () => Promise<number>): Promise<number> => {
    const times: number[] = [];
    for (let index = 0; index < STARTS; index++) {
      times.push(await run());
    }
    return times.sort((a, b) => a - b)[Math.floor(STARTS / 2)]!;
  };

  for (const name of names) {
    it(`${name} is installed, starts without a request, is updated, rolled back and uninstalled`, async () => {
      const { name: spec, versions, args } = AGENTS[name]!;
      const [before, newest] = versions;
      const folder = path.join(root, 'agents', name);
      const [one, other] = [installerIn(folder), installerIn(folder)];
      const began = performance.now();
      const first = await one.install(await entryOf(name, before), () => undefined);
      const installMs = Math.round(performance.now() - began);
      const firstMs = await start(first.current.launch);
      assert.ok(asked > 0, 'the installation went through the counting server');

      asked = 0;
      const installed = await medianOf(() => start(first.current.launch));
      assert.equal(asked, 0, 'requests of the second start');

      // Another window updates while the first one runs its version.
      const endUse = await one.use(first.current.launch.args[0] ?? first.current.launch.command);
      const updated = await other.install(await entryOf(name, newest), () => undefined);
      assert.deepEqual([updated.current.version, updated.previous.map(({ version }) => version)], [newest, [before]]);
      await Promise.all([start(first.current.launch), start(updated.current.launch)]);
      await assert.rejects(other.uninstall(updated.agentId));
      endUse?.();

      const back = await one.rollBack(first.agentId);
      assert.equal(back.current.version, before);
      await start(back.current.launch);

      // npx without its cache of packages fetches at each start, and so does npx with another version in the cache.
      const npx = { command: node, args: [path.join(path.dirname(npmCli), 'npx-cli.js'), '--yes', `${spec}@${before}`, ...args] };
      const fetching = await medianOf(async () => {
        await rm(path.join(root, 'npm', '_npx'), { recursive: true, force: true });
        return start(npx);
      });
      asked = 0;
      const warm = await medianOf(() => start(npx));
      const warmRequests = asked;

      await one.uninstall(first.agentId);
      assert.deepEqual(
        (await readdir(folder)).filter((each) => !/^\.(?:changed|locks|trash)$/.test(each)),
        [],
      );
      assert.ok(!existsSync(first.current.folder) && !existsSync(updated.current.folder));
      results.push({
        name,
        installMs,
        firstMs,
        installed,
        npx: fetching,
        ratio: Number((fetching / installed).toFixed(1)),
        warmNpx: warm,
        warmRequests,
      });
      assert.ok(fetching >= installed * 3, `npx ${fetching} ms, installed ${installed} ms`);
    });
  }
});
