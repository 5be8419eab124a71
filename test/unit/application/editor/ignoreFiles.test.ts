import assert from 'node:assert/strict';
import { IgnoreFiles } from '../../../../src/application/editor/ignoreFiles';

describe('ignore files', () => {
  const read: string[] = [];
  const of = (files: Readonly<Record<string, string>>) =>
    new IgnoreFiles((path) => {
      read.push(path);
      return Object.hasOwn(files, path) ? Promise.resolve(files[path]) : Promise.reject(new Error('not there'));
    });
  const ignored = async (files: IgnoreFiles, ...paths: string[]) => {
    const found: string[] = [];
    for (const path of paths) {
      if (await files.ignores(path)) {
        found.push(path);
      }
    }
    return found;
  };

  it('exclude files and whole folders, anywhere or at one place', async () => {
    const files = of({ '.gitignore': 'dist/\n/out\n*.log\n!keep.log\n' });
    assert.deepEqual(await ignored(files, 'src/a.ts', 'dist/a.js', 'a/dist/b/c.js', 'out/x', 'a/out/x', 'a.log', 'b/keep.log', 'dist'), [
      'dist/a.js',
      'a/dist/b/c.js',
      'out/x',
      'a.log',
    ]);
  });

  it('apply from their own folder, the nearest first, but not inside excluded folders', async () => {
    const files = of({
      '.gitignore': '*.gen\nvendor/\n',
      'a/.gitignore': '!b.gen\nlocal\n',
      'vendor/.gitignore': '!kept.js\n',
    });
    assert.deepEqual(await ignored(files, 'b.gen', 'a/b.gen', 'a/c.gen', 'a/local', 'local', 'vendor/kept.js'), [
      'b.gen',
      'a/c.gen',
      'a/local',
      'vendor/kept.js',
    ]);
  });

  it('are .gitignore, then .ignore, and read once', async () => {
    read.length = 0;
    const files = of({ '.gitignore': 'a\nb\n', '.ignore': '!a\nc\n' });
    assert.deepEqual(await ignored(files, 'a', 'b', 'c', 'd'), ['b', 'c']);
    assert.deepEqual(read, ['.gitignore', '.ignore']);
  });

  it('return the folders that a search can skip', async () => {
    const files = of({ '.gitignore': 'dist/\n', 'a/.gitignore': 'tmp\n' });
    assert.deepEqual(await files.globs(), ['**/dist']);
    await files.ignores('a/x');
    assert.deepEqual(await files.globs(), ['**/dist', 'a/**/tmp']);
    assert.deepEqual(await of({}).globs(), []);
  });

  it('cannot block the window', async () => {
    const files = of({ '.gitignore': `${'*a'.repeat(30)}*b\n${'x'.repeat(10_000)}\n*.log\n` });
    const begun = performance.now();
    assert.deepEqual(await ignored(files, 'a'.repeat(250), 'a.log'), ['a.log']);
    assert.ok(performance.now() - begun < 1000);
  });
});
