// `folder:./FOLDER`: the default exports of all modules in a folder, by the names of their files. A file that is added to the folder needs no list.
// The modules are imported statically, so that they are bundled like modules of a list. `test/support/tsx.cjs` does the same for Node.js.
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** @returns {import('esbuild').Plugin} */
export function folders() {
  return {
    name: 'folders',
    setup(plugin) {
      const root = plugin.initialOptions.absWorkingDir ?? process.cwd();
      // The path is relative, because it is part of the output.
      plugin.onResolve({ filter: /^folder:/ }, ({ path: specifier, resolveDir }) => ({
        path: path.relative(root, path.resolve(resolveDir, specifier.slice('folder:'.length))),
        namespace: 'folder',
      }));
      plugin.onLoad({ filter: /./, namespace: 'folder' }, async ({ path: relative }) => {
        const folder = path.join(root, relative);
        const files = (await readdir(folder)).filter((file) => /\.tsx?$/.test(file));
        const names = files.map((file) => path.parse(file).name).sort();
        const imports = names.map((name, index) => `import module${index} from ${JSON.stringify(`./${name}`)};`);
        const members = names.map((name, index) => `${JSON.stringify(name)}: module${index}`);
        return { contents: `${imports.join('\n')}\nexport default { ${members.join(', ')} };`, resolveDir: folder, watchDirs: [folder] };
      });
    },
  };
}
