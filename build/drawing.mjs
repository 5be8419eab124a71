// Replaces packages that Mermaid imports, in the worker that draws. KaTeX and the layouts of ELK draw elsewhere. DOMPurify needs a document that
// parses HTML and has no task here. Cytoscape only lays out.
import path from 'node:path';

const instead = /** @type {Record<string, string>} */ ({
  katex: 'stubs.ts',
  dompurify: 'stubs.ts',
  'elkjs/lib/elk.bundled.js': 'stubs.ts',
  cytoscape: 'cytoscape.ts',
});

/** @type {import('esbuild').Plugin} */
export const drawing = {
  name: 'drawing',
  setup(plugin) {
    plugin.onResolve({ filter: /^(?:katex|dompurify|elkjs\/lib\/elk\.bundled\.js|cytoscape)$/ }, ({ path: specifier, resolveDir }) =>
      // Only for others: ours says what it means.
      resolveDir.includes('node_modules')
        ? { path: path.resolve(plugin.initialOptions.absWorkingDir ?? '.', 'webview/markdown/mermaid', instead[specifier]) }
        : undefined,
    );
  },
};
