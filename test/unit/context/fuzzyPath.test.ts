import assert from 'node:assert/strict';
import { prepare, scorePath } from '../../../src/context/fuzzyPath';

/** The matching paths, the best first. */
function ranked(typed: string, paths: readonly string[]): string[] {
  return paths
    .map((path) => ({ path, score: scorePath(prepare(path), typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}

describe('the score of a path', () => {
  it('is higher for the name than for the folders, and for the whole than for parts', () => {
    assert.deepEqual(ranked('app', ['src/app/other.ts', 'lib/wrapper.ts', 'src/myApp.ts', 'src/app.ts', 'test/app']), [
      'test/app',
      'src/app.ts',
      'src/myApp.ts',
      'lib/wrapper.ts',
      'src/app/other.ts',
    ]);
  });

  it('is positive for text typed with its folders', () => {
    assert.deepEqual(ranked('src/app', ['src/application.ts', 'src/app.ts', 'app/src.ts', 'x/src/app.ts']), [
      'src/app.ts',
      'x/src/app.ts',
      'src/application.ts',
    ]);
  });

  it('is higher for letters that begin words than for scattered letters', () => {
    assert.deepEqual(ranked('mdt', ['src/medit.ts', 'src/messageDraftToken.ts', 'src/message_draft_token.ts', 'mud/at.ts']), [
      'src/messageDraftToken.ts',
      'src/message_draft_token.ts',
      'src/medit.ts',
      'mud/at.ts',
    ]);
  });

  it('is zero for letters in another order', () => {
    assert.deepEqual(ranked('zyx', ['xyz.ts', 'z/x/y.ts']), []);
    assert.deepEqual(ranked('appp', ['app.ts']), []);
  });

  it('is positive for a folder by its own name', () => {
    assert.deepEqual(ranked('docs', ['docs/', 'docs/a.md', 'x/docsify/']), ['docs/', 'x/docsify/', 'docs/a.md']);
  });

  it('handles letters whose lower case has another length', () => {
    assert.ok(scorePath(prepare('İstanbul/app.ts'), 'app') > 0);
  });
});
