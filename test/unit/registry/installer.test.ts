import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { failureOf } from '../../../src/core/model/failure';
import type { InstallerDependencies } from '../../../src/registry/install/context';
import { createInstaller } from '../../../src/registry/install/installer';
import { npmOf } from '../../../src/registry/install/nodeTools';
import type { InstalledAgent, RegistryAgent } from '../../../src/registry/types';
import { tarGz } from '../../support/registry/archives';
import { Loopback } from '../../support/registry/loopback';

const DAY_MS = 24 * 60 * 60_000;
const nothing = (): void => undefined;

describe('the installer', () => {
  let root: string;
  let folder: string;
  let home: string;
  let server: Loopback;
  let deps: InstallerDependencies;
  let now = 1_000_000;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'installer-'));
    [folder, home] = [path.join(root, 'agents'), path.join(root, 'home')];
    await mkdir(home);
    server = new Loopback();
    await server.start();
    const npm = await npmOf(process.execPath, process.env);
    deps = {
      folder,
      fetch: (url, init) => fetch(url, init),
      now: () => now++,
      environment: () => ({ PATH: process.env['PATH'], HOME: home, npm_config_cache: path.join(root, 'npm') }),
      node: async () => ({ node: process.execPath, npm }),
      uv: async () => undefined,
    };
  });
  afterEach(async () => {
    await server.stop();
    // A cancelled installation may still delete its files.
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  function agentOf(version: string, way: RegistryAgent['ways'][number]): RegistryAgent {
    const about = {
      id: 'tool',
      agentId: 'registry/tool',
      name: 'Tool',
      description: 'x',
      authors: [],
      origin: 'https://example.com/r.json',
    };
    return { ...about, version, ways: [way] };
  }

  function binary(version: string, archive = server.file(`/${version}`, `#!/bin/sh\necho ${version}\n`)): RegistryAgent {
    return agentOf(version, { kind: 'binary', archive, cmd: 'tool', args: ['acp'], env: {} });
  }

  function npx(version: string, name = 'tool'): RegistryAgent {
    return agentOf(version, { kind: 'npx', package: `${name}@${version}`, args: ['acp'], env: {} });
  }

  const reasonOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'ok',
      (error: unknown) => failureOf(error).params?.['reason'] ?? failureOf(error),
    );
  const versions = ({ current, previous }: InstalledAgent): string[] => [current, ...previous].map(({ version }) => version);
  const left = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true }).catch((): string[] => [])).filter((entry) => !/^\.(?:changed|locks|trash)$/.test(entry));

  it('updates, goes back, pins and uninstalls', async () => {
    const installer = createInstaller(deps);
    assert.deepEqual(versions(await installer.install(binary('1.0.0'), nothing)), ['1.0.0']);
    const updated = await installer.install(binary('2.0.0'), nothing);
    assert.deepEqual([versions(updated), updated.pinned, updated.failedStarts], [['2.0.0', '1.0.0'], false, 0]);
    assert.deepEqual(updated.current.launch, { command: path.join(updated.current.folder, 'files', 'tool'), args: ['acp'], env: {} });
    const back = await installer.rollBack('registry/tool');
    assert.deepEqual([back.current.version, back.skipped], ['1.0.0', '2.0.0']);
    assert.equal(await reasonOf(installer.rollBack('registry/tool')), 'no_earlier_version');
    assert.equal((await installer.pin('registry/tool', true)).pinned, true);
    assert.deepEqual([(await installer.list())[0]?.pinned, (await installer.pin('registry/tool', false)).pinned], [true, false]);
    const asked = server.requests.length;
    assert.equal((await installer.install(binary('2.0.0'), nothing)).current.version, '2.0.0');
    assert.equal(server.requests.length, asked, 'a version that is there is not requested again');
    await installer.uninstall('registry/tool');
    assert.deepEqual([await installer.list(), await left()], [[], []]);
    assert.equal(await reasonOf(installer.uninstall('registry/tool')), 'not_installed');
  });

  it('keeps two versions for a rollback, and those that run', async () => {
    const installer = createInstaller(deps);
    const first = await installer.install(binary('1.0.0'), nothing);
    const end = await installer.use(first.current.launch.command);
    for (const version of ['2.0.0', '3.0.0', '4.0.0', '5.0.0']) {
      await installer.install(binary(version), nothing);
    }
    assert.deepEqual(versions((await installer.list())[0]!), ['5.0.0', '4.0.0', '3.0.0', '1.0.0']);
    assert.equal(await installer.isUsed('registry/tool'), true);
    assert.equal(await reasonOf(installer.uninstall('registry/tool')), 'in_use');
    assert.ok(existsSync(first.current.launch.command));
    end?.();
    assert.equal(await installer.isUsed('registry/tool'), false);
    await installer.uninstall('registry/tool');
    assert.deepEqual(await left(), []);
  });

  it('keeps the version that an update replaces, and goes back to it', async () => {
    const installer = createInstaller(deps);
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
      await installer.install(binary(version), nothing);
    }
    await installer.rollBack('registry/tool');
    assert.equal((await installer.rollBack('registry/tool')).current.version, '1.0.0');
    const updated = await installer.install(binary('2.0.0'), nothing);
    assert.deepEqual([versions(updated), updated.earlier?.version], [['2.0.0', '1.2.0', '1.0.0'], '1.0.0']);
    const latest = await installer.install(binary('3.0.0'), nothing);
    assert.equal(latest.earlier?.version, '2.0.0');
    await installer.rollBack('registry/tool');
    const back = await installer.rollBack('registry/tool');
    assert.deepEqual([back.current.version, back.earlier], ['1.0.0', undefined], 'the rejected 1.2.0 is not returned to');
    assert.equal(await reasonOf(installer.rollBack('registry/tool')), 'no_earlier_version');
  });

  it('keeps the version that has been ready last, and goes back to it past those that never were', async () => {
    const installer = createInstaller(deps);
    for (const version of ['1.0.0', '2.0.0']) {
      const { current } = await installer.install(binary(version), nothing);
      await installer.recordStart(current.launch.command, true);
    }
    for (const version of ['3.0.0', '4.0.0', '5.0.0', '6.0.0']) {
      const { current } = await installer.install(binary(version), nothing);
      await installer.recordStart(current.launch.command, false);
    }
    const [updated] = await installer.list();
    assert.deepEqual([versions(updated!), updated!.earlier?.version], [['6.0.0', '5.0.0', '2.0.0'], '2.0.0']);
    assert.equal((await installer.rollBack('registry/tool')).current.version, '2.0.0');
  });

  it('goes back by the time of the installations where the history is not known', async () => {
    const installer = createInstaller(deps);
    await installer.install(binary('1.0.0'), nothing);
    const { current } = await installer.install(binary('2.0.0'), nothing);
    await writeFile(path.join(current.folder, '..', 'state.json'), JSON.stringify({ current: path.basename(current.folder) }));
    assert.equal((await installer.list())[0]?.earlier?.version, '1.0.0');
    assert.equal((await installer.rollBack('registry/tool')).current.version, '1.0.0');
  });

  it('starts any installed version that the user chooses', async () => {
    const installer = createInstaller(deps);
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
      await installer.install(binary(version), nothing);
    }
    const summary = ({ current, earlier, skipped }: InstalledAgent): unknown[] => [current.version, earlier?.version, skipped];
    assert.deepEqual(summary(await installer.choose('registry/tool', '1.0.0')), ['1.0.0', undefined, '1.2.0']);
    assert.deepEqual(summary(await installer.choose('registry/tool', '1.2.0')), ['1.2.0', '1.0.0', undefined]);
    assert.deepEqual(summary(await installer.choose('registry/tool', '1.1.0')), ['1.1.0', '1.0.0', '1.2.0']);
    assert.equal(await reasonOf(installer.choose('registry/tool', '9.0.0')), 'not_installed');
  });

  it('counts failed starts of the current version until one succeeds', async () => {
    const installer = createInstaller(deps);
    const { current } = await installer.install(binary('1.0.0'), nothing);
    const start = async (succeeded: boolean): Promise<unknown> =>
      (await installer.recordStart(current.launch.command, succeeded))?.failedStarts;
    assert.deepEqual([await start(false), await start(false), await start(true), await start(true)], [1, 2, 0, 0]);
    assert.equal(await installer.recordStart('/usr/bin/env', false), undefined);
    await start(false);
    const updated = await installer.install(binary('2.0.0'), nothing);
    assert.deepEqual([updated.failedStarts, updated.hasStarted], [0, false]);
    assert.equal(await start(false), undefined, 'a start of an earlier version');
    assert.equal((await installer.rollBack('registry/tool')).hasStarted, true, 'the earlier version has started before');
  });

  it('installs once when two windows want the same version', async () => {
    const [one, other] = [createInstaller(deps), createInstaller(deps)];
    const [a, b] = await Promise.all([one.install(binary('1.0.0'), nothing), other.install(binary('1.0.0'), nothing)]);
    assert.equal(a.current.folder, b.current.folder);
    assert.equal(server.requests.length, 1);
  });

  it('reports the changes of another window', async () => {
    const [one, other] = [createInstaller(deps), createInstaller(deps)];
    const changed = new Promise<void>((resolve) => one.onDidChange(resolve));
    await other.install(binary('1.0.0'), nothing);
    await changed;
  });

  it('reports progress with sizes', async () => {
    const steps: unknown[] = [];
    await createInstaller(deps).install(binary('1.0.0'), (step) => steps.push(step));
    assert.deepEqual(steps[0], { step: 'download', done: 21, total: 21 });
    assert.deepEqual(new Set(steps.map((each) => (each as { step: string }).step)), new Set(['download', 'verify', 'unpack', 'finish']));
  });

  it('leaves nothing after a cancellation, during the download and while another window installs', async () => {
    const slow = server.on('/slow', (_request, response) => void response.writeHead(200).write('x'));
    const installer = createInstaller(deps);
    const [running, waiting] = [new AbortController(), new AbortController()];
    let begun!: () => void;
    const downloading = new Promise<void>((resolve) => (begun = resolve));
    const first = installer.install(binary('1.0.0', slow), ({ done }) => void (done && begun()), running.signal);
    // The first has the lock.
    await downloading;
    const second = createInstaller(deps).install(binary('1.0.0', slow), nothing, waiting.signal);
    setTimeout(() => waiting.abort(), 50);
    assert.equal(await reasonOf(second), 'cancelled');
    running.abort();
    assert.equal(await reasonOf(first), 'cancelled');
    assert.deepEqual(await left(), []);
    assert.equal((await installer.install(binary('1.0.0'), nothing)).current.version, '1.0.0');
  });

  it('keeps the version before when an update fails', async () => {
    const installer = createInstaller(deps);
    await installer.install(binary('1.0.0'), nothing);
    const before = await left();
    assert.equal(await reasonOf(installer.install(binary('2.0.0', `${server.url}/missing`), nothing)), 'http_status');
    assert.deepEqual(await left(), before);
    assert.deepEqual(versions((await installer.list())[0]!), ['1.0.0']);
  });

  it('starts the newest version when the choice is lost, and ignores damaged records', async () => {
    const installer = createInstaller(deps);
    await installer.install(binary('1.0.0'), nothing);
    const { current } = await installer.install(binary('2.0.0'), nothing);
    await writeFile(path.join(current.folder, '..', 'state.json'), '{"current":');
    assert.deepEqual(versions((await installer.list())[0]!), ['2.0.0', '1.0.0']);
    await writeFile(path.join(current.folder, 'install.json'), '{}');
    assert.deepEqual(versions((await installer.list())[0]!), ['1.0.0']);
  });

  it('leaves nothing when the folder cannot be written', async function () {
    if (process.getuid?.() === 0 || process.platform === 'win32') {
      this.skip();
    }
    await mkdir(folder);
    await chmod(folder, 0o500);
    assert.equal(await reasonOf(createInstaller(deps).install(binary('1.0.0'), nothing)), 'not_writable');
  });

  describe('with npm packages', function () {
    this.timeout(60_000);

    const publish = (version: string, published = 0): void =>
      server.addPackage({
        name: 'tool',
        version,
        published,
        manifest: { bin: 'tool.js', engines: { node: '>=18' } },
        files: [{ path: 'tool.js', content: '//' }],
      });

    it('start their script on the chosen Node', async () => {
      await writeFile(path.join(home, '.npmrc'), `registry=${server.npm}`);
      publish('1.0.0');
      const asked: unknown[] = [];
      const node = async (engines?: string) => {
        asked.push(engines);
        return deps.node(engines);
      };
      const { current } = await createInstaller({ ...deps, node }).install(npx('1.0.0'), nothing);
      assert.deepEqual(current.launch, {
        command: process.execPath,
        args: [path.join(current.folder, 'node_modules', 'tool', 'tool.js'), 'acp'],
        env: {},
      });
      assert.equal(asked.at(-1), '>=18');
    });

    it('keep a project out of reach', async () => {
      await writeFile(path.join(home, '.npmrc'), `registry=${server.npm}`);
      publish('1.0.0');
      // A project that contains the storage would redirect npm to another registry, and replace the package.
      await writeFile(path.join(root, '.npmrc'), 'registry=http://127.0.0.1:9/\nignore-scripts=false');
      await writeFile(path.join(root, 'package.json'), JSON.stringify({ overrides: { tool: 'file:./evil' }, workspaces: ['*'] }));
      const environment = async () => ({
        ...(await deps.environment()),
        npm_config_global: 'true',
        npm_config_prefix: root,
        INIT_CWD: root,
      });
      await createInstaller({ ...deps, environment }).install(npx('1.0.0'), nothing);
      assert.deepEqual((await readdir(root)).sort(), ['.npmrc', 'agents', 'home', 'npm', 'package.json']);
    });

    it('do not follow settings of the user that would install them elsewhere, or not at all', async () => {
      publish('1.0.0');
      for (const setting of ['location=global', 'package-lock-only=true', 'global=true', 'dry-run=true']) {
        await writeFile(path.join(home, '.npmrc'), `registry=${server.npm}\n${setting}\n`);
        const installer = createInstaller({ ...deps, folder: path.join(root, setting) });
        const { current } = await installer.install(npx('1.0.0'), nothing);
        assert.ok(existsSync(current.launch.args[0]!), setting);
        assert.deepEqual(await readdir(home), ['.npmrc']);
      }
    });

    it('honour the minimum age of the user', async () => {
      await writeFile(path.join(home, '.npmrc'), `registry=${server.npm}\nmin-release-age=3\n`);
      publish('1.0.0', Date.now() - 10 * DAY_MS);
      publish('2.0.0', Date.now() - DAY_MS);
      const installer = createInstaller({ ...deps, now: Date.now });
      await installer.install(npx('1.0.0'), nothing);
      assert.equal(await reasonOf(installer.install(npx('2.0.0'), nothing)), 'too_new');
      assert.deepEqual(versions((await installer.list())[0]!), ['1.0.0']);
    });

    it('are refused when npm has no program for this platform', async () => {
      await writeFile(path.join(home, '.npmrc'), `registry=${server.npm}`);
      const manifest = {
        bin: 'tool.js',
        optionalDependencies: { 'tool-linux-x64': '1.0.0', 'tool-darwin-arm64': '1.0.0', 'tool-win32-x64': '1.0.0' },
      };
      server.addPackage({ name: 'tool', version: '1.0.0', manifest, files: [{ path: 'tool.js', content: '//' }] });
      assert.equal(await reasonOf(createInstaller(deps).install(npx('1.0.0'), nothing)), 'no_platform');
      assert.deepEqual(await left(), []);
    });

    it('end npm with a cancellation', async () => {
      await writeFile(path.join(home, '.npmrc'), `registry=${server.npm}`);
      const abort = new AbortController();
      server.on('/npm/tool', () => abort.abort());
      assert.equal(await reasonOf(createInstaller(deps).install(npx('1.0.0'), nothing, abort.signal)), 'cancelled');
      assert.deepEqual(await left(), []);
    });

    it('need a Node with npm, or use another way', async () => {
      const without = createInstaller({ ...deps, node: async () => undefined });
      assert.equal(await reasonOf(without.install(npx('1.0.0'), nothing)), 'no_node');
      const both = { ...npx('1.0.0'), ways: [...npx('1.0.0').ways, ...binary('1.0.0').ways] };
      assert.equal((await without.install(both, nothing)).current.way, 'binary');
      assert.equal(
        await reasonOf(createInstaller({ ...deps, node: async () => ({ node: process.execPath }) }).install(npx('2.0.0'), nothing)),
        'no_npm',
      );
    });

    it('report a registry that cannot be reached', async () => {
      await writeFile(path.join(home, '.npmrc'), 'registry=http://127.0.0.1:9/\nfetch-retries=0');
      assert.equal(await reasonOf(createInstaller(deps).install(npx('1.0.0'), nothing)), 'no_connection');
      assert.deepEqual(await left(), []);
    });
  });

  it('leaves nothing on a full disk, of a download, an archive and a package', async function () {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      this.skip(); // Only root may mount a small disk.
    }
    this.timeout(60_000);
    const disk = path.join(root, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      this.skip(); // A container without this right.
    }
    try {
      folder = path.join(disk, 'agents');
      const installer = createInstaller({ ...deps, folder });
      await writeFile(path.join(home, '.npmrc'), `registry=${server.npm}`);
      const [large, zeros] = [randomBytes(3_000_000), Buffer.alloc(3_000_000)];
      server.addPackage({ name: 'tool', version: '4.0.0', manifest: { bin: 'tool.js' }, files: [{ path: 'tool.js', content: large }] });
      const updates = [
        binary('2.0.0', server.file('/large', large)),
        binary('3.0.0', server.file('/zeros.tar.gz', tarGz([{ path: 'tool', content: zeros }]))),
        npx('4.0.0'),
      ];
      await installer.install(binary('1.0.0'), nothing);
      const before = await left();
      for (const update of updates) {
        assert.equal(await reasonOf(installer.install(update, nothing)), 'disk_full', update.version);
        assert.deepEqual(await left(), before);
      }
      assert.deepEqual(versions((await installer.list())[0]!), ['1.0.0']);
      await installer.install(binary('5.0.0'), nothing);
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  it('takes an archive for what it is where its address does not say so', async () => {
    const archive = `${server.file('/download', tarGz([{ path: 'tool', content: '#!/bin/sh' }]))}?file=tool.tar.gz`;
    const { current } = await createInstaller(deps).install(binary('1.0.0', archive), nothing);
    assert.equal(await readFile(current.launch.command, 'utf8'), '#!/bin/sh');
  });

  it('refuses an answer that is no program, such as the page of a network that asks for a sign-in', async () => {
    const installer = createInstaller(deps);
    for (const [index, text] of ['<!DOCTYPE html><html></html>', '\ufeff\n <html>', '', '{"error":"Not found"}'].entries()) {
      const archive = server.file(`/answer${index}`, text);
      assert.equal(await reasonOf(installer.install(binary('1.0.0', archive), nothing)), 'no_program', text);
    }
    const empty = server.file('/empty.tar.gz', tarGz([{ path: 'tool', content: '' }]));
    assert.equal(await reasonOf(installer.install(binary('1.0.0', empty), nothing)), 'no_program');
    assert.deepEqual(await left(), []);
  });

  it('installs an archive into a folder with blanks, umlauts and signs', async () => {
    const own = createInstaller({ ...deps, folder: path.join(root, 'Ä b % & c') });
    const archive = server.file('/a.tar.gz', tarGz([{ path: 'tool', content: 'x' }]));
    assert.ok(existsSync((await own.install(binary('1.0.0', archive), nothing)).current.launch.command));
  });
});
