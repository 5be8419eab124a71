/** The text of a response, within a bound. */

/** Bytes of an error's text that are read. */
const MAX_ERROR_BYTES = 8 * 1024;

/** The beginning of a text of an error. A stream that breaks gives what it had. */
export async function firstText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const { text } = await boundedText(body, MAX_ERROR_BYTES).catch(() => ({ text: '' }));
  return text;
}

/** The text of at most `limit` bytes. `isCut`: there was more, which was not read. */
export async function boundedText(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size > limit) {
      break;
    }
  }
  return { text: Buffer.concat(parts).subarray(0, limit).toString('utf8'), isCut: size > limit };
}
