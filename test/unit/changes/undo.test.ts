/** Undo of files on a real disk: the files that are restored, and those that are left because an undo would lose a newer version. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasModeChange } from '../../../src/changes/review/reviewFile';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { isPending } from '../../../src/changes/review/review';
import { Workspace } from '../../support/changes/workspace';

describe('an undo', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let bench: Undoing;
  let outside: string;
  let isWorking: boolean;

  const at = (name: string): string => workspace.at(name);
  const reasons = (left: readonly { readonly path: string; readonly reason: string }[]): Record<string, string> =>
    Object.fromEntries(left.map((each) => [path.relative(workspace.folder, each.path), each.reason]));
  const reported = (): string => {
    const [block] = bench.report.take()?.content ?? [];
    return block?.type === 'resource' ? block.text! : '';
  };

  beforeEach(async () => {
    outside = mkdtempSync(path.join(tmpdir(), 'outside-'));
    workspace = new Workspace(true);
    workspace.write('a.txt', 'one\ntwo\nthree\n');
    workspace.write('b.txt', 'stays\n');
    workspace.write('conf/keys', 'the keys of the repository\n');
    workspace.write('logo.bin', Buffer.from([0, 1, 2]));
    workspace.write('run.sh', '#!/bin/sh\n');
    chmodSync(at('run.sh'), 0o755);
    symlinkSync('a.txt', at('link'));
    workspace.commit();
    await workspace.settle();
    isWorking = false;
    bench = undoing(workspace, workspace.session(), () => isWorking);
  });

  afterEach(() => {
    bench.dispose();
    workspace.dispose();
    rmSync(outside, { recursive: true, force: true });
  });

  it('restores changed, deleted and created files, and the bytes of binary ones', async () => {
    const before = workspace.tree();
    await bench.turn(() => {
      workspace.write('a.txt', 'one\n2\nthree\n');
      workspace.remove('b.txt');
      workspace.write('new/made.txt', 'made\n');
      workspace.write('logo.bin', Buffer.from([0, 9]));
    });
    const { done, left } = await bench.undoFiles();
    assert.deepEqual(left, []);
    assert.equal(done.length, 4);
    assert.deepEqual(workspace.tree(), before);
    const text = reported();
    assert.match(text, /a\.txt[^]*The user put this file back/);
    assert.match(text, /b\.txt[^]*The user undid the deletion/);
    assert.match(text, /made\.txt[^]*The user undid the creation/);
    assert.deepEqual(bench.written.map((file) => path.basename(file)).sort(), ['a.txt', 'b.txt', 'logo.bin', 'made.txt']);
  });

  it('removes a symbolic link that took the place of a file, and never writes through it', async () => {
    writeFileSync(path.join(outside, 'bashrc'), "the user's own\n");
    await bench.turn(() => {
      workspace.remove('b.txt');
      symlinkSync(path.join(outside, 'bashrc'), at('b.txt'));
    });
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(readFileSync(path.join(outside, 'bashrc'), 'utf8'), "the user's own\n");
    assert.ok(lstatSync(at('b.txt')).isFile());
    assert.equal(workspace.read('b.txt'), 'stays\n');
  });

  it('leaves a file whose folder now points elsewhere, and reports no existing file as missing', async () => {
    mkdirSync(path.join(outside, 'ssh'));
    writeFileSync(path.join(outside, 'ssh/keys'), 'SECRET\n');
    await bench.turn(() => {
      workspace.write('conf/keys', 'other keys\n');
      workspace.write('conf/more', 'more\n');
    });
    renameSync(at('conf'), at('moved'));
    symlinkSync(path.join(outside, 'ssh'), at('conf'));
    const { done, left } = await bench.undoFiles();
    assert.deepEqual(done, []);
    assert.deepEqual(reasons(left), { 'conf/keys': 'elsewhere', 'conf/more': 'elsewhere' });
    assert.equal(readFileSync(path.join(outside, 'ssh/keys'), 'utf8'), 'SECRET\n');
    assert.equal(existsSync(path.join(outside, 'ssh/more')), false);
    assert.doesNotMatch(reported(), /SECRET/);
  });

  it('restores a folder that the agent replaced by a link, with its files', async () => {
    mkdirSync(path.join(outside, 'ssh'));
    writeFileSync(path.join(outside, 'ssh/keys'), 'SECRET\n');
    rmSync(at('conf'), { recursive: true });
    symlinkSync(path.join(outside, 'ssh'), at('conf'));
    const hash = (await bench.store.put(Buffer.from('the keys of the repository\n')))!;
    const before = { kind: 'file', hash, size: 27, mode: 0o644, kept: true } as const;
    await bench.review.recorded('turn-1', [
      { path: at('conf'), before: { kind: 'none' }, after: { kind: 'link', target: path.join(outside, 'ssh') } },
      { path: at('conf/keys'), before, after: { kind: 'none' } },
    ]);
    await bench.log.append({
      type: 'turn',
      turnId: 'turn-1',
      at: Date.now(),
      files: [{ path: at('conf'), before: { kind: 'none' }, after: { kind: 'link', target: path.join(outside, 'ssh') } }],
    });
    const { left } = await bench.undoFiles();
    assert.deepEqual(reasons(left), {});
    assert.ok(lstatSync(at('conf')).isDirectory());
    assert.equal(workspace.read('conf/keys'), 'the keys of the repository\n');
    assert.equal(readFileSync(path.join(outside, 'ssh/keys'), 'utf8'), 'SECRET\n');
  });

  it('restores a link that the agent deleted or changed', async () => {
    await bench.turn(() => {
      workspace.remove('link');
      symlinkSync('b.txt', at('link'));
    });
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(readlinkSync(at('link')), 'a.txt');
    await bench.turn(() => workspace.remove('link'));
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(readlinkSync(at('link')), 'a.txt');
  });

  it('leaves a file that was written after the agent, unless the user wants it replaced', async () => {
    await bench.turn(() => {
      workspace.remove('b.txt');
      workspace.write('logo.bin', Buffer.from([0, 9]));
    });
    workspace.write('b.txt', 'written again by the user\n');
    workspace.write('logo.bin', Buffer.from([0, 7]));
    assert.deepEqual(reasons((await bench.undoFiles()).left), { 'b.txt': 'changed_since', 'logo.bin': 'changed_since' });
    assert.equal(workspace.read('b.txt'), 'written again by the user\n');
    assert.equal(reported(), '');
    assert.deepEqual((await bench.undoFiles(['b.txt'], { force: true })).left, []);
    assert.equal(workspace.read('b.txt'), 'stays\n');
    assert.deepEqual([...readFileSync(at('logo.bin'))], [0, 7]);
  });

  it('leaves a newer version that appeared after the user agreed to replace the one before', async () => {
    await bench.turn(() => workspace.remove('b.txt'));
    workspace.write('b.txt', 'first\n');
    const plans = await bench.undo.plan(bench.review.files.map((file) => ({ file })));
    workspace.write('b.txt', 'second, longer\n');
    const { left } = await bench.undo.perform(plans.map((plan) => ({ ...plan, force: true as const })));
    assert.deepEqual(reasons(left), { 'b.txt': 'changed_since' });
    assert.equal(workspace.read('b.txt'), 'second, longer\n');
  });

  it('never deletes a created file with a later version, and keeps the text that the user added', async () => {
    await bench.turn(() => {
      workspace.write('new.txt', 'made\n');
      workspace.write('new.bin', Buffer.from([0, 1]));
    });
    workspace.write('new.bin', Buffer.from([0, 2]));
    workspace.write('new.txt', 'made\nby the user\n');
    await bench.review.fileChanged(at('new.txt'));
    const { left } = await bench.undoFiles(undefined, { force: true });
    assert.deepEqual(reasons(left), { 'new.bin': 'changed_since' });
    assert.equal(workspace.read('new.txt'), 'by the user\n');
  });

  it('succeeds without a write for a created file that was deleted since', async () => {
    await bench.turn(() => {
      workspace.write('new.txt', 'made\n');
      workspace.write('new.bin', Buffer.from([0, 1]));
    });
    workspace.remove('new.txt');
    workspace.remove('new.bin');
    const { done, left } = await bench.undoFiles();
    assert.deepEqual([done.length, left], [2, []]);
    assert.deepEqual(bench.review.files.filter(isPending), []);
    assert.deepEqual([existsSync(at('new.txt')), existsSync(at('new.bin'))], [false, false]);
  });

  it('leaves a created file that was deleted while the user types into its document', async () => {
    await bench.turn(() => workspace.write('new.txt', 'made\n'));
    const document = bench.editor.open(at('new.txt'));
    Object.assign(document, { text: 'made\nmine\n', dirty: true });
    workspace.remove('new.txt');
    const { left } = await bench.undoFiles();
    assert.equal(left.length, 1);
    assert.equal(document.text, 'made\nmine\n');
  });

  it('does nothing when the earlier version is unknown', async () => {
    workspace.write('large.txt', 'x'.repeat(3 * 1024 * 1024));
    workspace.commit();
    await workspace.settle();
    await bench.turn(() => workspace.write('large.txt', 'short\n'));
    const { done, left } = await bench.undoFiles();
    assert.deepEqual(done, []);
    assert.deepEqual(reasons(left), { 'large.txt': 'unknown' });
    assert.equal(workspace.read('large.txt'), 'short\n');
  });

  it('leaves files with unsaved text or notebook cells', async () => {
    await bench.turn(() => {
      workspace.remove('b.txt');
      workspace.write('logo.bin', Buffer.from([0, 9]));
    });
    bench.editor.documents.set(at('b.txt'), { text: 'unsaved typing\n', dirty: true });
    bench.editor.unsavedOther.add(at('logo.bin'));
    const { left } = await bench.undoFiles(undefined, { force: true });
    assert.deepEqual(reasons(left), { 'b.txt': 'unsaved', 'logo.bin': 'unsaved' });
    assert.equal(existsSync(at('b.txt')), false);
    assert.equal(bench.editor.documents.get(at('b.txt'))!.text, 'unsaved typing\n');
    assert.equal(reported(), '');
  });

  it('writes the disk behind a document whose typing the agent has not seen, and keeps the typing', async () => {
    const document = bench.editor.open(at('a.txt'));
    Object.assign(document, { text: 'typed\none\ntwo\nthree\n', dirty: true });
    await bench.turn(() => workspace.write('a.txt', 'one\n2\nthree\n'));
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\n');
    assert.equal(document.text, 'typed\none\ntwo\nthree\n');
  });

  it('edits an open document, and leaves the saving of unsaved text to the user', async () => {
    const document = bench.editor.open(at('a.txt'));
    await bench.turn(() => workspace.write('a.txt', 'one\n2\nthree\n'));
    await bench.editor.look(at('a.txt'));
    Object.assign(document, { text: 'one\n2\nthree\nmine\n', dirty: true });
    bench.review.documentIs(at('a.txt'), document.text, [{ start: 12, end: 12, text: 'mine\n' }], { type: 'user' });
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(document.text, 'one\ntwo\nthree\nmine\n');
    assert.equal(workspace.read('a.txt'), 'one\n2\nthree\n');
  });

  it('in unsaved text alone brings the change back when that text is gone, but no change that was kept meanwhile', async () => {
    const document = bench.editor.open(at('a.txt'));
    const changed = 'ONE\ntwo\nthree\nfour\n';
    await bench.turn(() => workspace.write('a.txt', changed));
    await bench.editor.look(at('a.txt'));
    const { review } = bench;
    const pending = () => review.file(at('a.txt'))!.hunks!.hunks.map(({ oldText }) => oldText);
    const type = (): void => {
      review.typingBegins(at('a.txt'));
      Object.assign(document, { text: changed.replace('two', 'mine\ntwo'), dirty: true });
      review.documentIs(at('a.txt'), document.text, [{ start: 4, end: 4, text: 'mine\n' }], { type: 'user' });
    };
    const revert = (): void => {
      review.typingGone(at('a.txt'));
      Object.assign(document, { text: changed, dirty: false });
      // One edit from the first to the last line that differs, as VS Code reports it.
      review.documentIs(at('a.txt'), changed, [{ start: 0, end: 18, text: changed }], { type: 'external' });
    };
    type();
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.deepEqual([document.text, pending()], ['one\nmine\ntwo\nthree\n', []]);
    revert();
    assert.deepEqual([pending(), bench.report.summary, review.textOnDisk(at('a.txt'))], [['one\n', ''], [], undefined]);
    type();
    const [first] = review.file(at('a.txt'))!.hunks!.hunks;
    review.keep(at('a.txt'), [first!.hunkId]);
    assert.deepEqual((await bench.undoFiles()).left, []);
    revert();
    assert.deepEqual([pending(), bench.report.summary], [[''], []]);
    type();
    await bench.undoFiles();
    review.typingSaved(at('a.txt'));
    review.typingGone(at('a.txt'));
    assert.deepEqual(pending(), []);
  });

  it('leaves a file that the running turn has changed until the turn ends', async () => {
    await bench.turn(() => workspace.write('a.txt', 'one\n2\nthree\n'));
    isWorking = true;
    workspace.write('a.txt', 'one\n2\n3\n');
    assert.deepEqual(reasons((await bench.undoFiles()).left), { 'a.txt': 'running' });
    isWorking = false;
    assert.deepEqual((await bench.undoFiles()).left, []);
  });

  it('restores the permission to execute, and no other permission', async () => {
    await bench.turn(() => workspace.remove('run.sh'));
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(lstatSync(at('run.sh')).mode & 0o111, 0o111);
    chmodSync(at('a.txt'), 0o600);
    await workspace.settle();
    await bench.turn(() => {
      workspace.write('a.txt', 'one\n2\nthree\n');
      chmodSync(at('a.txt'), 0o700);
    });
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(lstatSync(at('a.txt')).mode & 0o777, 0o600);
  });

  it('restores permissions when only they were changed', async () => {
    await bench.turn(() => chmodSync(at('a.txt'), 0o755));
    const [file] = bench.review.files;
    assert.equal(hasModeChange(file!.before, file!.after), true);
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(lstatSync(at('a.txt')).mode & 0o111, 0);
    const after = bench.review.file(at('a.txt'));
    assert.equal(after !== undefined && hasModeChange(after.before, after.after), false);
  });

  it('moves no file back under a document with unsaved text', async () => {
    await bench.turn(() => renameSync(at('a.txt'), at('a2.txt')));
    bench.editor.documents.set(at('a.txt'), { text: 'unsaved typing\n', dirty: true });
    const { left } = await bench.undoFiles();
    assert.deepEqual(reasons(left), { 'a2.txt': 'old_name_taken' });
    assert.equal(bench.editor.documents.get(at('a.txt'))!.text, 'unsaved typing\n');
    assert.ok(existsSync(at('a2.txt')) && !existsSync(at('a.txt')));
  });

  it('moves a file back, unless its old name is taken', async () => {
    await bench.turn(() => {
      renameSync(at('a.txt'), at('a2.txt'));
      renameSync(at('logo.bin'), at('logo2.bin'));
    });
    workspace.write('logo.bin', 'taken\n');
    const { left } = await bench.undoFiles();
    assert.deepEqual(reasons(left), { 'logo2.bin': 'old_name_taken' });
    assert.equal(workspace.read('a.txt'), 'one\ntwo\nthree\n');
    assert.equal(existsSync(at('a2.txt')), false);
    assert.equal(workspace.read('logo.bin'), 'taken\n');
    assert.ok(existsSync(at('logo2.bin')));
  });

  it('restores a file in place of a folder when the folder is empty by then', async () => {
    await bench.turn(() => {
      workspace.remove('b.txt');
      workspace.write('b.txt/inner.txt', 'inner\n');
    });
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(workspace.read('b.txt'), 'stays\n');
  });

  it('continues after a file that fails, and stops when it is cancelled', async () => {
    await bench.turn(() => {
      workspace.write('a.txt', 'one\n2\nthree\n');
      workspace.write('conf/keys', 'other\n');
      workspace.remove('b.txt');
    });
    workspace.remove('a.txt');
    const { done, left } = await bench.undoFiles();
    assert.deepEqual(reasons(left), { 'a.txt': 'changed_since' });
    assert.equal(done.length, 2);
    await bench.turn(() => {
      workspace.write('b.txt', 'other\n');
      workspace.write('conf/keys', 'other\n');
    });
    const cancel = new AbortController();
    cancel.abort();
    const cancelled = await bench.undoFiles(['b.txt', 'conf/keys'], { signal: cancel.signal });
    assert.deepEqual(reasons(cancelled.left), { 'b.txt': 'cancelled', 'conf/keys': 'cancelled' });
    assert.equal(workspace.read('b.txt'), 'other\n');
  });

  it('treats Latin-1 and mixed line ends as bytes', async () => {
    const latin = Buffer.from('caf\u00e9\nzwei\n', 'latin1');
    writeFileSync(at('latin.txt'), latin);
    writeFileSync(at('mixed.txt'), 'one\r\ntwo\nthree\rfour\n');
    workspace.git('config', 'core.autocrlf', 'false');
    workspace.commit();
    await workspace.settle();
    await bench.turn(() => {
      writeFileSync(at('latin.txt'), Buffer.from('caf\u00e9\n2\n', 'latin1'));
      writeFileSync(at('mixed.txt'), 'one\r\n2\nthree\rfour\n');
    });
    assert.equal(bench.review.file(at('latin.txt'))!.hunks, undefined);
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.deepEqual(readFileSync(at('latin.txt')), latin);
    assert.equal(workspace.read('mixed.txt'), 'one\r\ntwo\nthree\rfour\n');
  });

  it('restores a whole file that it undid, unless the file changed since', async () => {
    await bench.turn(() => workspace.write('new.bin', Buffer.from([0, 1])));
    await bench.undoFiles();
    const note = bench.report.noteOf(at('new.bin'))!;
    writeFileSync(at('new.bin'), 'mine\n');
    assert.equal(await bench.undo.applyAgain(note), 'changed_since');
    workspace.remove('new.bin');
    assert.equal(await bench.undo.applyAgain(note), undefined);
    assert.deepEqual([...readFileSync(at('new.bin'))], [0, 1]);
    assert.equal(reported(), '');
  });

  it('applies the deletion of a moved file again only after the file that it was moved over', async () => {
    workspace.write('one.txt', 'only one\n');
    workspace.write('two.txt', 'only two\n');
    workspace.commit();
    await workspace.settle();
    await bench.turn(() => renameSync(at('one.txt'), at('two.txt')));
    assert.deepEqual((await bench.undoFiles()).left, []);
    const [one, two] = ['one.txt', 'two.txt'].map((name) => bench.report.noteOf(at(name))!);
    assert.equal(await bench.undo.applyAgain(one!), 'moved');
    assert.equal(workspace.read('one.txt'), 'only one\n');
    assert.equal(await bench.undo.applyAgain(two!), undefined);
    assert.equal(await bench.undo.applyAgain(one!), undefined);
    assert.deepEqual([existsSync(at('one.txt')), workspace.read('two.txt')], [false, 'only one\n']);
  });

  it('undoes 100 files without a process or a document for each', async function () {
    this.timeout(120_000);
    const names = Array.from({ length: 100 }, (_, index) => `many/file${index}.txt`);
    names.forEach((name) => workspace.write(name, `${name}\nsecond\nthird\n`));
    workspace.commit();
    await workspace.settle();
    await bench.turn(() => names.forEach((name) => workspace.write(name, `${name}\n2\nthird\n`)));
    const before = process.cpuUsage();
    const { done, left } = await bench.undoFiles();
    const { user, system } = process.cpuUsage(before);
    assert.deepEqual(left, []);
    assert.equal(done.length, 100);
    assert.equal(bench.editor.documents.size, 0);
    assert.equal(workspace.read('many/file99.txt'), 'many/file99.txt\nsecond\nthird\n');
    assert.ok(user + system < 2.5e6, `${(user + system) / 1e6} s`);
  });
});
