/** Following the agent in the window: one preview tab, and the focus does not move. */
import { strict as assert } from 'node:assert';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';

describe('following the agent', () => {
  const NAMES = ['one', 'two', 'three', 'own'].map((name) => `followed-${name}.txt`);
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  const file = (name: string) => path.join(folder().fsPath, name);
  const text = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n');
  let session: AcpSession;
  let agent: vscode.Disposable;

  const followed = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputText ? path.basename(input.uri.fsPath) : []))
      .filter((name) => name.startsWith('followed-') && name !== 'followed-own.txt');
  async function until(what: string, holds: () => boolean): Promise<void> {
    for (let tries = 0; !holds(); tries++) {
      assert.ok(tries < 100, `${what}: ${followed().join(' ')}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  before(async () => {
    const api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    const { extensionPath } = vscode.extensions.getExtension('acp-host.acp-host-sample')!;
    const launch = { command: process.execPath, args: [path.join(extensionPath, 'agent.mjs')], env: { ELECTRON_RUN_AS_NODE: '1' } };
    agent = api.registerAgentProvider({ id: 'test.follow', label: 'Followed', launch });
    NAMES.forEach((name) => writeFileSync(file(name), text));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    session = (await api.newSession({ agentName: 'Followed', folder: folder() }))!;
    await until('ready', () => session.status === 'ready');
    await vscode.window.showTextDocument(vscode.Uri.file(file('followed-own.txt')), { viewColumn: vscode.ViewColumn.One, preview: false });
  });

  after(async () => {
    await vscode.workspace.getConfiguration('acpHost').update('followAgent', undefined, vscode.ConfigurationTarget.Global);
    await vscode.workspace.getConfiguration('workbench.editor').update('enablePreview', undefined, vscode.ConfigurationTarget.Global);
    await session.end();
    agent.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    NAMES.flatMap((name) => [name, `${name}.seen`]).forEach((name) => rmSync(file(name), { force: true }));
  });

  /** Lets the agent continue from this file immediately. */
  const saw = (name: string) => writeFileSync(file(`${name}.seen`), '');
  beforeEach(() => NAMES.forEach((name) => rmSync(file(`${name}.seen`), { force: true })));

  const look = () =>
    session.prompt(`look ${['one', 'two', 'three'].map((name, index) => `${file(`followed-${name}.txt`)}:${(index + 1) * 50}`).join(' ')}`);
  const isOwnInFront = () => path.basename(vscode.window.activeTextEditor?.document.uri.fsPath ?? '') === 'followed-own.txt';

  it('is off by default', async () => {
    ['followed-one.txt', 'followed-two.txt'].forEach(saw);
    // The agent stays at the last file for 1.5 s.
    await look();
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(followed(), []);
  });

  for (const enablePreview of [true, false]) {
    it(`shows what it reads in one tab, ${enablePreview ? 'a preview' : 'also where editors have no previews'}`, async () => {
      await vscode.workspace.getConfiguration('workbench.editor').update('enablePreview', enablePreview, vscode.ConfigurationTarget.Global);
      if (enablePreview) {
        await vscode.commands.executeCommand('acpHost.toggleFollowAgent');
      }
      await vscode.window.showTextDocument(vscode.Uri.file(file('followed-own.txt')), {
        viewColumn: vscode.ViewColumn.One,
        preview: false,
      });
      const looking = look();
      const seen = new Set<string>();
      while (session.busy) {
        followed().forEach((name) => {
          seen.add(name);
          saw(name);
        });
        assert.ok(isOwnInFront(), 'the focus stays');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await looking;
      await until('one tab', () => followed().join() === 'followed-three.txt');
      assert.ok(seen.has('followed-one.txt'), [...seen].join());
      assert.ok(isOwnInFront());
      const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === file('followed-three.txt'))!;
      await until('the line', () => editor.visibleRanges.some((range) => range.contains(new vscode.Position(149, 0))));
    });
  }
});
