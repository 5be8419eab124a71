/** The data of pictures and sounds in a message. */

/**
 * True for data that a browser decodes (Infra Standard, "forgiving-base64 decode"). A browser would request other data anyway and log an error to the
 * page's console. Each pass reads the text once, because it may have megabytes.
 */
export function isBase64(data: string): boolean {
  const signs = data.replace(/[\t\n\f\r ]+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signs)) {
    return false;
  }
  return signs.endsWith('=') ? signs.length % 4 === 0 : signs.length % 4 !== 1;
}
