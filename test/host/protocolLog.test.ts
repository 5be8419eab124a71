import { strict as assert } from 'node:assert';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';

describe('the protocol log', () => {
  let api: AcpHostApi;
  let session: AcpSession;
  let folder: string;
  /** The lines written to the channel, as `level line`. */
  const log: string[] = [];
  const createOutputChannel = vscode.window.createOutputChannel;
  const logFile = (): vscode.Uri => vscode.Uri.file(join(folder, 'saved.ndjson'));

  before(async () => {
    // Output channels cannot be read: their text is in a file of VS Code's own, which is written at any time.
    vscode.window.createOutputChannel = ((name: string, options: { log: true }) => {
      const channel = createOutputChannel(name, options);
      if (name !== 'ACP Host Protocol') {
        return channel;
      }
      const noting = (level: 'info' | 'warn' | 'error' | 'debug' | 'trace') => (line: string) => {
        log.push(`${level} ${line}`);
        channel[level](line);
      };
      const levels = { info: noting('info'), warn: noting('warn'), error: noting('error'), debug: noting('debug'), trace: noting('trace') };
      return Object.assign(Object.create(channel) as vscode.LogOutputChannel, levels);
    }) as typeof createOutputChannel;
    folder = await mkdtemp(join(tmpdir(), 'protocol-log-'));
    api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    session = (await api.newSession({ agentName: 'Demo Agent', folder: vscode.workspace.workspaceFolders![0]!.uri }))!;
    await until('a session', () => session.status === 'ready');
    await session.prompt('help');
  });

  after(async () => {
    vscode.window.createOutputChannel = createOutputChannel;
    await session.end();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await rm(folder, { recursive: true, force: true });
  });

  /** Accepts the first row of a quick pick: the active session, when other tests had agents too. */
  async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 60; tries++) {
      if (await holds()) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    }
    assert.fail(`no ${what}`);
  }

  it('is shown as a line per message, and continues while the agent runs', async () => {
    void vscode.commands.executeCommand('acpHost.showProtocolLog');
    await until('log', () => log.some((line) => /^info .*← answer to session\/prompt #\d+ \d+ ms/.test(line)));
    assert.match(log[0]!, /^info Demo Agent, started /);
    assert.ok(log.some((line) => /^info .*→ initialize #1 /.test(line)));
    assert.ok(log.some((line) => /^info .*← session\/update agent_message_chunk \(\d+ B\) \{"sessionUpdate"/.test(line)));
    const answers = (): number => log.filter((line) => line.includes('answer to session/prompt')).length;
    const before = answers();
    await session.prompt('help');
    await until('news in the log', () => answers() === before + 1);
    // The channel's document, which not every build of VS Code can fill.
    const isChannel = ({ uri }: vscode.TextDocument): boolean => uri.scheme === 'output' && uri.path.includes('ACP Host Protocol');
    await until('channel', () => vscode.workspace.textDocuments.some(isChannel));
  });

  it('is exported whole, readable by the user only', async () => {
    void vscode.commands.executeCommand('acpHost.exportProtocolLog', logFile());
    await until('file', async () => (await readFile(logFile().fsPath, 'utf8').catch(() => '')).includes('"stopReason"'));
    const [header, ...lines] = (await readFile(logFile().fsPath, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(header?.['acpHostTrace'], 1);
    assert.equal(header?.['agent'], 'Demo Agent');
    assert.equal(header?.['redacted'], true);
    assert.equal((lines[0]?.['msg'] as { method?: string }).method, 'initialize');
    assert.ok(lines.some(({ dir, msg }) => dir === 'a2c' && (msg as { method?: string })?.method === 'session/update'));
    if (process.platform !== 'win32') {
      assert.equal((await stat(logFile().fsPath)).mode & 0o777, 0o600);
    }
  });

  it('is replayed as a read-only conversation', async () => {
    const others = new Set(api.sessions.map(({ key }) => key));
    await vscode.commands.executeCommand('acpHost.replayLog', logFile());
    const replayed = api.sessions.find(({ key }) => !others.has(key));
    assert.ok(replayed);
    assert.deepEqual([replayed.agentName, replayed.title, replayed.status], ['Demo Agent', 'saved.ndjson', 'disconnected']);
    await assert.rejects(replayed.prompt('more'));
    await until('panel', () => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label.startsWith('saved.ndjson'))));
  });

  it('reports that there is nothing to replay', async () => {
    const others = api.sessions.length;
    const nothing = vscode.Uri.file(join(folder, 'nothing.log'));
    await writeFile(nothing.fsPath, 'npm warn\n\n{"hello":1}\n');
    await vscode.commands.executeCommand('acpHost.replayLog', nothing);
    assert.equal(api.sessions.length, others);
  });
});
