// What Mermaid is bundled with, in the worker that draws: without what would draw elsewhere (KaTeX, the layouts of ELK), without DOMPurify, which
// needs a document that parses HTML and has nothing to do here, and with a Cytoscape that only lays out.
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
