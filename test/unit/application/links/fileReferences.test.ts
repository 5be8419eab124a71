import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileReferences } from '../../../../src/application/links/fileReferences';
import { stateOf, toolCall, toolDiff } from '../../../support/events';

describe('file names in an agent’s text', () => {
  let top: string;
  let root: string;
  let more: string;
  before(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), 'references-')));
    root = path.join(top, 'work');
    more = path.join(top, 'more');
    await mkdir(path.join(root, 'src'), { recursive: true });
    await mkdir(path.join(root, 'lib'));
    await mkdir(more);
    for (const file of ['work/src/calc.js', 'work/Makefile', 'work/src/same.ts', 'work/lib/same.ts', 'more/other.md', 'secret.txt']) {
      await writeFile(path.join(top, file), 'x');
    }
    await symlink(path.join(top, 'secret.txt'), path.join(root, 'link.txt'));
  });
  after(() => rm(top, { recursive: true, force: true }));

  const ask = async (texts: string[], events: Parameters<typeof stateOf>[0] = []) =>
    fileReferences({ cwd: root, additionalDirectories: [more] }, stateOf(events), texts);
  const shown = async (texts: string[], events?: Parameters<typeof stateOf>[0]) =>
    (await ask(texts, events)).map(({ is, path: found, line }) =>
      is !== 'file'
        ? is
        : found === undefined
          ? 'as written'
          : `${path.relative(top, found).replaceAll(path.sep, '/')}${line ? `:${line}` : ''}`,
    );

  it('point to files of the session’s folders, with the line that they name', async () => {
    assert.deepEqual(await shown(['src/calc.js:2', './src/calc.js', 'Makefile', 'other.md#L3', path.join(root, 'src/calc.js')]), [
      'as written',
      'as written',
      'as written',
      'more/other.md:3',
      'as written',
    ]);
  });

  it('are ignored when there is no such file, or it must not be accessed', async () => {
    assert.deepEqual(
      await shown(['src/missing.js', 'src', 'e.g', '../secret.txt', 'link.txt', 'https://x.example/a.js', '//host/a.js', '\\\\host\\a.js']),
      [...Array.from({ length: 8 }, () => 'nothing')],
    );
  });

  it('are not looked up outside', async () => {
    assert.deepEqual(await shown([path.join(top, 'secret.txt'), '/etc/hosts', '~/notes.md', path.join(root, 'gone.ts')]), [
      'outside',
      'outside',
      'outside',
      'nothing',
    ]);
  });

  it('refer to the file of that name that a tool call has named, if there is only one', async () => {
    const read = (file: string) => toolCall(file, { locations: [{ path: path.join(root, file) }] });
    const edit = toolCall('edit', { content: [toolDiff(path.join(root, 'src/same.ts'), 'a', 'b')] });
    assert.deepEqual(await shown(['calc.js:7', 'same.ts'], [read('src/calc.js'), edit]), ['work/src/calc.js:7', 'work/src/same.ts']);
    assert.deepEqual(await shown(['same.ts', 'lib/same.ts'], [read('lib/same.ts'), edit]), ['nothing', 'as written']);
    assert.deepEqual(await shown(['gone.ts', 'secret.txt'], [read('src/gone.ts'), read('../secret.txt')]), ['nothing', 'nothing']);
  });
});
