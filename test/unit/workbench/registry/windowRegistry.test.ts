import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CatalogSources } from '../../../../src/agent/catalog';
import type { ProcessLaunch } from '../../../../src/core/model/agentLaunch';
import type { RegistryAgent } from '../../../../src/registry/types';
import type { WindowRegistry } from '../../../../src/workbench/registry/windowRegistry';
import { enterVscode } from '../../../support/fakeVscode';
import { Loopback } from '../../../support/registry/loopback';

/** The texts that the window has shown, and the button that the user chooses next. */
class FakeWindow {
  readonly shown: string[] = [];
  next: string | undefined;

  private readonly show = async (text: string, ...rest: unknown[]): Promise<unknown> => {
    const buttons = rest.filter((each) => typeof each === 'string');
    this.shown.push([text, ...buttons].join(' | '));
    return buttons.find((each) => each === this.next);
  };

  readonly vscode = {
    l10n: {
      t: (text: string, values: Record<string, unknown> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
    },
    ProgressLocation: { Notification: 15 },
    env: { openExternal: () => Promise.resolve(true) },
    Uri: { parse: (text: string) => text },
    workspace: {
      workspaceFolders: [] as unknown[],
      getConfiguration: () => ({ get: () => undefined, inspect: () => ({ globalValue: this.urls, globalLocalValue: this.urls }) }),
    },
    window: {
      showInformationMessage: this.show,
      showWarningMessage: this.show,
      showErrorMessage: this.show,
      withProgress: (options: { title: string }, task: (...args: unknown[]) => unknown) => {
        this.shown.push(options.title);
        return task({ report: () => undefined }, { onCancellationRequested: () => undefined });
      },
    },
  };

  constructor(private readonly urls: readonly string[]) {}
}

describe('the registries of a window', () => {
  let storage: string;
  let server: Loopback;
  let fake: FakeWindow;
  let registry: WindowRegistry;
  let sources: Pick<CatalogSources, 'installed' | 'predefined'> = {};
  let leave: () => void;
  const subscriptions: { dispose(): void }[] = [];
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined, show: () => undefined };

  beforeEach(async () => {
    storage = await mkdtemp(path.join(tmpdir(), 'window-registry-'));
    server = new Loopback();
    await server.start();
    fake = new FakeWindow([`${server.url}/r.json`]);
    leave = enterVscode(fake.vscode);
    const { openWindowRegistry } =
      require('../../../../src/workbench/registry/windowRegistry') as typeof import('../../../../src/workbench/registry/windowRegistry');
    const state = new Map<string, unknown>();
    const globalState = {
      get: (key: string, own: unknown) => state.get(key) ?? own,
      update: async (key: string, value: unknown) => void state.set(key, value),
    };
    const context = { globalStorageUri: { fsPath: storage }, extensionPath: storage, subscriptions, globalState };
    registry = await openWindowRegistry(
      context as never,
      log as never,
      async () => ({ services: {} }) as never,
      (changed) => (sources = changed),
    );
  });
  afterEach(async () => {
    subscriptions.splice(0).forEach((each) => each.dispose());
    await wait(150);
    leave();
    await server.stop();
    await rm(storage, { recursive: true, force: true });
  });

  async function agentOf(version: string): Promise<RegistryAgent> {
    const archive = server.file(`/tool-${version}`, `#!/bin/sh\nexit 1\n`);
    const platforms = ['linux', 'darwin', 'windows'].flatMap((os) => ['x86_64', 'aarch64'].map((cpu) => `${os}-${cpu}`));
    const binary = Object.fromEntries(platforms.map((each) => [each, { archive, cmd: './tool' }]));
    server.list('/r.json', [{ id: 'tool', name: 'Tool', version, description: 'x', distribution: { binary } }]);
    return (await registry.index.refresh()).agents[0]!;
  }

  const failed = { code: 'agent.exited_at_start' } as const;
  const commandOf = (): string => (sources.installed![0]!.launch as ProcessLaunch).command;
  async function start(
    failure: { readonly code: 'agent.exited_at_start' | 'agent.start_cancelled' } | undefined,
  ): Promise<string | undefined> {
    const run = await registry.started(commandOf());
    if (!failure) {
      run.ready();
    }
    const version = await run.ended(failure);
    await wait(100);
    return version;
  }

  it('start installed agents on no program of the workspace', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const project = path.join(storage, 'project');
    await mkdir(path.join(project, 'bin'), { recursive: true });
    await writeFile(path.join(project, 'bin', 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    fake.vscode.workspace.workspaceFolders = [{ uri: { scheme: 'file', fsPath: project } }];
    await registry.commands.install(await agentOf('1.0.0'));
    const { folder } = (await registry.installer.list())[0]!.current;
    const file = path.join(folder, 'install.json');
    const record = JSON.parse(await readFile(file, 'utf8')) as { program: object };
    await writeFile(file, JSON.stringify({ ...record, program: { ...record.program, kind: 'node' } }));
    const before = process.env['PATH'];
    process.env['PATH'] = [path.join(project, 'bin'), before].join(path.delimiter);
    try {
      const { command } = (await registry.installer.list())[0]!.current.launch;
      assert.ok(path.isAbsolute(command) && !command.startsWith(project), command);
    } finally {
      process.env['PATH'] = before;
    }
  });

  it('have installed agents in the catalog', async () => {
    assert.equal(sources.installed?.length, 0);
    await registry.commands.install(await agentOf('1.0.0'));
    await registry.read();
    assert.equal(sources.installed![0]!.launch.agentName, 'Tool');
    assert.deepEqual(fake.shown, ['Installing Tool 1.0.0…']);
  });

  it('offer the version before after the first failed start of an update that has never started', async () => {
    await registry.commands.install(await agentOf('1.0.0'));
    await registry.commands.install(await agentOf('2.0.0'));
    await registry.read();
    fake.shown.splice(0);
    const file = commandOf();
    assert.deepEqual([await start({ code: 'agent.start_cancelled' }), await start(failed)], [undefined, '1.0.0']);
    assert.equal(await registry.presentLaunch(file), undefined);
    assert.equal(await registry.rollBack(file), true);
    const [{ current, skipped } = {}] = await registry.installer.list();
    assert.deepEqual([current?.version, skipped], ['1.0.0', '2.0.0']);
    assert.deepEqual(await registry.presentLaunch(file), current?.launch, 'a session of the later version starts the earlier one');
    assert.equal(await registry.rollBack('/usr/bin/env'), false);
    assert.deepEqual(fake.shown, []);
  });

  it('offer the version before after two failed starts of an update that has started once', async () => {
    await registry.commands.install(await agentOf('1.0.0'));
    await registry.commands.install(await agentOf('2.0.0'));
    await registry.read();
    assert.deepEqual([await start(undefined), await start(failed), await start(failed)], [undefined, undefined, '1.0.0']);
  });

  it('forget a failed start when the next one succeeds', async () => {
    await registry.commands.install(await agentOf('1.0.0'));
    await registry.commands.install(await agentOf('2.0.0'));
    await registry.read();
    fake.shown.splice(0);
    const offered: unknown[] = [];
    for (const failure of [undefined, failed, undefined, failed]) {
      offered.push(await start(failure));
    }
    assert.deepEqual([offered, fake.shown], [[undefined, undefined, undefined, undefined], []]);
  });

  it('say why an installation failed', async () => {
    const agent = await agentOf('1.0.0');
    server.on('/tool-1.0.0', (_request, response) => response.writeHead(503).end());
    await registry.commands.install(agent);
    assert.equal(fake.shown.at(-1), 'Tool: The server answered with the status 503. | Show Log');
  });

  it('ask before an agent is uninstalled, and say when it runs', async () => {
    const installed = (await registry.commands.install(await agentOf('1.0.0')))!;
    assert.equal(await registry.commands.uninstall(installed), false);
    fake.next = 'Uninstall';
    const run = await registry.started(installed.current.launch.command);
    assert.equal(await registry.commands.uninstall(installed), false);
    assert.match(fake.shown.at(-1)!, /^Tool: It is running, here or in another window/);
    await run.ended();
    assert.equal(await registry.commands.uninstall(installed), true);
    assert.deepEqual(await registry.installer.list(), []);
  });

  it('keep an agent that outlives its window until its keeper has ended', async () => {
    const { spawn } = require('node:child_process') as typeof import('node:child_process');
    const installed = (await registry.commands.install(await agentOf('1.0.0')))!;
    const keeper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      fake.next = 'Uninstall';
      const run = await registry.started(installed.current.launch.command);
      run.kept!(keeper.pid!);
      run.ready();
      await wait(100);
      await run.ended();
      assert.equal(await registry.installer.isUsed(installed.agentId), true);
      assert.equal(await registry.commands.uninstall(installed), false);
      // A keeper whose agent has ended may go on for a moment.
      setTimeout(() => keeper.kill('SIGKILL'), 300);
      assert.equal(await registry.commands.uninstall(installed), true);
    } finally {
      keeper.kill('SIGKILL');
    }
  }).timeout(20_000);
});
