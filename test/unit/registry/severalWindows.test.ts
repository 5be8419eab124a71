/** Windows that share the installed agents: the marks of versions that run, and the rests of windows that ended. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { failureOf } from '../../../src/core/model/failure';
import type { InstallerDependencies } from '../../../src/registry/install/context';
import { createInstaller } from '../../../src/registry/install/installer';
import type { RegistryAgent } from '../../../src/registry/types';
import { Loopback } from '../../support/registry/loopback';

const nothing = (): void => undefined;

describe('installed agents of several windows', () => {
  let root: string;
  let folder: string;
  let server: Loopback;
  let deps: InstallerDependencies;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'windows-'));
    folder = path.join(root, 'agents');
    server = new Loopback();
    await server.start();
    deps = {
      folder,
      fetch: (url, init) => fetch(url, init),
      now: () => Date.now(),
      environment: () => ({ PATH: process.env['PATH'] }),
      node: async () => undefined,
      uv: async () => undefined,
    };
  });
  afterEach(async () => {
    await server.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  function binary(version: string, archive = server.file(`/${version}`, `#!/bin/sh\necho ${version}\n`)): RegistryAgent {
    return {
      ...{ id: 'tool', agentId: 'registry/tool', name: 'Tool', description: 'x', authors: [], origin: 'https://example.com/r.json' },
      version,
      ways: [{ kind: 'binary', archive, cmd: 'tool', args: [], env: {} }],
    };
  }
  const reasonOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'ok',
      (error: unknown) => failureOf(error).params?.['reason'] ?? failureOf(error),
    );
  const left = async (): Promise<string[]> =>
    (await readdir(folder, { recursive: true }).catch((): string[] => [])).filter((entry) => !/^\.(?:changed|locks|trash)$/.test(entry));

  it('do not count the marks of windows that ended', async () => {
    const installer = createInstaller(deps);
    const { current } = await installer.install(binary('1.0.0'), nothing);
    const uses = path.join(path.dirname(current.folder), '.uses');
    await mkdir(uses);
    await writeFile(path.join(uses, `${path.basename(current.folder)}~999999999~x`), '');
    await installer.uninstall('registry/tool');
    assert.deepEqual(await left(), []);
  });

  it('count the marks of another machine that shares the folder, until they are old', async () => {
    const installer = createInstaller(deps);
    const { current } = await installer.install(binary('1.0.0'), nothing);
    const uses = path.join(path.dirname(current.folder), '.uses');
    await mkdir(uses);
    const mark = path.join(uses, `${path.basename(current.folder)}~999999999~x`);
    await writeFile(mark, `another-machine 5`);
    assert.equal(await reasonOf(installer.uninstall('registry/tool')), 'in_use');
    await utimes(mark, new Date(0), new Date(0));
    await installer.uninstall('registry/tool');
    assert.deepEqual(await left(), []);
  });

  it('do not count the mark of a process whose id another one has now', async function () {
    if (process.platform !== 'linux') {
      this.skip(); // Only Linux shows the start of a process in a file.
    }
    const installer = createInstaller(deps);
    const { current } = await installer.install(binary('1.0.0'), nothing);
    const uses = path.join(path.dirname(current.folder), '.uses');
    await mkdir(uses);
    await writeFile(path.join(uses, `${path.basename(current.folder)}~${process.pid}~x`), `${hostname()} 5`);
    assert.equal(await installer.isUsed('registry/tool'), false);
    const endUse = await installer.use(current.launch.command);
    assert.equal(await installer.isUsed('registry/tool'), true);
    endUse!();
  });

  it('are cleaned up after a window that was killed during an installation', async () => {
    const slow = server.on('/slow', (_request, response) => void response.writeHead(200).write('x'.repeat(1000)));
    const child: ChildProcess = fork(path.join(__dirname, 'installInChild.ts'), [], {
      execArgv: ['--require', path.resolve('test/support/tsx.cjs')],
    });
    child.send({ folder, agent: binary('1.0.0', slow) });
    await once(child, 'message');
    const installer = createInstaller(deps);
    await installer.clean();
    assert.ok((await left()).length > 0, 'an installation of a living window is not deleted');
    assert.deepEqual(await installer.list(), []);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.deepEqual(await installer.list(), []);
    await installer.clean();
    assert.deepEqual(await left(), []);
    assert.equal((await installer.install(binary('1.0.0'), nothing)).current.version, '1.0.0');
  });

  it('are not disturbed by windows that clean up at the same time', async () => {
    const [installer, other] = [createInstaller(deps), createInstaller(deps)];
    let isRunning = true;
    const cleaning = Array.from({ length: 3 }, async () => {
      while (isRunning) {
        await other.clean();
      }
    });
    try {
      for (let round = 0; round < 60; round++) {
        await installer.install(binary('1.0.0'), nothing);
        await installer.uninstall('registry/tool');
        assert.deepEqual(await installer.list(), []);
      }
    } finally {
      isRunning = false;
      await Promise.all(cleaning);
    }
    assert.deepEqual(await left(), []);
  }).timeout(60_000);

  it('lose the temporary files of a crash, and none that is being written', async () => {
    const installer = createInstaller(deps);
    const { current } = await installer.install(binary('1.0.0'), nothing);
    const file = (digit: string): string => path.join(path.dirname(current.folder), `.state.json.${digit.repeat(24)}.tmp`);
    await Promise.all(['a', 'b'].map((digit) => writeFile(file(digit), '{')));
    await utimes(file('a'), new Date(0), new Date(0));
    await installer.clean();
    assert.deepEqual([existsSync(file('a')), existsSync(file('b'))], [false, true]);
  });
});
