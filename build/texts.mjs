// Some kinds of file reach the page as modules, because its policy forbids every fetch:
//
// - `grammar:NAME`: a TextMate grammar of tm-grammars, as JSON
// - `worker:./FILE`: that module and all its imports, bundled into the source of a worker
// - `style:FILE`: a package's style sheet, without its fonts and its rules for the page
// - `font:FILE`: a package's font, as bytes
//
// The default export of such a module is the text, or the bytes. A module that is imported by `import()` becomes a file of its own, like any other.
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { drawing } from './drawing.mjs';

/**
 * @param {import('esbuild').BuildOptions} options the options for a worker
 * @returns {import('esbuild').Plugin}
 */
export function texts(options) {
  return {
    name: 'texts',
    setup(plugin) {
      plugin.onResolve({ filter: /^grammar:/ }, ({ path: specifier, resolveDir }) =>
        plugin
          .resolve(`tm-grammars/grammars/${specifier.slice('grammar:'.length)}.json`, { resolveDir, kind: 'import-statement' })
          .then((found) => ({
            ...found,
            namespace: 'file',
            suffix: '?grammar',
          })),
      );
      plugin.onLoad({ filter: /[\\/]tm-grammars[\\/]grammars[\\/]/ }, async ({ path: file }) => ({
        contents: JSON.stringify(JSON.parse(await readFile(file, 'utf8'))),
        loader: 'text',
      }));
      plugin.onResolve({ filter: /^(?:style|font):/ }, ({ path: specifier, resolveDir }) => {
        const [kind, file] = specifier.split(':');
        return plugin
          .resolve(file, { resolveDir, kind: 'import-statement' })
          .then((found) => ({ ...found, namespace: 'file', suffix: `?${kind}` }));
      });
      plugin.onLoad({ filter: /\.css$/, namespace: 'file' }, async ({ path: file, suffix }) =>
        suffix === '?style'
          ? { contents: (await readFile(file, 'utf8')).replace(/(?:@font-face|(?<=[};]|^)body)\{[^}]*\}/g, ''), loader: 'text' }
          : undefined,
      );
      plugin.onLoad({ filter: /\.woff2$/, namespace: 'file' }, async ({ path: file }) => ({
        contents: await readFile(file),
        loader: 'binary',
      }));
      plugin.onResolve({ filter: /^worker:/ }, ({ path: specifier, resolveDir }) => ({
        path: path.resolve(resolveDir, `${specifier.slice('worker:'.length)}.ts`),
        namespace: 'worker',
      }));
      /** The built workers, with the time of the last change of their sources: a server builds again for each requested page. */
      const built = new Map();
      plugin.onLoad({ filter: /./, namespace: 'worker' }, async ({ path: file }) => {
        const kept = built.get(file);
        if (kept && (await changed(kept.result.watchFiles)) === kept.at) return kept.result;
        const { outputFiles, metafile } = await build({
          ...options,
          entryPoints: [file],
          outdir: path.dirname(file),
          format: 'iife',
          plugins: [...(options.plugins ?? []), drawing],
          splitting: false,
          sourcemap: false,
          write: false,
        });
        const root = options.absWorkingDir ?? process.cwd();
        const inputs = Object.keys(metafile.inputs);
        workerInputs.push(...inputs);
        const watchFiles = inputs.map((input) => path.join(root, input)).filter((input) => existsSync(input));
        const result = /** @type {const} */ ({ contents: outputFiles[0].text, loader: 'text', watchFiles });
        built.set(file, { result, at: await changed(watchFiles) });
        return result;
      });
    },
  };
}

/** Resolves to the number of these files and the time of the newest change. @param {readonly string[]} files */
async function changed(files) {
  const times = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => NaN,
      ),
    ),
  );
  return `${times.length} ${Math.max(...times)}`;
}

/** The sources of workers, by their paths from the root. The page's own list of inputs ends at the worker. */
export const workerInputs = /** @type {string[]} */ ([]);

/** The notice of TextMate's bundles, for grammars without a licence in tm-grammars. */
const TEXTMATE_NOTICE = `Permission to copy, use, modify, sell and distribute this software is granted.
This software is provided "as is" without express or implied warranty, and with no claim as to its suitability for any purpose.`;

/**
 * The notices of the grammars among `inputs`, as tm-grammars collects them: one per author.
 * @param {string} root
 * @param {readonly string[]} inputs paths from the root
 */
export async function grammarNotices(root, inputs) {
  const names = inputs.flatMap((input) => /tm-grammars\/grammars\/(.+\.json)/.exec(input)?.[1] ?? []);
  const missing = new Set(names);
  const notices = [];
  for (const section of (await readFile(path.join(root, 'node_modules/tm-grammars/NOTICE'), 'utf8')).split(/^={20,}$/m)) {
    const match = /^Files:([^]*?)^License:.*\nSPDX:.*\n-+\n([^]*)/m.exec(section);
    const files =
      match?.[1]
        .split(',')
        .map((file) => file.trim())
        .filter((file) => missing.delete(file)) ?? [];
    if (files.length > 0) notices.push(`TextMate grammars: ${files.join(', ')}\n\n${match?.[2].trim()}\n`);
  }
  if (missing.size > 0) notices.push(`TextMate grammars: ${[...missing].join(', ')}\n\n${TEXTMATE_NOTICE}\n`);
  return notices;
}

/**
 * The notice of KaTeX's fonts, when they are among `inputs`: their own licence, which they name in themselves and the package does not bring.
 * @param {string} root
 * @param {readonly string[]} inputs paths from the root
 */
export async function fontNotices(root, inputs) {
  if (!inputs.some((input) => input.includes('node_modules/katex/dist/fonts/'))) return [];
  return [`KaTeX fonts (OFL-1.1)\n\n${await readFile(path.join(root, 'build/katex-fonts.txt'), 'utf8')}`];
}
