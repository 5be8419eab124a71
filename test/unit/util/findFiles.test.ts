/** The files that a path in an agent's text refers to, in all folders of a session. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileReferences } from '../../../src/application/links/fileReferences';
import { FindFiles } from '../../../src/util/findFiles';
import { fileTargets } from '../../../src/application/links/links';
import { EMPTY_STATE } from '../../../src/core/model/state';

const NAMES = [
  'src/app/[locale]/page.tsx',
  'app/(auth)/login/page.tsx',
  'src/routes/blog.$slug.tsx',
  'My Project/a.ts',
  'a 100%25.ts',
  'b(1,2)',
  'c#1.md',
];

describe('a path in an agent’s text', () => {
  let top: string;
  let first: string;
  let second: string;
  let app: string;
  before(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), 'find-files-')));
    [first, second, app] = [path.join(top, 'first'), path.join(top, 'second'), path.join(top, 'repo', 'packages', 'app')];
    const files = [
      ...NAMES.map((name) => `first/${name}`),
      'first/src/main.cs',
      'first/src/both.ts',
      'second/src/svc.cs',
      'second/src/both.ts',
      'repo/packages/app/src/x.ts',
      'repo/packages/lib/y.ts',
      'secret.txt',
    ];
    for (const file of files) {
      await mkdir(path.dirname(path.join(top, file)), { recursive: true });
      await writeFile(path.join(top, file), 'x');
    }
    await mkdir(path.join(top, 'repo', '.git'));
    await symlink(path.join(top, 'secret.txt'), path.join(first, 'link.txt'));
  });
  after(() => rm(top, { recursive: true, force: true }));

  const find = async (named: string, cwd = first) =>
    (await new FindFiles({ cwd, additionalDirectories: cwd === first ? [second] : [] }).find(named)).map((file) =>
      path.relative(top, file).replaceAll(path.sep, '/'),
    );

  it('is searched in each folder', async () => {
    assert.deepEqual(await find('src/svc.cs'), ['second/src/svc.cs']);
    assert.deepEqual(await find('./src/main.cs'), ['first/src/main.cs']);
  });

  it('may begin with the name of a folder', async () => {
    assert.deepEqual(await find('second/src/svc.cs'), ['second/src/svc.cs']);
    assert.deepEqual(await find('first/src/both.ts'), ['first/src/both.ts']);
  });

  it('may be relative to the top of the repository that contains the folder', async () => {
    assert.deepEqual(await find('packages/app/src/x.ts', app), ['repo/packages/app/src/x.ts']);
    assert.deepEqual(await find('packages/lib/y.ts', app), [], 'outside of the folder');
    assert.deepEqual(await new FindFiles({ cwd: app, additionalDirectories: [] }).fromTops('packages/lib/y.ts'), [
      path.join(top, 'repo/packages/lib/y.ts'),
    ]);
  });

  it('finds every file that it can refer to', async () => {
    assert.deepEqual(await find('src/both.ts'), ['first/src/both.ts', 'second/src/both.ts']);
  });

  it('finds no file outside, in any way', async () => {
    for (const named of ['../secret.txt', 'link.txt', path.join(top, 'secret.txt'), '//host/share/a.ts']) {
      assert.deepEqual(await find(named), [], named);
    }
  });

  it('is a reference whatever characters its name has, with or without a position', async () => {
    const roots = { cwd: first, additionalDirectories: [second] };
    const texts = NAMES.flatMap((name) => [name, `${name}:12`, `${name}#L3`]);
    const found = await fileReferences(roots, EMPTY_STATE, [...texts, 'src/main.cs(12,3)', 'src/both.ts', 'My Project/none.ts']);
    assert.deepEqual(
      found.filter(({ is }) => is !== 'file').map(({ text }) => text),
      ['My Project/none.ts'],
    );
    assert.equal(found.find(({ text }) => text === 'src/both.ts')?.path, undefined, 'the host lists both');
  });

  it('supports the position in brackets that compilers write, unless a file has that name', () => {
    assert.deepEqual(fileTargets('src/a.cs(12,3)', []), [
      { type: 'file', path: 'src/a.cs(12,3)' },
      { type: 'file', path: 'src/a.cs', line: 12, column: 3 },
    ]);
    assert.deepEqual(fileTargets('https://a.b/x', []), []);
  });
});
