import assert from 'node:assert/strict';
import { prepare, scorePath } from '../../../src/context/fuzzyPath';

/** Of these paths those that fit, the best first. */
function ranked(typed: string, paths: readonly string[]): string[] {
  return paths
    .map((path) => ({ path, score: scorePath(prepare(path), typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}

describe('how well a path fits', () => {
  it('counts the name before the folders, and the whole before parts', () => {
    assert.deepEqual(ranked('app', ['src/app/other.ts', 'lib/wrapper.ts', 'src/myApp.ts', 'src/app.ts', 'test/app']), [
      'test/app',
      'src/app.ts',
      'src/myApp.ts',
      'lib/wrapper.ts',
      'src/app/other.ts',
    ]);
  });

  it('finds what is typed with its folders', () => {
    assert.deepEqual(ranked('src/app', ['src/application.ts', 'src/app.ts', 'app/src.ts', 'x/src/app.ts']), [
      'src/app.ts',
      'x/src/app.ts',
      'src/application.ts',
    ]);
  });

  it('finds letters that begin words before letters that are strewn', () => {
    assert.deepEqual(ranked('mdt', ['src/medit.ts', 'src/messageDraftToken.ts', 'src/message_draft_token.ts', 'mud/at.ts']), [
      'src/messageDraftToken.ts',
      'src/message_draft_token.ts',
      'src/medit.ts',
      'mud/at.ts',
    ]);
  });

  it('takes letters in another order for nothing', () => {
    assert.deepEqual(ranked('zyx', ['xyz.ts', 'z/x/y.ts']), []);
    assert.deepEqual(ranked('appp', ['app.ts']), []);
  });

  it('knows a folder by its own name', () => {
    assert.deepEqual(ranked('docs', ['docs/', 'docs/a.md', 'x/docsify/']), ['docs/', 'x/docsify/', 'docs/a.md']);
  });

  it('is not thrown by letters that have another length in lower case', () => {
    assert.ok(scorePath(prepare('İstanbul/app.ts'), 'app') > 0);
  });
});
