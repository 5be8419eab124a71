// Adapts xterm to the page's policy. xterm makes style elements, which need our nonce. It writes colours beyond its palette as style attributes,
// which the policy forbids; the CSSOM is allowed. xterm's option `documentOverride` reaches two of the three elements. The version is pinned: a newer
// one that differs in these places fails the build here.
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
