/** Finds the boundaries of characters in UTF-8 that may be split anywhere. */

/** Returns the first index at or after `from` that is not inside a character. Skips at most three bytes, because a longer run is not UTF-8. */
export function startOfCharacter(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && index < from + 3 && (bytes[index]! & 0xc0) === 0x80) {
    index++;
  }
  return index;
}

/** Returns the length of `bytes` without an incomplete character at the end. */
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
