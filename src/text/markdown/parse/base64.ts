/** Data of pictures and sounds as a message brings them. */

/**
 * True for what a browser decodes (Infra Standard, "forgiving-base64 decode"). Other data would be asked for all the same, and the page's console
 * complains. Each pass reads the text once: it may have megabytes.
 */
export function isBase64(data: string): boolean {
  const signs = data.replace(/[\t\n\f\r ]+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signs)) {
    return false;
  }
  return signs.endsWith('=') ? signs.length % 4 === 0 : signs.length % 4 !== 1;
}
