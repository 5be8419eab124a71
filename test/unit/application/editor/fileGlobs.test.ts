import assert from 'node:assert/strict';
import { bestName, excludedByIgnoreFile, excludedBySetting, nameGlob, oneGlob } from '../../../../src/application/editor/fileGlobs';

describe('globs of a file search', () => {
  it('find a name in either case, and match any character for one that is special in a glob', () => {
    assert.equal(nameGlob(''), '**/*');
    assert.equal(nameGlob('  '), '**/*');
    assert.equal(nameGlob('aB.1'), '**/*[aA][bB].1*');
    assert.equal(nameGlob('src/calc'), '**/*[cC][aA][lL][cC]*');
    assert.equal(nameGlob('C:\\x'), '**/*[xX]*');
    assert.equal(nameGlob('{*}[!]?,'), '**/*????????*');
    assert.equal(nameGlob('ß'), '**/*ß*');
    assert.equal(nameGlob('日本'), '**/*日本*');
  });

  it('exclude what a setting turns on', () => {
    assert.deepEqual(excludedBySetting({ '**/a': true, '**/b': false, '**/c': { when: '$(basename).ts' } }), ['**/a']);
    for (const nothing of [undefined, null, 'text', 7, []]) {
      assert.deepEqual(excludedBySetting(nothing), []);
    }
  });

  it('exclude the folders of an ignore file', () => {
    assert.deepEqual(excludedByIgnoreFile('# built\ndist/\n/out\nlogs/*.log\r\n  \n*.tmp\n'), ['**/dist', 'out', 'logs/*.log', '**/*.tmp']);
    assert.deepEqual(excludedByIgnoreFile('dist', 'packages/a/'), ['packages/a/**/dist']);
    assert.deepEqual(excludedByIgnoreFile('**\n*\n/\n{a,b}\n[ab]\na?'), []);
  });

  it('exclude nothing when an ignore file has a negation, or its folder’s name is special', () => {
    assert.deepEqual(excludedByIgnoreFile('dist/*\n!dist/keep.txt'), []);
    assert.deepEqual(excludedByIgnoreFile('dist', 'a[b]/'), []);
  });

  it('can be joined into one', () => {
    assert.equal(oneGlob([]), undefined);
    assert.equal(oneGlob(['**/a']), '**/a');
    assert.equal(oneGlob(['**/a', '**/b', '**/a']), '{**/a,**/b}');
  });
});

describe('the file that a typed name refers to', () => {
  const names = ['package.json', 'calc.test.js', 'CALC.js', 'my-calc.js', 'calc.jsx'];
  for (const [typed, expected] of [
    ['calc.js', 'CALC.js'],
    ['calc.t', 'calc.test.js'],
    ['-calc', 'my-calc.js'],
    ['pkg', 'package.json'],
    ['', 'package.json'],
    ['nothing', undefined],
  ] as const) {
    it(`“${typed}” is ${expected ?? 'none'}`, () => assert.equal(names[bestName(names, typed)], expected));
  }
});
