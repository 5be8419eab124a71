import assert from 'node:assert/strict';
import { headingOf, plainTitle } from '../../../../src/core/approval/heading';

describe('the heading of a question', () => {
  const rows: [title: string, texts: string[], heading: string][] = [
    ['npm test', ['npm test'], ''],
    ['Run npm test', ['npm test'], ''],
    ['Run `npm test` in web', ['npm test'], 'Run … in web'],
    ['Bash: npm test', ['npm test'], ''],
    ['"npm test"', ['npm test'], ''],
    ['Run the tests', ['npm test'], 'Run the tests'],
    ['Run npm test:unit', ['npm test'], 'Run …:unit'],
    ['Renpm test', ['npm test'], 'Renpm test'],
    ['ls', ['ls -la'], 'ls'],
    ['npm run build && npm ru…', ['npm run build && npm run deploy'], ''],
    ['npm run...', ['npm run build'], 'npm run...'],
    ['Edit src/a.ts', ['/w/src/a.ts', 'src/a.ts'], 'Edit'],
    ['Edit /w/src/a.ts', ['/w/src/a.ts', 'src/a.ts'], 'Edit'],
    ['Edit src/a.tsx', ['src/a.ts'], 'Edit src/a.tsx'],
    ['Edit lib/src/a.ts', ['src/a.ts'], 'Edit lib/src/a.ts'],
    ['Move a.ts to b.ts', ['a.ts', 'b.ts'], 'Move'],
    ['Fix add: a + b in src/a.ts', ['src/a.ts'], 'Fix add: a + b'],
    ['Sign in', ['src/a.ts'], 'Sign in'],
    ['Delete all', [], 'Delete all'],
    ['', ['x'], ''],
  ];
  for (const [title, texts, heading] of rows) {
    it(`“${title}” without ${JSON.stringify(texts)}`, () => assert.equal(headingOf(title, texts), heading));
  }

  it('contains Markdown syntax only if it belongs to a command', () => {
    const plain: [title: string, kind: string | undefined, command: string | undefined, words: string][] = [
      ['Edit `src/a.ts`', 'edit', undefined, 'Edit src/a.ts'],
      ['**Delete** _everything_ in [dist](file:///dist)', 'delete', undefined, 'Delete everything in dist'],
      ['Run `npm test`', 'execute', 'npm test', 'Run npm test'],
      ['echo `date`', 'execute', 'echo `date`', 'echo `date`'],
      ['echo `date`', 'execute', undefined, 'echo `date`'],
      ['`npm test`', 'execute', undefined, 'npm test'],
      ['Find `**/*.ts` and **/*.js', 'search', undefined, 'Find **/*.ts and **/*.js'],
      ['Read __init__.py', 'read', undefined, 'Read __init__.py'],
      ['call my_own_name', 'other', undefined, 'call my_own_name'],
      ['2 * 3 * 4', undefined, undefined, '2 * 3 * 4'],
      ['Read\n  a.ts', 'read', undefined, 'Read a.ts'],
      ['Read /w/a.ts', 'read', undefined, 'Read a.ts'],
    ];
    for (const [title, kind, command, words] of plain) {
      assert.equal(plainTitle(title, '/w', kind, command), words);
    }
  });

  it('is computed quickly for any title', () => {
    const started = performance.now();
    for (const sign of ['*', '_', '`', '[', '](', '** ', '_a', '*a']) {
      plainTitle(sign.repeat(1_000_000), '/w', 'other');
      headingOf(plainTitle(sign.repeat(4000), '/w', 'other'), [sign.repeat(2000), sign]);
    }
    assert.ok(performance.now() - started < 2000, `${performance.now() - started} ms`);
  });
});
