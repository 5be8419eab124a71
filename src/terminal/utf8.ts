/** Where characters begin and end in UTF-8 that may have been cut anywhere. */

/** The first index from `from` on that does not lie inside a character. At most three bytes are passed over: more is no UTF-8. */
export function startOfCharacter(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && index < from + 3 && (bytes[index]! & 0xc0) === 0x80) {
    index++;
  }
  return index;
}

/** The length of `bytes` without a character at its end whose last bytes are still to come. */
export function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) {
      continue;
    }
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
