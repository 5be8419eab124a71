/** Agents on another host in the window: the questions of `ssh`, the command that adds one, and a sign-in in a terminal. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SshEndpoint } from '../../src/core/agents/endpoint';
import { loadNodePty } from '../../src/terminal/nodePty';
import { addAgent } from '../../src/workbench/agents/addAgent';
import { askSsh } from '../../src/workbench/agents/sshQuestions';
import { Account } from '../../src/workbench/signIn/account';
import { WindowStubs } from './windowStubs';

const SETTING = 'acpHost.agents';

describe('an agent on another host', function () {
  this.timeout(40_000);
  const dialogs = new WindowStubs();
  afterEach(() => dialogs.restore());

  const open = new AbortController().signal;

  it('asks about an unknown host key in a dialog, with the fingerprint', async () => {
    const shown: unknown[] = [];
    let answer: string | undefined = 'Connect';
    dialogs.stub('showWarningMessage', async (...args: unknown[]) => {
      shown.push(args);
      return answer;
    });
    const question = { kind: 'hostKey', text: "The authenticity of host 'build' can't be established.\nSHA256:abc" } as const;
    assert.equal(await askSsh('Far', 'me@build', question, open), 'yes');
    assert.deepEqual(shown[0], [
      'Trust the host me@build?',
      { modal: true, detail: "The authenticity of host 'build' can't be established.\nSHA256:abc" },
      'Connect',
    ]);
    answer = undefined;
    assert.equal(await askSsh('Far', 'me@build', question, open), 'no');
  });

  it('asks for a password without showing it, and not for longer than ssh waits', async () => {
    const seen = dialogs.type('s3cret');
    assert.equal(await askSsh('Far', 'me@build', { kind: 'password', text: "me@build's password:" }, open), 's3cret');
    assert.deepEqual(seen, [{ title: 'Far on me@build', prompt: "me@build's password:", password: true }]);
    await dialogs.restore();
    const gone = new AbortController();
    const waiting = askSsh('Far', 'me@build', { kind: 'password', text: 'Password:' }, gone.signal);
    gone.abort();
    assert.equal(await waiting, undefined);
  });

  it('is added without editing JSON', async () => {
    const before = vscode.workspace.getConfiguration().inspect(SETTING)?.globalValue;
    dialogs.later(() => vscode.workspace.getConfiguration().update(SETTING, before, vscode.ConfigurationTarget.Global));
    const rows: string[] = [];
    dialogs.stub('showQuickPick', async (items: readonly vscode.QuickPickItem[]) => {
      rows.push(...items.map(({ label }) => label));
      return items[0];
    });
    const details: string[] = [];
    dialogs.stub('showInformationMessage', async (message: string, options?: { detail?: string } | string, ...buttons: string[]) => {
      details.push(`${message}\n${typeof options === 'object' ? options.detail : ''}`);
      return buttons[0];
    });
    const seen = dialogs.type('me@build', '/srv/shop', 'Far', '~/bin/agent --acp', '');
    const started: string[] = [];
    await addAgent(
      {
        activity: { during: <T>(run: () => T) => run() } as never,
        userAgents: () => before,
        newSession: async (agentId) => void started.push(agentId),
      },
      true,
    );
    assert.ok(!rows.includes('On Another Host…'));
    assert.equal(seen.length, 5);
    const [asked = ''] = details;
    assert.ok(asked.startsWith('Add Far?\nCommand: ssh me@build ') && asked.includes('/bin/agent'), asked);
    const saved = vscode.workspace.getConfiguration().inspect<Record<string, unknown>>(SETTING)?.globalValue;
    assert.deepEqual(JSON.parse(JSON.stringify(saved?.['Far'])), {
      ssh: { host: 'me@build', cwd: '/srv/shop' },
      command: '~/bin/agent',
      args: ['--acp'],
    });
  });

  it('signs in on the host, in a terminal, without its secrets on the command line', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'ssh-')));
    const file = path.join(folder, 'started.json');
    // A host whose shell is one of this machine.
    await writeFile(path.join(folder, 'ssh'), `#!/bin/sh\necho "$@" > ${folder}/line\nfor last; do :; done\nexec sh -c "$last"\n`, {
      mode: 0o755,
    });
    const print = `require('node:fs').writeFileSync(process.argv[1], JSON.stringify([process.cwd(), process.argv.slice(2), process.env.OPEN, process.env.API_KEY ?? null]))`;
    const endpoint: SshEndpoint = {
      kind: 'ssh',
      host: 'me@build',
      command: process.env['ACP_HOST_TEST_NODE']!,
      args: ['-e', print, '--', file],
      env: { OPEN: 'yes', API_KEY: 's3cret' },
      cwd: folder,
    };
    const account = new Account({
      secrets: {
        get: async () => undefined,
        store: async () => undefined,
        delete: async () => undefined,
        onDidChange: () => ({ dispose: () => undefined }),
      },
      globalState: { get: (_: string, fallback: unknown) => fallback, update: async () => undefined, keys: () => [] },
      activity: { during: <T>(run: () => T) => run() },
      environment: { ...process.env, PATH: `${folder}${path.delimiter}${process.env['PATH']}` },
      places: (_: unknown, cwd: string) => ({ cwd }),
      loadPty: loadNodePty,
      runsAsNode: () => false,
    } as never);
    const method = { methodId: 't', name: 'T', type: 'terminal', args: ['login'] } as const;
    // A program in a folder of the project would not count.
    const project = await mkdtemp(path.join(tmpdir(), 'project-'));
    await account.runInTerminal({ agentId: 'Far', agentName: 'Far', ...endpoint }, project, method, open);
    await rm(project, { recursive: true });
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), [folder, ['login'], 'yes', null]);
    const line = await readFile(path.join(folder, 'line'), 'utf8');
    assert.ok(line.startsWith('-t ') && !line.includes('s3cret'));
    vscode.window.terminals.forEach((terminal) => terminal.dispose());
    await rm(folder, { recursive: true, force: true });
  });
});
