import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scorePath, prepare } from '../../../src/context/fuzzyPath';
import { PathIndex } from '../../../src/context/pathIndex';

const find = async (index: PathIndex, text: string, limit = 10): Promise<string[]> =>
  (await index.search({ text, limit }))!.map(({ path }) => path);

describe('the index of paths', () => {
  it('contains the folders of its files, each once', async () => {
    const index = new PathIndex();
    index.add(['src/a/x.ts', 'src/a/y.ts', 'src/b/z.ts', 'top.md']);
    assert.deepEqual((await find(index, '', 20)).toSorted(), [
      'src/',
      'src/a/',
      'src/a/x.ts',
      'src/a/y.ts',
      'src/b/',
      'src/b/z.ts',
      'top.md',
    ]);
    assert.deepEqual(
      (await index.search({ text: 'b', limit: 1 }))?.map(({ path, isFolder }) => [path, isFolder]),
      [['src/b/', true]],
    );
  });

  it('gives the same results for a word typed letter by letter as for the word at once', async () => {
    const part = fc.stringMatching(/^[a-cA-C._]{1,5}$/);
    const paths = fc.uniqueArray(
      fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
      { minLength: 1, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(paths, fc.stringMatching(/^[a-c/._]{1,5}$/), async (all, typed) => {
        const slow = new PathIndex();
        const quick = new PathIndex();
        slow.add(all);
        quick.add(all);
        for (let end = 1; end < typed.length; end++) {
          await find(slow, typed.slice(0, end));
        }
        assert.deepEqual(await find(slow, typed), await find(quick, typed));
      }),
    );
  });

  it('gives the best results, however many there are', async () => {
    const index = new PathIndex();
    const all = Array.from({ length: 5000 }, (_, at) => `folder${at % 70}/file${at}.ts`);
    index.add(all);
    const best = all
      .map((path) => scorePath(prepare(path), 'file49'))
      .sort((a, b) => b - a)
      .slice(0, 10);
    const found = (await index.search({ text: 'file49', limit: 10 }))!;
    assert.deepEqual(
      found.map(({ score }) => score),
      best,
    );
    assert.equal(found[0]?.path, 'folder49/file49.ts');
  });

  it('puts preferred paths first', async () => {
    const index = new PathIndex();
    index.add(['a/main.ts', 'b/main.ts']);
    const found = await index.search({ text: 'main', limit: 5, preferred: ['b/main.ts'] });
    assert.deepEqual(
      found?.map(({ path }) => path),
      ['b/main.ts', 'a/main.ts'],
    );
  });

  it('returns which of the given paths it contains, without removed ones', () => {
    const index = new PathIndex();
    index.add(['a.ts', 'src/b.ts', 'src/c.ts']);
    index.remove(['src/c.ts']);
    assert.deepEqual(index.those(new Set(['src/b.ts', 'src/c.ts', 'ignored.ts'])), ['src/b.ts']);
  });

  it('ends an outdated search', async () => {
    const index = new PathIndex();
    index.add(Array.from({ length: 60_000 }, (_, at) => `some/where/else/file${at}.ts`));
    let asked = 0;
    assert.equal(await index.search({ text: 'sef9', limit: 5, isOver: () => ++asked > 0 }), undefined);
  });
});
