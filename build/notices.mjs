// Writes the licences of all bundled packages.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fontNotices, grammarNotices, workerInputs } from './texts.mjs';

/** The packages whose files are copied, not bundled. */
const copied = ['node_modules/@vscode/tree-sitter-wasm'];

/**
 * Writes the licences of everything bundled, as their authors require.
 * @param {string} root of the project
 * @param {import('esbuild').Metafile[]} metafiles
 */
export async function writeNotices(root, metafiles) {
  const folders = new Set(copied);
  const inputs = [...metafiles.flatMap((metafile) => Object.keys(metafile.inputs)), ...workerInputs];
  for (const input of inputs) {
    const match = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
    if (match) folders.add(match[0]);
  }
  const notices = [...(await grammarNotices(root, inputs)), ...(await fontNotices(root, inputs))];
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'License.txt', 'LICENCE', 'license'].find((each) =>
      existsSync(path.join(root, folder, each)),
    );
    const text = file ? await readFile(path.join(root, folder, file), 'utf8') : '';
    notices.push(`${name} ${version} (${license ?? 'see below'})\n\n${text.trim()}\n`);
  }
  await writeFile(path.join(root, 'dist/THIRD-PARTY-NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
}
