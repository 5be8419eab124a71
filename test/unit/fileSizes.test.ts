/** A file should have one reason to change. A file of more than 400 lines has several. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const MOST_LINES = 400;

/** The sources and tests that the repository has. Files that only hold data (JSON, texts, fixtures) may be as long as the data is. */
function sources(): string[] {
  const tops = ['src', 'webview', 'test', 'build', 'esbuild.mjs', 'oxlint.config.mjs'];
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...tops], { cwd: root, encoding: 'utf8' });
  return files
    .split('\n')
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !file.startsWith('test/fixtures/') && existsSync(path.join(root, file)));
}

/** One message for each file that is too long. */
function tooLong(files: readonly (readonly [name: string, text: string])[]): string[] {
  return files.flatMap(([name, text]) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    return lines > MOST_LINES ? [`${name} has ${lines} lines, ${MOST_LINES} at most`] : [];
  });
}

describe('file sizes', () => {
  const lines = (count: number): string => 'x\n'.repeat(count);

  it('stay small', () => {
    const files = sources();
    assert.ok(files.length > 700, String(files.length));
    assert.deepEqual(tooLong(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')])), []);
  });

  it('report a file that is too long', () => {
    assert.deepEqual(
      tooLong([
        ['a.ts', lines(MOST_LINES)],
        ['b.ts', lines(MOST_LINES + 1)],
        ['c.ts', `${lines(MOST_LINES)}x`],
      ]),
      ['b.ts has 401 lines, 400 at most', 'c.ts has 401 lines, 400 at most'],
    );
  });
});
