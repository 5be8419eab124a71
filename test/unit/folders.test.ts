/** The READMEs of the folders name every existing folder and no other, and CONTRIBUTING's table of questions names only existing files. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The folders below `top` that directly contain source files, from the repository's list of files. */
function foldersOf(top: string): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', top], { cwd: root, encoding: 'utf8' });
  const sources = files
    .split('\n')
    .filter((file) => /\.(?:tsx?|css)$/.test(file) && !/tsconfig/.test(file) && existsSync(path.join(root, file)));
  return [...new Set(sources.map((file) => path.posix.dirname(file)))].sort();
}

/** The first cells of a README's rows. */
function namedIn(readme: string): string[] {
  return [...readme.matchAll(/^\| `([\w/.-]+)` \|/gm)].map(([, folder]) => folder!).sort();
}

describe('the folders', () => {
  for (const top of ['src', 'webview']) {
    it(`of ${top} are all in its README, once`, () => {
      assert.deepEqual(namedIn(read(`${top}/README.md`)), foldersOf(top));
    });
  }

  it('answer the five questions of CONTRIBUTING.md', () => {
    const rows = [...read('CONTRIBUTING.md').matchAll(/^\| [^|]+\? \| `([^`]+)` \| [^`|]*`([^`]+)` \|$/gm)];
    assert.equal(rows.length, 5);
    for (const [, folder, file] of rows) {
      assert.ok(existsSync(path.join(root, folder!, file!)), `${folder}/${file}`);
      assert.ok([...namedIn(read('src/README.md')), ...namedIn(read('webview/README.md'))].includes(folder!), folder);
    }
  });
});
