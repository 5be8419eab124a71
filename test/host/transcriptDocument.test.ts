import { strict as assert } from 'node:assert';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AcpHostApi, AcpSession } from '../../src/api';

describe('a conversation outside its panel', () => {
  let session: AcpSession;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conversation-'));
    const api = (await vscode.extensions.getExtension<AcpHostApi>('acp-host.acp-host')!.activate())!;
    session = (await api.newSession({ agentName: 'Demo Agent', folder: vscode.workspace.workspaceFolders![0]!.uri }))!;
    await until('a session', () => session.status === 'ready');
    await session.prompt('help');
  });

  after(async () => {
    await session.end();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  async function until(what: string, holds: () => boolean): Promise<void> {
    for (let tries = 0; tries < 60; tries++) {
      if (holds()) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    assert.fail(`no ${what}`);
  }

  const shown = () => vscode.window.activeTextEditor?.document;

  it('opens as a document at the current position, and is updated when a turn ends', async () => {
    await vscode.commands.executeCommand('acpHost.openAsDocument');
    const document = shown()!;
    assert.equal(document.uri.scheme, 'acp-host-transcript');
    assert.equal(document.languageId, 'markdown');
    assert.match(document.getText(), /^## You\n\nhelp\n\n## Demo Agent\n\n/);
    const before = document.getText().length;
    await session.prompt('help');
    await until('more text', () => document.getText().length > before);
    assert.equal(document.getText().match(/^## You$/gm)?.length, 2);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('contains no command link, no HTML and no invisible character, whatever its text', async () => {
    const said =
      'Click [here](command:workbench.action.closeAllEditors), <command:x>, [b][c] <details>\u202e\n\n[c]: command:y\n\n```sh\nrm';
    await session.prompt(said);
    await session.show();
    await vscode.commands.executeCommand('acpHost.openAsDocument');
    const document = shown()!;
    await until('the newest text', () => document.getText().includes('Click [here]'));
    const text = document.getText();
    assert.ok(text.includes('\\<details>⟨U+202E⟩') && /rm\n```\n\n## Demo Agent/.test(text), text.slice(-1500));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri, 100);
    const schemes = links.map(({ target }) => target?.scheme);
    assert.ok(!schemes.some((scheme) => /^(?:command|vscode|javascript)/.test(scheme ?? '')), schemes.join(' '));
    const symbols = await vscode.commands.executeCommand<{ name: string }[]>('vscode.executeDocumentSymbolProvider', document.uri);
    assert.ok(symbols === undefined || symbols.every(({ name }) => /^#/.test(name)), 'headings lead through it');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('has a help that names the keys', async () => {
    await vscode.commands.executeCommand('acpHost.showAccessibilityHelp');
    assert.match(shown()!.getText(), /Alt\+F2/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('is copied as Markdown', async () => {
    await session.show();
    await vscode.commands.executeCommand('acpHost.copyConversation');
    assert.match(await vscode.env.clipboard.readText(), /^# .*\n\n## You\n\nhelp\n/);
  });

  it('is exported in each form, readable by the user only', async () => {
    const save = async (name: string): Promise<string> => {
      const uri = vscode.Uri.file(join(folder, name));
      await session.show();
      await vscode.commands.executeCommand('acpHost.exportConversation', uri);
      if (process.platform !== 'win32') {
        assert.equal((await stat(uri.fsPath)).mode & 0o777, 0o600);
      }
      return readFile(uri.fsPath, 'utf8');
    };
    assert.match(await save('a.md'), /## You\n\nhelp\n\n## Demo Agent/);
    const { header, events } = JSON.parse(await save('a.json')) as { header: { agentName: string }; events: { type: string }[] };
    assert.equal(header.agentName, 'Demo Agent');
    assert.equal(events.filter(({ type }) => type === 'turn_ended').length, 3);
    const [first, ...lines] = (await save('a.jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual([first?.['acpHostBundle'], first?.['vscode']], [1, vscode.version]);
    assert.ok(
      lines.some((line) => line['event']) && lines.some((line) => line['acpHostTrace']) && lines.some((line) => line['dir'] === 'a2c'),
    );
    assert.deepEqual((await readdir(folder)).sort(), ['a.json', 'a.jsonl', 'a.md']);
  });

  it('replaces a file named by a command only with consent, and follows no link', async () => {
    const file = join(folder, 'mine.md');
    const asked: string[] = [];
    const { showWarningMessage } = vscode.window;
    const save = async (answer: string | undefined, target = file): Promise<void> => {
      vscode.window.showWarningMessage = (async (message: string) => (asked.push(message), answer)) as never;
      try {
        await vscode.commands.executeCommand('acpHost.exportConversation', vscode.Uri.file(target));
      } finally {
        vscode.window.showWarningMessage = showWarningMessage;
      }
    };
    await writeFile(file, 'mine');
    await session.show();
    await save(undefined);
    assert.equal(await readFile(file, 'utf8'), 'mine');
    assert.deepEqual(asked, ['mine.md already exists. Do you want to replace it?']);
    if (process.platform !== 'win32') {
      const link = join(folder, 'link.md');
      await symlink(file, link);
      await save('Replace', link);
      assert.match(await readFile(link, 'utf8'), /## You/);
      assert.equal(await readFile(file, 'utf8'), 'mine');
    }
    await save('Replace');
    assert.match(await readFile(file, 'utf8'), /## You/);
  });
});

describe('a conversation of 10,000 entries', () => {
  let folder: string;
  let target: vscode.Uri;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'long-conversation-'));
    target = vscode.Uri.file(join(folder, 'saved.md'));
    const lines: unknown[] = [{ acpHostJournal: 1, key: 'long', agentName: 'Long', cwd: folder, createdAt: 1 }];
    const add = (event: object): void => void lines.push({ seq: lines.length, event: { at: 1000 + lines.length, ...event } });
    const code = Array.from({ length: 40 }, (_, line) => `const value${line} = ${line};`).join('\n');
    for (let n = 0; n < 5000; n++) {
      add({
        type: 'message',
        role: n % 2 ? 'agent' : 'user',
        messageId: `m${n}`,
        content: [{ type: 'text', text: `Message ${n}.\n\n\`\`\`ts\n${code}\n\`\`\`` }],
      });
      add({
        type: 'tool_call_update',
        toolCallId: `c${n}`,
        patch: {
          title: `Edit ${n}`,
          kind: 'edit',
          status: 'completed',
          content: [
            {
              type: 'diff',
              changes: [{ operation: 'modify', path: `/w/f${n}.ts`, oldText: code, newText: code.replace('= 7', `= ${n}`) }],
            },
          ],
        },
      });
    }
    const log = join(folder, 'long.jsonl');
    await writeFile(log, lines.map((line) => JSON.stringify(line)).join('\n') + '\n');
    await vscode.commands.executeCommand('acpHost.replayLog', vscode.Uri.file(log));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  /** Counts how often other code ran meanwhile. */
  async function turnsDuring(work: () => Thenable<unknown>): Promise<number> {
    let turns = 0;
    let over = false;
    const count = (): void => void (over || (turns++, setImmediate(count)));
    count();
    await work();
    over = true;
    return turns;
  }

  it('opens as a whole document, at its end, and the window stays usable', async () => {
    const turns = await turnsDuring(() => vscode.commands.executeCommand('acpHost.openAsDocument'));
    const { document, selection } = vscode.window.activeTextEditor!;
    const text = document.getText();
    assert.ok(
      text.startsWith('## You\n\nMessage 0.') && text.includes('Message 4999.') && text.includes('### Tool: Edit 4999'),
      text.slice(0, 200),
    );
    assert.equal(text.match(/^### Tool: Edit \d+$/gm)?.length, 5000);
    assert.ok(selection.active.line > document.lineCount / 2, `line ${selection.active.line} of ${document.lineCount}`);
    assert.ok(turns >= 5, `${turns} turns`);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('is copied and saved, and the window stays usable', async () => {
    assert.ok((await turnsDuring(() => vscode.commands.executeCommand('acpHost.copyConversation'))) >= 5);
    const copied = await vscode.env.clipboard.readText();
    assert.ok(copied.includes('Message 0.') && copied.includes('Message 4999.'));
    assert.ok((await turnsDuring(() => vscode.commands.executeCommand('acpHost.exportConversation', target))) >= 5);
    assert.equal(await readFile(target.fsPath, 'utf8'), copied);
  });
});
