import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { emptyFolderIn } from '../../../src/agent/emptyFolder';
import type { ResolvedLaunch } from '../../../src/agent/prepare';
import { spawnAgent } from '../../../src/agent/spawn';
import type { TransportEnd } from '../../../src/core/model/transport';
import { systemClock } from '../../../src/util/clock';
import { builtPreload } from '../../support/preload';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const agent = { name: '@tests/told-agent', version: '1.2.3', bin: 'told-agent' };
/** An agent that prints its location, folder, arguments and environment as one line of JSON. */
const AGENT = `#!/usr/bin/env node
console.log(JSON.stringify({ file: __filename, cwd: process.cwd(), args: process.argv.slice(2), env: process.env }));
`;

interface Registry {
  readonly url: string;
  readonly requests: readonly unknown[];
  close(): Promise<void>;
}

interface Harness {
  startRegistry(packages: readonly object[]): Promise<Registry>;
  plantTraps(folder: string, traps: object): void;
  sprung(marker: string): string[];
}

interface Told {
  readonly file: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

describe('an agent in a hostile folder', function () {
  // npm starts slowly on a busy machine.
  this.timeout(120_000);
  let root: string;
  let project: string;
  let marker: string;
  let storage: string;
  let preload: string;
  let good: Registry;
  let evil: Registry;
  let harness: Harness;
  let bin: string;

  before(async () => {
    harness = {
      ...(await import('../../harness/lib/npmRegistry.mjs' as string)),
      ...(await import('../../harness/lib/hostileRepository.mjs' as string)),
    } as Harness;
    root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-hostile-')));
    marker = path.join(root, 'marker');
    storage = path.join(root, 'home', 'storage');
    mkdirSync(storage, { recursive: true });
    preload = builtPreload(path.join(root, 'home'));
    good = await harness.startRegistry([{ ...agent, bin: { [agent.bin]: 'cli.js' }, files: { 'cli.js': AGENT } }]);
    evil = await harness.startRegistry([]);
    project = path.join(root, 'project');
    mkdirSync(project);
    harness.plantTraps(project, { marker, registry: evil.url, agent });
    bin = path.join(root, 'home', 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'plain-agent'), AGENT, { mode: 0o755 });
    writeFileSync(path.join(root, 'home', '.npmrc'), `registry=${good.url}\nfund=false\n`);
  });
  after(() => Promise.all([good.close(), evil.close()]));

  const npmEnv = (): Record<string, string> => ({
    KEY: 'secret',
    HOME: path.join(root, 'home'),
    npm_config_userconfig: path.join(root, 'home', '.npmrc'),
    npm_config_cache: path.join(root, 'home', 'cache'),
    npm_config_update_notifier: 'false',
  });

  async function run(
    launch: Partial<ResolvedLaunch> & Pick<ResolvedLaunch, 'command' | 'args'>,
    environment: NodeJS.ProcessEnv = process.env,
  ): Promise<{ told?: Told; end: TransportEnd; lines: string[] }> {
    const runnerFolder = async () => ({ folder: await emptyFolderIn(storage), preload });
    const lines: string[] = [];
    const started = spawnAgent(
      { agentId: 'Test', agentName: 'Test', env: npmEnv(), cwd: project, projects: [project], runnerFolder, ...launch },
      { clock: systemClock, log: quiet, environment, onStderrLine: (line) => void lines.push(line) },
    );
    let text = '';
    const end = await new Promise<TransportEnd>((resolve) =>
      started.transport.read({ chunk: (chunk) => (text += Buffer.from(chunk).toString()), end: resolve }),
    );
    await started.dispose();
    const told = text.split('\n').find((line) => line.startsWith('{'));
    return { ...(told !== undefined && { told: JSON.parse(told) as Told }), end, lines };
  }

  /** Asserts that no file of the project ran, and that packages were requested only from the user's registry. */
  function assertUntouched(): void {
    assert.deepEqual(harness.sprung(marker), []);
    assert.deepEqual(evil.requests, []);
  }

  const runners: readonly (readonly [string, readonly string[]])[] = [
    ['npx', ['--yes', `${agent.name}@${agent.version}`, '--acp', 'a "b" $c']],
    ['npx', ['--yes', '--package', `${agent.name}@${agent.version}`, agent.bin, '--acp', 'a "b" $c']],
    ['npx', ['--yes', agent.name, '--acp', 'a "b" $c']],
    ['npm', ['exec', '--yes', '--', `${agent.name}@${agent.version}`, '--acp', 'a "b" $c']],
    ['env', ['A=1', 'npx', '--yes', `${agent.name}@${agent.version}`, '--acp', 'a "b" $c']],
    ['sh', ['-c', `exec npx --yes ${agent.name}@${agent.version} --acp 'a "b" $c'`]],
  ];
  for (const [command, args] of runners) {
    it(`is the one that the user named, and runs in its folder: ${command} ${args.join(' ')}`, async () => {
      const { told, end, lines } = await run({ command, args });
      assert.ok(told, `${JSON.stringify(end)}\n${lines.join('\n')}`);
      assert.equal(told.cwd, project);
      assert.ok(told.file.startsWith(path.join(root, 'home', 'cache')), told.file);
      assert.deepEqual(told.args, ['--acp', 'a "b" $c']);
      assert.deepEqual(
        Object.keys(told.env).filter((name) => /^(?:ACP_HOST_(?!PROCESS)|NODE_OPTIONS)/.test(name) && !(name in process.env)),
        [],
      );
      assert.equal(told.env['KEY'], 'secret');
      assert.equal(told.env['INIT_CWD'], project);
      assert.ok(!told.env['PATH']!.includes(project), told.env['PATH']);
      assertUntouched();
    });
  }

  it('gets the NODE_OPTIONS of its entry', async () => {
    const { told } = await run({
      command: 'npx',
      args: ['--yes', `${agent.name}@${agent.version}`],
      env: { ...npmEnv(), NODE_OPTIONS: '--max-old-space-size=400' },
    });
    assert.equal(told?.env['NODE_OPTIONS'], '--max-old-space-size=400');
    assertUntouched();
  });

  it('runs in a folder below, and through a link, as in the folder itself', async () => {
    const link = path.join(root, 'link');
    symlinkSync(project, link);
    const below = path.join(link, 'packages', 'one');
    for (const cwd of [link, below]) {
      const { told } = await run({ command: 'npx', args: ['--yes', `${agent.name}@${agent.version}`], cwd, projects: [link] });
      assert.equal(told?.cwd, realpathSync(cwd));
      assert.ok(told.file.startsWith(path.join(root, 'home', 'cache')), told.file);
    }
    assertUntouched();
  });

  it('is not found on a PATH that leads into the project', async () => {
    const { PATH = '' } = process.env;
    const link = path.join(root, 'home', 'bin-link');
    symlinkSync(path.join(project, 'bin'), link);
    for (const entry of [
      '',
      '.',
      './node_modules/.bin',
      'node_modules/.bin',
      path.join(project, 'bin'),
      `${project}/node_modules/.bin`,
      link,
      `${root}/home/../project/bin`,
    ]) {
      const environment = { ...process.env, PATH: `${entry}:${bin}:${PATH}` };
      const plain = await run({ command: 'plain-agent', args: [] }, environment);
      assert.equal(plain.told?.cwd, project, `${entry}: ${JSON.stringify(plain.end)}`);
      assert.equal((await run({ command: agent.bin, args: [] }, environment)).end.failure?.code, 'agent.not_found', entry);
    }
    const { told } = await run(
      { command: 'npx', args: ['--yes', `${agent.name}@${agent.version}`] },
      { ...process.env, PATH: `.:./node_modules/.bin:${project}/bin:${PATH}` },
    );
    assert.equal(told?.cwd, project);
    // An empty PATH would mean the current folder, so a default remains instead.
    assert.equal((await run({ command: agent.bin, args: [] }, { ...process.env, PATH: '.:' })).end.failure?.code, 'agent.not_found');
    assertUntouched();
  });

  it('loads no library or module of the project through an empty entry of a list variable', async () => {
    const lists = {
      LD_LIBRARY_PATH: `:/usr/lib/own:${project}/lib`,
      PYTHONPATH: ':',
      NODE_PATH: `node_modules:${project}/node_modules`,
      PERL5LIB: '/opt/perl:.',
    };
    const { told } = await run({ command: 'plain-agent', args: [] }, { ...process.env, ...lists, PATH: `${bin}:${process.env['PATH']}` });
    const left = Object.fromEntries(Object.keys(lists).map((name) => [name, told?.env[name]]));
    assert.deepEqual(left, { LD_LIBRARY_PATH: '/usr/lib/own', PYTHONPATH: undefined, NODE_PATH: undefined, PERL5LIB: '/opt/perl' });
  });

  it('is not found on a PATH that leads to the programs of a project above', async () => {
    const environment = { ...process.env, PATH: `${project}/node_modules/.bin:${bin}:${process.env['PATH']}` };
    const below = path.join(project, 'packages', 'one');
    assert.equal(
      (await run({ command: agent.bin, args: [], cwd: below, projects: [below] }, environment)).end.failure?.code,
      'agent.not_found',
    );
    assertUntouched();
  });

  it('is found when the user has put the folder on the PATH of the entry', async () => {
    const own = await run({ command: 'plain-agent', args: [], env: { PATH: `${bin}:${process.env['PATH']}` }, projects: [project, bin] });
    assert.equal(own.told?.cwd, project);
    assert.equal((await run({ command: agent.bin, args: [], env: { PATH: 'bin:.' } })).end.failure?.code, 'agent.not_found');
    assertUntouched();
  });

  it('is not found by a relative command', async () => {
    for (const command of [`./${agent.bin}`, `bin/${agent.bin}`, '../project/npx', './npx']) {
      assert.equal((await run({ command, args: [] })).end.failure?.code, 'agent.not_found', command);
    }
    assertUntouched();
  });

  it('never starts a package runner without an empty folder for it', async () => {
    const { end } = await run({ command: 'npx', args: ['--yes', agent.name], runnerFolder: undefined });
    assert.equal(end.failure?.code, 'agent.spawn_failed');
    assertUntouched();
  });

  it('is found by a runner in a folder that the user chose, if that belongs to no project', async () => {
    const chosen = path.join(root, 'home', 'chosen');
    mkdirSync(path.join(chosen, 'node_modules', '.bin'), { recursive: true });
    writeFileSync(path.join(chosen, 'node_modules', '.bin', 'chosen-agent'), AGENT, { mode: 0o755 });
    const { told } = await run({ command: 'npx', args: ['chosen-agent'], cwd: chosen });
    assert.equal(told?.cwd, chosen);
    assertUntouched();
  });

  it('leaves the folder empty', async () => {
    assert.deepEqual(readdirSync(await emptyFolderIn(storage)), []);
  });
});

describe('the folder of package runners', () => {
  it('is replaced when it contains something, when others may write to it, or when it is a link', async () => {
    const storage = mkdtempSync(path.join(os.tmpdir(), 'acp-runner-'));
    const usual = await emptyFolderIn(path.join(storage, 'a'));
    assert.equal(await emptyFolderIn(path.join(storage, 'a')), usual);
    writeFileSync(path.join(usual, '.npmrc'), '');
    const other = await emptyFolderIn(path.join(storage, 'a'));
    assert.notEqual(other, usual);
    assert.deepEqual(readdirSync(other), []);
    mkdirSync(path.join(storage, 'b', 'package-runner'), { recursive: true, mode: 0o777 });
    assert.notEqual(await emptyFolderIn(path.join(storage, 'b')), path.join(storage, 'b', 'package-runner'));
    mkdirSync(path.join(storage, 'c', 'elsewhere'), { recursive: true, mode: 0o700 });
    symlinkSync('elsewhere', path.join(storage, 'c', 'package-runner'));
    assert.notEqual(await emptyFolderIn(path.join(storage, 'c')), path.join(storage, 'c', 'package-runner'));
  });
});
