import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Consents } from '../../src/policy/consents';
import { identityOf } from '../../src/util/checkedFiles';
import { chosenFiles, fileBlocks } from '../../src/workbench/attachments/attachFiles';
import { PICTURES } from '../support/pictures';
import { FileSearch } from '../../src/workbench/editor/fileSearch';

const SHOT = Buffer.from(PICTURES['a.png']!.data);

describe('files attached to a message', () => {
  const all = { image: true, audio: true, embeddedContext: true };
  const none = { image: false, audio: false, embeddedContext: false };
  let folder: string;
  const uriOf = (name: string) => vscode.Uri.file(path.join(folder, name));
  const checked = (...names: string[]) =>
    Promise.all(
      names.map(async (name) => {
        const identity = (await identityOf(uriOf(name).fsPath))!;
        return { uri: uriOf(name), real: identity.real, identity };
      }),
    );
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'attach-'));
    await writeFile(path.join(folder, 'shot.png'), SHOT);
    await writeFile(path.join(folder, 'voice.wav'), Buffer.from([4]));
    await writeFile(path.join(folder, 'notes.md'), '# on disk');
    await writeFile(path.join(folder, 'program.bin'), Buffer.from([0, 255, 0]));
    await writeFile(path.join(folder, 'huge.txt'), 'x'.repeat(300 * 1024));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are sent whole when the agent accepts them, otherwise as links', async () => {
    const names = ['shot.png', 'voice.wav', 'notes.md', 'program.bin', 'huge.txt'];
    const whole = await fileBlocks(await checked(...names), all);
    assert.deepEqual(
      whole.map(({ type }) => type),
      ['image', 'audio', 'resource', 'resource_link', 'resource_link'],
    );
    assert.deepEqual(whole[0], {
      type: 'image',
      data: SHOT.toString('base64'),
      mimeType: 'image/png',
      uri: uriOf('shot.png').toString(),
    });
    const links = await fileBlocks(await checked(...names), none);
    assert.deepEqual(
      links.map(({ type }) => type),
      names.map(() => 'resource_link'),
    );
    assert.deepEqual(links[0], {
      type: 'resource_link',
      uri: uriOf('shot.png').toString(),
      name: 'shot.png',
      mimeType: 'image/png',
      size: SHOT.length,
    });
  });

  it('are sent as the user sees them, saved or not', async () => {
    const document = await vscode.workspace.openTextDocument(uriOf('notes.md'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'typed ');
    await vscode.workspace.applyEdit(edit);
    const [block] = await fileBlocks(await checked('notes.md'), all);
    assert.ok(block?.type === 'resource');
    assert.equal(block.text, 'typed # on disk');
    await document.save();
  });

  it('leaves out missing files', async () => {
    assert.deepEqual(await fileBlocks([{ uri: uriOf('gone.txt'), real: uriOf('gone.txt').fsPath }], all), []);
  });

  it('are left out when another file replaced the checked one', async () => {
    const files = await checked('notes.md');
    await writeFile(uriOf('other.md').fsPath, 'another file');
    await rename(uriOf('other.md').fsPath, uriOf('notes.md').fsPath);
    assert.deepEqual(await fileBlocks(files, all), []);
    await writeFile(uriOf('notes.md').fsPath, '# on disk');
  });

  it('need consent when they lead elsewhere than they say, although the user has chosen them', async () => {
    const elsewhere = await realpath(await mkdtemp(path.join(tmpdir(), 'attach-elsewhere-')));
    try {
      await writeFile(path.join(elsewhere, 'key.txt'), 'key');
      await writeFile(uriOf('.env').fsPath, 'SECRET=1');
      await symlink(path.join(elsewhere, 'key.txt'), uriOf('link.txt').fsPath);
      await symlink('notes.md', uriOf('inside.md').fsPath);
      let asked = 0;
      const activity = (answer: boolean) => ({ during: () => (asked++, answer) }) as never;
      const roots = { cwd: folder, additionalDirectories: [] };
      const consents = new Consents();
      const names = async (answer: boolean, ...chosen: string[]) =>
        (await chosenFiles(activity(answer), roots, chosen.map(uriOf), consents)).map(({ uri }) => uri.fsPath);
      const at = (name: string) => uriOf(name).fsPath;
      assert.deepEqual(await names(false, 'notes.md', '.env', 'inside.md'), [at('notes.md'), at('.env'), at('inside.md')]);
      assert.equal(asked, 0);
      assert.deepEqual(await names(false, 'notes.md', 'link.txt'), [at('notes.md')]);
      assert.deepEqual(await names(true, 'link.txt'), [path.join(elsewhere, 'key.txt')]);
      assert.equal(asked, 2);
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  it('are found by name, without those excluded by settings and ignore files', async () => {
    const names = ['src/Calc.js', 'dist/calc.js', 'node_modules/x/calc.js', 'a/calc.test.js', 'a/local/calc.js', 'calc', 'other.js'];
    for (const name of names) {
      await mkdir(path.dirname(uriOf(name).fsPath), { recursive: true });
      await writeFile(uriOf(name).fsPath, '');
    }
    await writeFile(uriOf('.gitignore').fsPath, 'dist/\n');
    await writeFile(uriOf('a/.gitignore').fsPath, 'local\n');
    const search = new FileSearch([folder]);
    const { token } = new vscode.CancellationTokenSource();
    const found = async (text: string, limit = 100) => {
      const { uris, isCut } = await search.find(text, limit, token);
      return [uris.map((uri) => path.relative(folder, uri.fsPath).replaceAll('\\', '/')), isCut] as const;
    };
    assert.deepEqual(await found('CALC'), [['calc', 'a/calc.test.js', 'src/Calc.js'], false]);
    assert.deepEqual(await found('calc.test'), [['a/calc.test.js'], false]);
    const [all] = await found('');
    assert.ok(all.includes('notes.md') && !all.includes('dist/calc.js') && !all.includes('node_modules/x/calc.js'), String(all));
    assert.equal((await found('', 2))[1], true);
  });
});
