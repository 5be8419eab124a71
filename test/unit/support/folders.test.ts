/** The modules of a folder, in a bundle and in these tests. */
import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

describe('the import of a folder', () => {
  let folder: string;
  let entry: string;

  before(() => {
    mkdirSync(path.join(root, 'out/test'), { recursive: true });
    folder = mkdtempSync(path.join(root, 'out/test/folders-'));
    mkdirSync(path.join(folder, 'parts'));
    writeFileSync(path.join(folder, 'parts/second.tsx'), 'export default 2;');
    writeFileSync(path.join(folder, 'parts/first.ts'), 'export const other = 0;\nexport default 1;');
    writeFileSync(path.join(folder, 'parts/notes.txt'), 'No module.');
    entry = path.join(folder, 'entry.ts');
    writeFileSync(entry, "import parts from 'folder:./parts';\nexport const found = Object.entries(parts);\n");
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has the default exports by the names of the files, in their order', () => {
    const { found } = createRequire(__filename)(entry) as { readonly found: unknown };
    assert.deepEqual(found, [
      ['first', 1],
      ['second', 2],
    ]);
  });

  it('is the same in a bundle, without code that nothing uses', async () => {
    const { folders } = (await import('../../../build/folders.mjs' as string)) as { folders(): import('esbuild').Plugin };
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outdir: folder,
      bundle: true,
      format: 'cjs',
      metafile: true,
      plugins: [folders()],
      write: false,
    });
    const module = { exports: {} as { found?: unknown } };
    new Function('module', outputFiles[0]!.text)(module);
    assert.deepEqual(module.exports.found, [
      ['first', 1],
      ['second', 2],
    ]);
    assert.doesNotMatch(outputFiles[0]!.text, /other/);
    assert.ok(Object.keys(metafile.inputs).every((input) => !path.isAbsolute(input.replace(/^folder:/, ''))));
  });
});
