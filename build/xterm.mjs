// xterm makes style elements, which the page's policy wants our nonce on, and writes colours beyond its palette as style attributes, which it forbids;
// the same by the CSSOM is allowed. (Its option `documentOverride` reaches two of the three elements.) Its version is pinned: a newer one
// that does it in other places fails the build here.
import { readFile } from 'node:fs/promises';

/** @returns {import('esbuild').Plugin} */
export function xterm() {
  return {
    name: 'xterm',
    setup(plugin) {
      plugin.onLoad({ filter: /[\\/]@xterm[\\/]xterm[\\/]lib[\\/]xterm\.mjs$/ }, async ({ path: file }) => {
        let code = await readFile(file, 'utf8');
        code = replaced(code, /\.setAttribute\("style",/g, '.style.cssText=(', 1);
        code = replaced(
          code,
          /(?<![\w$.])[\w$]+(?:\.[\w$]+)*\.createElement\("style"\)/g,
          'Object.assign($&,{nonce:document.querySelector("script[nonce]")?.nonce??""})',
          3,
        );
        return { contents: code, loader: 'js' };
      });
    },
  };
}

/**
 * @param {string} code
 * @param {RegExp} pattern
 * @param {string} replacement
 * @param {number} times
 */
function replaced(code, pattern, replacement, times) {
  const found = code.match(pattern)?.length ?? 0;
  if (found !== times) throw new Error(`xterm has ${found} places of ${pattern}, not ${times}`);
  return code.replace(pattern, replacement);
}
