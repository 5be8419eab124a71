import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FolderFiles } from '../../../../src/application/mentions/folderFiles';
import { changesOf, commitFiles, commitsOf, commitText } from '../../../../src/application/mentions/gitTexts';
import { readingGit } from '../../../../src/changes/disk/git';
import { Git } from '../../../../src/util/git';

describe('files that can be mentioned', () => {
  let folder: string;
  let files: FolderFiles;
  let now = 0;
  let searched = 0;

  const write = (file: string, text = 'x\n'): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const all = async (): Promise<string[]> => {
    now += 60_000;
    await files.fresh();
    return [...files.known.within('')].toSorted();
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'acp-host-files-'));
    searched = 0;
    files = new FolderFiles(folder, {
      git: () => Promise.resolve('git'),
      ripgrep: () => Promise.resolve(undefined),
      search: () => {
        searched++;
        return Promise.resolve(['found/by/search.ts']);
      },
      read: (root, file) => {
        try {
          return Promise.resolve(readFileSync(path.join(root, file), 'utf8'));
        } catch {
          return Promise.resolve(undefined);
        }
      },
      now: () => now,
    });
  });
  afterEach(() => {
    files.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const isNotIgnored = ['.gitignore', 'a.ts', 'nested/.gitignore', 'nested/kept.log', 'nested/sub/b.ts', 'späte datei.txt'];

  function project(): void {
    write('.gitignore', '*.log\n/dist\nnode_modules/\n');
    write('a.ts');
    write('debug.log');
    write('dist/out.js');
    write('späte datei.txt');
    write('node_modules/lib/index.js');
    write('nested/.gitignore', '!kept.log\nsecret/\n');
    write('nested/kept.log');
    write('nested/other.txt.log');
    write('nested/secret/s.ts');
    write('nested/sub/b.ts');
  }

  it('exclude those that git ignores, also by nested ignore files, unless they are tracked', async () => {
    project();
    git('init', '--quiet');
    assert.deepEqual(
      await all(),
      isNotIgnored
        .toSorted()
        .filter((file) => !file.endsWith('.log'))
        .concat('nested/kept.log')
        .toSorted(),
    );
    git('add', '-f', 'debug.log');
    assert.ok((await all()).includes('debug.log'), 'what is tracked is the project’s');
    assert.equal(searched, 0);
  });

  it('exclude those in `.ignore` files, which git does not read', async () => {
    project();
    write('.ignore', 'nested/sub/\n');
    write('nested/.ignore', 'kept.log\n');
    git('init', '--quiet');
    git('add', '.');
    assert.deepEqual(
      (await all()).filter((file) => file.startsWith('nested')),
      ['nested/.gitignore', 'nested/.ignore'],
    );
  });

  it('include links, but not their targets', async () => {
    write('real/a.ts');
    symlinkSync('real', path.join(folder, 'link'));
    symlinkSync('..', path.join(folder, 'real', 'loop'));
    git('init', '--quiet');
    assert.deepEqual(await all(), ['link', 'real/a.ts', 'real/loop']);
  });

  it('include those of inner repositories', async () => {
    write('a.ts');
    write('inner/b.ts');
    git('init', '--quiet');
    git('init', '--quiet', 'inner');
    assert.deepEqual(await all(), ['a.ts', 'inner/b.ts']);
  });

  it('include those of checked-out submodules, nested ones too', async () => {
    const commitIn = (where: string): void =>
      git('-C', where, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'x');
    for (const [name, of] of [
      ['lib', ''],
      ['lib/deep', 'lib'],
      ['späte lib', ''],
      ['gone', ''],
    ] as const) {
      write(`${name}/code.ts`);
      git('init', '--quiet', name);
      git('-C', name, 'add', 'code.ts');
      commitIn(name);
      if (of === '') {
        git('init', '--quiet');
      }
      write(
        `${of === '' ? '' : `${of}/`}.gitmodules`,
        ['lib', 'deep', 'späte lib', 'gone', '../outside']
          .map((path) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ./elsewhere\n`)
          .join(''),
      );
    }
    git('-C', 'lib', 'add', '.');
    git('-c', 'advice.addEmbeddedRepo=false', 'add', '.');
    write('lib/untracked.ts');
    rmSync(path.join(folder, 'gone'), { recursive: true });
    mkdirSync(path.join(folder, 'gone'));
    assert.deepEqual(await all(), [
      '.gitmodules',
      'gone',
      'lib/.gitmodules',
      'lib/code.ts',
      'lib/deep/code.ts',
      'lib/untracked.ts',
      'späte lib/code.ts',
    ]);
    assert.ok((await files.known.search({ text: 'lib/', limit: 20 }))!.some(({ path: found, isFolder }) => found === 'lib/' && isFolder));
  });

  it('exclude a repository that a link in place of a submodule points to', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'acp-host-outside-'));
    try {
      git('init', '--quiet');
      git('init', '--quiet', outside);
      writeFileSync(path.join(outside, 'private.txt'), 'x');
      write('.gitmodules', '[submodule "lib"]\n\tpath = lib\n\turl = ./lib\n');
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`);
      symlinkSync(outside, path.join(folder, 'lib'));
      assert.deepEqual(await all(), ['.gitmodules', 'lib']);
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('come from VS Code’s search when there is no repository', async () => {
    write('a.ts');
    assert.deepEqual(await all(), ['found/by/search.ts']);
    assert.equal(searched, 1);
  });

  it('are listed again for a later request, with the old list meanwhile', async () => {
    write('a.ts');
    git('init', '--quiet');
    await all();
    write('b.ts');
    await files.fresh();
    assert.deepEqual([...files.known.within('')], ['a.ts'], 'a moment later nobody looks again');
    now += 60_000;
    const again = files.fresh();
    assert.deepEqual([...files.known.within('')], ['a.ts']);
    await again;
    assert.deepEqual([...files.known.within('')].toSorted(), ['a.ts', 'b.ts']);
  });

  describe('changes from git', () => {
    const run = readingGit(new Git());
    const commit = (message: string): void =>
      git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-am', message);

    it('are a diff of uncommitted changes, with new files, of a folder or one file', async () => {
      git('init', '--quiet');
      write('a.ts', 'one\n');
      write('sub/b.ts', 'two\n');
      git('add', '.');
      commit('First');
      write('a.ts', 'one!\n');
      write('sub/b.ts', 'two!\n');
      write('sub/new.ts', 'fresh');
      const { text: whole } = await changesOf(run, folder);
      for (const part of ['-one\n+one!', '-two\n+two!', '+++ b/sub/new.ts\n@@ -0,0 +1,1 @@\n+fresh\n\\ No newline at end of file']) {
        assert.ok(whole.includes(part), `${part} in\n${whole}`);
      }
      const { text: one } = await changesOf(run, path.join(folder, 'sub/b.ts'));
      assert.ok(one.includes('+two!') && !one.includes('one!') && !one.includes('new.ts'), one);
      assert.match((await changesOf(run, path.join(folder, 'sub/new.ts'))).text, /^diff --git a\/sub\/new\.ts [^]*\+fresh/);
      const { text: sub } = await changesOf(run, path.join(folder, 'sub'));
      assert.ok(sub.includes('+two!') && !sub.includes('one!') && sub.includes('new.ts'), sub);
    });

    it('include a deleted file, even the last one of its folder', async () => {
      git('init', '--quiet');
      write('kept.ts', 'one\n');
      write('gone/for/good.ts', 'two\n');
      git('add', '.');
      commit('First');
      rmSync(path.join(folder, 'gone'), { recursive: true });
      assert.match((await changesOf(run, path.join(folder, 'gone/for/good.ts'))).text, /deleted file mode[^]*-two\n$/);
      write('gone', 'a file now\n');
      assert.match((await changesOf(run, path.join(folder, 'gone/for/good.ts'))).text, /^diff[^]*-two\n$/);
    });

    it('include the target of a new link, but not its content', async () => {
      git('init', '--quiet');
      write('a.ts', 'one\n');
      git('add', '.');
      commit('First');
      const outside = mkdtempSync(path.join(tmpdir(), 'acp-host-outside-'));
      try {
        writeFileSync(path.join(outside, 'key'), 'secret of another folder\n');
        symlinkSync(path.join(outside, 'key'), path.join(folder, 'notes.md'));
        symlinkSync(outside, path.join(folder, 'docs'));
        symlinkSync('nowhere', path.join(folder, 'dangling'));
        const { text } = await changesOf(run, folder);
        assert.doesNotMatch(text, /secret of another folder/);
        for (const [name, target] of [
          ['notes.md', `${outside}/key`],
          ['docs', outside],
          ['dangling', 'nowhere'],
        ] as const) {
          assert.ok(text.includes(`+++ b/${name}\n@@ -0,0 +1,1 @@\n+${target}\n\\ No newline at end of file\n`), text);
          assert.ok(text.includes(`b/${name}\nnew file mode 120000\n`));
        }
      } finally {
        rmSync(outside, { recursive: true, force: true });
      }
    });

    it('list the files that they contain, with all their names', async () => {
      git('init', '--quiet');
      const [one, two] = ['one\n'.repeat(30), 'two\n'.repeat(30)];
      write('in/.env', one);
      write('in/späte datei.ts', two);
      write('outside.ts', one);
      git('add', '.');
      commit('First');
      git('mv', 'in/.env', 'in/plain.txt');
      rmSync(path.join(folder, 'in/späte datei.ts'));
      write('outside.ts', 'two\n');
      write('in/new.key', 'new\n');
      const inFolder = (names: readonly string[]) => names.map((name) => path.join(folder, name)).toSorted();
      const { files: found } = await changesOf(run, path.join(folder, 'in'));
      assert.deepEqual(found.toSorted(), inFolder(['in/.env', 'in/new.key', 'in/plain.txt', 'in/späte datei.ts']));
      assert.deepEqual((await changesOf(run, path.join(folder, 'in/new.key'))).files, inFolder(['in/new.key']));
      git('add', '.');
      commit('Second');
      const [second, first] = await commitsOf(run, folder, '', 2);
      assert.deepEqual(
        (await commitFiles(run, path.join(folder, 'in'), second!.hash)).toSorted(),
        inFolder(['in/.env', 'in/new.key', 'in/plain.txt', 'in/späte datei.ts', 'outside.ts']),
      );
      assert.deepEqual((await commitFiles(run, folder, first!.hash)).toSorted(), inFolder(['in/.env', 'in/späte datei.ts', 'outside.ts']));
      assert.deepEqual(await commitFiles(run, folder, '--output=/tmp/x'), []);
      git('config', 'diff.relative', 'true');
      assert.deepEqual((await changesOf(run, path.join(folder, 'in'))).files, []);
      write('in/.env', 'three\n');
      assert.deepEqual((await changesOf(run, path.join(folder, 'in'))).files, inFolder(['in/.env']));
    });

    it('include the earlier name of a file that came from outside the folder', async () => {
      git('init', '--quiet');
      write('.env', 'one\n'.repeat(30));
      write('in/a.ts');
      git('add', '.');
      commit('First');
      git('mv', '.env', 'in/plain.txt');
      const { files: found } = await changesOf(run, path.join(folder, 'in'));
      assert.deepEqual(found.toSorted(), [path.join(folder, '.env'), path.join(folder, 'in/plain.txt')]);
    });

    it('include files with unusual names', async () => {
      git('init', '--quiet');
      const names = ['a b.ts', ':(top)x.ts', '*.ts', '#1%20.ts', 'späte\nzeile.ts', '-x.ts'];
      names.forEach((name) => write(`in/${name}`, 'one\n'));
      git('add', '.');
      commit('First');
      names.forEach((name) => write(`in/${name}`, `two of ${JSON.stringify(name)}\n`));
      for (const name of names) {
        const { text } = await changesOf(run, path.join(folder, 'in', name));
        assert.equal(text.match(/^\+two of .*$/gm)?.join('|'), `+two of ${JSON.stringify(name)}`, name);
      }
    });

    it('run no program that the repository configures', async () => {
      git('init', '--quiet');
      write('a.ts', 'one\n');
      write('.gitattributes', '*.ts diff=evil\n');
      git('add', '.');
      commit('First');
      git('config', 'diff.evil.command', `touch ${folder}/evil-command`);
      git('config', 'diff.evil.textconv', `touch ${folder}/evil-textconv; cat`);
      git('config', 'diff.external', `touch ${folder}/evil-external`);
      git('config', 'core.fsmonitor', `touch ${folder}/evil-monitor`);
      const signed = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nSigned\n';
      const plain = spawnSync('git', ['cat-file', 'commit', 'HEAD'], { cwd: folder, encoding: 'utf8' }).stdout;
      const options = { cwd: folder, encoding: 'utf8', input: plain.replace(/\n\n[^]*/, `\n${signed}`) } as const;
      const { stdout } = spawnSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], options);
      git('update-ref', 'HEAD', stdout.trim());
      write('evil', `#!/bin/sh\ntouch ${folder}/evil-signature\n`);
      chmodSync(path.join(folder, 'evil'), 0o755);
      git('config', 'gpg.program', path.join(folder, 'evil'));
      git('config', 'log.showSignature', 'true');
      write('a.ts', 'two\n');
      assert.match((await changesOf(run, folder)).text, /\+two/);
      await commitText(run, folder, (await commitsOf(run, folder, '', 1))[0]!.hash);
      assert.deepEqual(
        (await all()).filter((file) => file.startsWith('evil-')),
        [],
      );
    });

    it('include commits by subject, author and hash', async () => {
      git('init', '--quiet');
      write('a.ts', 'one\n');
      git('add', '.');
      commit('First thing');
      write('a.ts', 'two\n');
      commit('Second thing');
      assert.deepEqual(
        (await commitsOf(run, folder, '', 10)).map(({ subject }) => subject),
        ['Second thing', 'First thing'],
      );
      const [first] = await commitsOf(run, folder, 'first', 10);
      assert.equal((await commitsOf(run, folder, first!.hash.slice(0, 10), 10)).length, 1);
      assert.match(await commitText(run, folder, first!.hash), /First thing[^]*\+one/);
      await assert.rejects(commitText(run, folder, '--output=/tmp/x'));
      const file = spawnSync('git', ['rev-parse', 'HEAD:a.ts'], { cwd: folder, encoding: 'utf8' }).stdout.trim();
      await assert.rejects(commitText(run, folder, file), 'the hash of a file');
      await assert.rejects(changesOf(run, tmpdir()));
    });
  });
});
