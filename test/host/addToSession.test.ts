/** "Add to ACP Session" with the arguments of VS Code's menus, and the content that is sent for unusual files. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type DraftBlock, isMention, type Mention } from '../../src/core/mentions/mention';
import type { ContentBlock } from '../../src/core/model/content';
import { EMPTY_STATE, type SessionState } from '../../src/core/model/state';
import { Consents } from '../../src/policy/consents';
import { PICTURES } from '../support/pictures';
import { MentionCommands } from '../../src/workbench/mentions/mentionCommands';
import { Mentions } from '../../src/workbench/mentions/mentions';

describe('adding to a session', () => {
  let folder: string;
  let second: string;
  let mentions: Mentions;
  let added: readonly DraftBlock[] = [];
  let shown = 0;
  let hasSession = true;
  let key = 'here';
  let whileAsked: () => void = () => undefined;
  /** The user's answer; undefined if no question is expected. */
  let answer: boolean | undefined;
  let asked = 0;
  const state: SessionState = { ...EMPTY_STATE, status: 'ready', promptCapabilities: { image: true, audio: true, embeddedContext: true } };
  const consents = new Map<string, Consents>();
  const session = () => {
    consents.set(key, consents.get(key) ?? new Consents());
    return { key, agentName: 'A', roots: { cwd: folder, additionalDirectories: [second] }, consents: consents.get(key)!, store: { state } };
  };
  const uriOf = (name: string, root = folder) => vscode.Uri.file(path.join(root, name));
  const write = async (name: string, text: string | Uint8Array = 'x\n', root = folder): Promise<vscode.Uri> => {
    const uri = uriOf(name, root);
    await mkdir(path.dirname(uri.fsPath), { recursive: true });
    await writeFile(uri.fsPath, text);
    return uri;
  };
  const activity = {
    during: () => {
      asked++;
      whileAsked();
      return answer ?? assert.fail('the user is asked');
    },
  } as never;
  const commands = () =>
    new MentionCommands({
      activity,
      panels: { attach: (_: unknown, blocks: readonly DraftBlock[]) => void (added = blocks), open: () => shown++ } as never,
      mentions: () => Promise.resolve(mentions),
      session: () => Promise.resolve((hasSession ? session() : undefined) as never),
      editor: () => undefined,
    });
  const tokens = () => added.filter(isMention).map(({ token }) => token);
  const goes = async (content: readonly DraftBlock[] = added): Promise<readonly ContentBlock[]> => {
    const resolved = await mentions.resolve(session(), content);
    assert.ok(resolved, 'everything can be read');
    return resolved;
  };
  const textOf = (block: ContentBlock | undefined): string | undefined => (block?.type === 'resource' ? block.text : undefined);

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'add-one-')));
    second = await realpath(await mkdtemp(path.join(tmpdir(), 'add-two-')));
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    mentions = new Mentions({
      activity,
      journals: {
        list: () => Promise.resolve({ summaries: [], total: 0 }),
        async *portions() {},
      },
      sessions: () => [session()],
      openHandlers: () => Promise.reject(new Error('not here')),
      editor: () => undefined,
    });
  });
  beforeEach(() => {
    added = [];
    shown = 0;
    hasSession = true;
    key = 'here';
    whileAsked = () => undefined;
    answer = undefined;
    asked = 0;
  });
  after(async () => {
    mentions.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await Promise.all([folder, second].map((each) => rm(each, { recursive: true, force: true })));
  });

  it('takes all files and folders of the explorer, distinguishes several roots, and does not ask about any', async () => {
    const uris = [
      await write('src/index.ts', 'first\n'),
      await write('src/index.ts', 'second\n', second),
      await write('.env', 'SECRET=1\n'),
      uriOf('src'),
      await write('shot.png', PICTURES['a.png']!.data),
      uriOf('never.ts'),
    ];
    await commands().files(uris);
    const name = path.basename(second);
    assert.deepEqual(
      added.filter(isMention).map(({ token, longToken }) => [token, longToken?.endsWith(`${name}/src/index.ts`)]),
      [
        ['@index.ts', false],
        ['@index.ts', true],
        ['@.env', false],
        ['@src/', false],
        ['@shot.png', false],
      ],
    );
    assert.equal(shown, 1);
    const blocks = await goes();
    assert.deepEqual(blocks.map(textOf), ['first\n', 'second\n', 'SECRET=1\n', 'index.ts', undefined]);
    assert.equal(blocks[4]?.type, 'image');
  });

  describe('asks, and sends nothing without consent,', () => {
    let elsewhere: string;
    let sessions = 0;
    before(async () => {
      elsewhere = await realpath(await mkdtemp(path.join(tmpdir(), 'add-elsewhere-')));
      await write('notes.md', 'from elsewhere\n', elsewhere);
      await write('secrets/.env', 'SECRET=1\n');
      await write('secrets/app.ts', 'app\n');
      await symlink(path.join(elsewhere, 'notes.md'), uriOf('secrets/link.md').fsPath);
      await symlink(elsewhere, uriOf('secrets/docs').fsPath);
      await symlink('.env', uriOf('secrets/plain.txt').fsPath);
      await symlink('app.ts', uriOf('secrets/other.ts').fsPath);
    });
    beforeEach(() => (key = `asks-${++sessions}`));
    after(() => rm(elsewhere, { recursive: true, force: true }));

    const asks = async (text: RegExp) => {
      answer = false;
      assert.equal(await mentions.resolve(session(), added), undefined);
      assert.equal(asked, 1);
      answer = true;
      assert.match((await goes()).map(textOf).join('\n'), text);
      assert.equal(asked, 2);
      await goes();
      assert.equal(asked, 2, 'once it was agreed to');
    };

    it('about a chosen link that leads out of the folders, itself or through its folder', async () => {
      await commands().files([uriOf('secrets/link.md')]);
      await asks(/^from elsewhere\n$/);
      key += '-folder';
      asked = 0;
      await commands().files([uriOf('secrets/docs/notes.md')]);
      await asks(/^from elsewhere\n$/);
    });

    it('about a link that leads to a secret under another name, and not about any other', async () => {
      await commands().files([uriOf('secrets/plain.txt')]);
      await asks(/^SECRET=1\n$/);
      await commands().files([uriOf('secrets/other.ts')]);
      assert.deepEqual((await goes()).map(textOf), ['app\n']);
      assert.equal(asked, 2);
    });

    it('about a link that replaced a file that was sent before', async () => {
      const uri = await write('swapped/README.md', 'readme\n');
      await commands().files([uri]);
      assert.deepEqual((await goes()).map(textOf), ['readme\n']);
      await rm(uri.fsPath);
      await symlink(path.join(elsewhere, 'notes.md'), uri.fsPath);
      await asks(/^from elsewhere\n$/);
      await rm(uri.fsPath);
      await symlink(uriOf('secrets/.env').fsPath, uri.fsPath);
      answer = false;
      assert.equal(await mentions.resolve(session(), added), undefined);
      assert.equal(asked, 3);
    });

    it('about another file at the path of an accepted one', async () => {
      const uri = await write('again/.env', 'FIRST=1\n');
      added = [{ type: 'mention', token: '@e', name: 'e', ref: { kind: 'file', uri: uri.toString() } }];
      await asks(/FIRST=1/);
      await write('again/other', 'SECOND=1\n');
      renameSync(uriOf('again/other').fsPath, uri.fsPath);
      answer = false;
      assert.equal(await mentions.resolve(session(), added), undefined);
      assert.equal(asked, 3);
    });

    it('again if another file replaced the accepted one meanwhile', async () => {
      const uri = await write('meanwhile/.env', 'FIRST=1\n');
      await write('meanwhile/other', 'SECOND=1\n');
      added = [{ type: 'mention', token: '@e', name: 'e', ref: { kind: 'file', uri: uri.toString() } }];
      answer = true;
      whileAsked = () => renameSync(uriOf('meanwhile/other').fsPath, uri.fsPath);
      assert.equal(await mentions.resolve(session(), added), undefined);
      assert.equal(asked, 1);
    });

    it('about a problem of a file with secrets', async () => {
      const problem = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 3), 'SECRET=1 is weak');
      answer = false;
      await commands().problem(uriOf('secrets/.env'), [problem]);
      assert.deepEqual([added, asked, shown], [[], 1, 0]);
      answer = true;
      await commands().problem(uriOf('secrets/.env'), [problem]);
      assert.match((await goes()).map(textOf).join('\n'), /SECRET=1 is weak/);
      assert.equal(asked, 2);
    });

    it('about secrets among the problems of all files', async () => {
      const collection = vscode.languages.createDiagnosticCollection('add-test');
      try {
        collection.set(uriOf('secrets/.env'), [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 3), 'SECRET=1 is weak')]);
        added = [{ type: 'mention', token: '@p', name: 'p', ref: { kind: 'problems' } }];
        await asks(/SECRET=1 is weak/);
      } finally {
        collection.dispose();
      }
    });

    it('about secrets among changes and in a commit', async () => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder, encoding: 'utf8' });
      await commands().changes([uriOf('secrets/app.ts'), uriOf('secrets/other.ts')]);
      await goes();
      added = [{ type: 'mention', token: '@changes', name: 'changes', ref: { kind: 'changes', uri: uriOf('secrets').toString() } }];
      await asks(/\+SECRET=1/);
      assert.doesNotMatch((await goes()).map(textOf).join(), /from elsewhere/);
      git('add', 'secrets');
      git('commit', '--quiet', '-m', 'Secrets');
      const hash = git('rev-parse', 'HEAD').trim();
      key += '-commit';
      asked = 0;
      added = [{ type: 'mention', token: '@c', name: 'c', ref: { kind: 'commit', uri: vscode.Uri.file(folder).toString(), hash } }];
      await asks(/\+SECRET=1/);
    });
  });

  it('takes every selection of an editor, an untitled file, and a whole file without a selection', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one\ntwo\nthree\nfour\n' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selections = [new vscode.Selection(2, 0, 3, 2), new vscode.Selection(0, 1, 0, 2)];
    await commands().editor();
    assert.deepEqual(
      tokens().map((token) => token.replace(/^@.*?-\d+/, '')),
      [':1', ':3-4'],
    );
    assert.deepEqual((await goes()).map(textOf), ['one', 'three\nfour']);
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await commands().editor();
    assert.equal(tokens().length, 1);
    assert.deepEqual((await goes()).map(textOf), ['one\ntwo\nthree\nfour\n']);
    await commands().files([document.uri]);
    assert.deepEqual((await goes()).map(textOf), ['one\ntwo\nthree\nfour\n']);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('takes the arguments of source control: files, several of them, a group, and a deleted file', async () => {
    const files = [await write('a b.ts', 'old a\n'), await write('gone/b#%.ts', 'old b\n')];
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    await write('a b.ts', 'new a\n');
    await rm(uriOf('gone').fsPath, { recursive: true });
    const states = files.map((resourceUri) => ({ resourceUri }));
    await commands().changes(states);
    assert.deepEqual(tokens(), ['@changes:a b.ts', '@changes:b#%.ts']);
    const [changed, deleted] = (await goes()).map(textOf);
    assert.match(changed!, /-old a\n\+new a/);
    assert.match(deleted!, /deleted file[^]*-old b/);
    await commands().changes([{ id: 'workingTree', resourceStates: states }, states[0]]);
    assert.equal(tokens().length, 2);
    const many = Array.from({ length: 60 }, (_, at) => ({ resourceUri: uriOf(`many/${at % 3}/${at}.ts`) }));
    await Promise.all(many.map(({ resourceUri }) => write(path.relative(folder, resourceUri.fsPath))));
    await commands().changes(many);
    assert.deepEqual(
      added.map((block) => isMention(block) && block.ref.kind === 'changes' && block.ref.uri),
      [uriOf('many').toString()],
    );
    await commands().changes([]);
    assert.deepEqual(tokens(), ['@changes']);
  });

  it('takes a problem with its location', async () => {
    const uri = await write('src/wrong.ts', 'one\ntwo\n');
    const problem = new vscode.Diagnostic(new vscode.Range(1, 0, 1, 3), 'two is wrong', vscode.DiagnosticSeverity.Error);
    await commands().problem(uri, [problem]);
    assert.deepEqual(tokens(), ['[Problem in wrong.ts:2]', '@wrong.ts:2']);
    const [said, place] = (await goes()).map(textOf);
    assert.match(said!, /two is wrong/);
    assert.equal(place, 'two');
    await commands().problem(uri, []);
    await commands().problem('x', [problem]);
    assert.equal(shown, 1);
  });

  it('adds nothing if the user starts no session', async () => {
    hasSession = false;
    await commands().files([await write('src/index.ts')]);
    assert.deepEqual([added, shown], [[], 0]);
  });

  describe('the content sent for a file', () => {
    const mentionOf = (uri: vscode.Uri, lines = {}): Mention => ({
      type: 'mention',
      token: '@x',
      name: 'x',
      ref: { kind: 'file', uri: uri.toString(), ...lines },
    });
    const sent = async (uri: vscode.Uri, lines = {}) => (await goes([mentionOf(uri, lines)]))[0]!;

    for (const name of [
      'a b.ts',
      'a#b.ts',
      '100%25.ts',
      'späte.ts',
      '日本語 👩‍💻.ts',
      'line\nbreak.ts',
      '-x.ts',
      'q\'u"ote.ts',
      'back\\slash.ts',
    ]) {
      it(`called ${JSON.stringify(name)} is its text`, async () => {
        const uri = await write(`odd/${name}`, `text of ${name}`);
        const block = await sent(uri);
        assert.equal(textOf(block), `text of ${name}`);
        assert.ok(block.type === 'resource' && vscode.Uri.parse(block.uri, true).fsPath === uri.fsPath);
        assert.equal(textOf(await sent(uri, { line: 1, endLine: 9 })), `text of ${name}`.replace('\r', '\n'));
      });
    }

    it('is empty without text in the range, and a link for a large or binary file', async () => {
      assert.equal(textOf(await sent(await write('empty.ts', ''))), '');
      assert.equal(textOf(await sent(await write('short.ts', 'one\n'), { line: 50, endLine: 60 })), '');
      const large = await write('large.txt', 'line\n'.repeat(1024 * 1024));
      assert.deepEqual(await sent(large), { type: 'resource_link', uri: large.toString(), name: 'large.txt', size: 5 * 1024 * 1024 });
      assert.equal(textOf(await sent(large, { line: 1000, endLine: 1001 })), 'line\nline');
      const binary = await write('program.bin', Buffer.from([0, 255, 0]));
      assert.equal((await sent(binary)).type, 'resource_link');
      assert.equal((await sent(binary, { line: 1, endLine: 2 })).type, 'resource_link');
    });

    it('is the editor’s unsaved text, of any length', async () => {
      const uri = await write('long.txt', 'on disk\n');
      const document = await vscode.workspace.openTextDocument(uri);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), 'typed\n'.repeat(60_000));
      await vscode.workspace.applyEdit(edit);
      assert.equal(textOf(await sent(uri)), `${'typed\n'.repeat(60_000)}on disk\n`);
      await document.save();
      assert.equal((await sent(uri)).type, 'resource_link');
    });
  });
});
