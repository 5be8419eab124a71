// The output files of a build that are loaded together.

/**
 * Returns the output files of these late modules.
 * @param {import('esbuild').Metafile} metafile
 * @param {string[]} sources modules that are imported by `import()`
 */
export function entryFiles(metafile, sources) {
  return Object.keys(metafile.outputs).filter((file) => sources.includes(metafile.outputs[file]?.entryPoint ?? ''));
}

/**
 * Returns `entries` and all output files that they import statically.
 * @param {import('esbuild').Metafile} metafile
 * @param {string[]} entries output paths
 */
export function firstLoad(metafile, entries) {
  const seen = new Set();
  const visit = (/** @type {string} */ file) => {
    const output = metafile.outputs[file];
    if (!output || seen.has(file)) return;
    seen.add(file);
    for (const { path: imported, kind } of output.imports) if (kind !== 'dynamic-import') visit(imported);
  };
  entries.forEach(visit);
  return [...seen];
}
