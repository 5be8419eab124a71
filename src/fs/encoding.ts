import type { StoredFile, TextEdit } from './buffers';

/**
 * The editor's encodings. Names are VS Code's (`utf8`, `utf8bom`, `utf16le`, `windows1252`, …). Without a name the encoding is detected, or taken
 * from the settings.
 */
export interface Codec {
  /** Decodes a whole file, without a byte order mark. Rejects when it is binary. */
  decode(bytes: Uint8Array, path: string, encoding?: string): Promise<string>;
  /** Encodes a text. Adds the byte order mark that belongs to the encoding. */
  encode(text: string, path: string, encoding?: string): Promise<Uint8Array>;
}

/** The detected encoding of a file. */
export interface Encoding {
  encode(text: string): Promise<Uint8Array>;
  decode(bytes: Uint8Array): Promise<string>;
}

/**
 * The encodings to try. Decoding does not report which encoding it chose, so the one that reproduces the same bytes is searched for. The
 * configured encoding comes first, then those found by a byte order mark or `files.autoGuessEncoding`. If two encodings match, the file's bytes
 * are the same in both.
 */
const CANDIDATES: readonly (string | undefined)[] = [
  undefined,
  'utf8',
  'utf8bom',
  'utf16le',
  'utf16be',
  'windows1252',
  'iso88591',
  'iso885915',
  'shiftjis',
  'eucjp',
  'gb18030',
  'gbk',
  'big5hkscs',
  'cp950',
  'euckr',
  'windows1251',
  'koi8r',
  'koi8u',
  'iso88595',
  'cp866',
  'windows1250',
  'iso88592',
  'cp852',
  'windows1253',
  'iso88597',
  'windows1254',
  'iso88599',
  'windows1255',
  'iso88598',
  'windows1256',
  'iso88596',
  'windows1257',
  'windows1258',
  'windows874',
  'iso885911',
  'macroman',
  'cp437',
  'cp850',
];

/** Resolves to undefined when no encoding reproduces the file's bytes: some of them are not valid text in the encoding it was read in. */
export async function encodingOf(codec: Codec, { bytes, text }: StoredFile, path: string): Promise<Encoding | undefined> {
  const mark = markOf(bytes);
  const marked = mark && { utf8: 'utf8bom', utf16le: 'utf16le', utf16be: 'utf16be' }[mark.encoding];
  // A replacement character represents invalid bytes. No encoding would reproduce them, except by chance.
  const candidates = marked ? [marked] : text.includes('\uFFFD') ? CANDIDATES.slice(0, 5) : CANDIDATES;
  for (const name of candidates) {
    const encode = (part: string) => codec.encode(part, path, name);
    const reencoded = await encode(text);
    if (equal(reencoded, bytes)) {
      return { encode, decode: (part) => codec.decode(part, path, name) };
    }
    const added = markOf(reencoded);
    // Keeps UTF-16 without a mark, or the missing mark although the setting adds one.
    if (added && !mark && equal(reencoded.subarray(added.length), bytes)) {
      const { length } = added;
      return {
        encode: async (part) => (await encode(part)).subarray(length),
        decode: (part) => codec.decode(Buffer.concat([reencoded.subarray(0, length), part]), path, name),
      };
    }
  }
  return undefined;
}

/**
 * Applies the edits to the bytes of a UTF-8 file with invalid bytes (such as an old Latin-1 comment), and keeps those. Returns undefined when an
 * edit removes invalid bytes, or inserts characters that are not ASCII.
 */
export function withEditedBytes({ bytes, text }: StoredFile, edits: readonly TextEdit[]): Uint8Array | undefined {
  const mark = markOf(bytes);
  if (mark && mark.encoding !== 'utf8') {
    return undefined;
  }
  const offsets = byteOffsets(bytes.subarray(mark?.length ?? 0), text);
  if (!offsets) {
    return undefined;
  }
  const parts: Uint8Array[] = mark ? [bytes.subarray(0, mark.length)] : [];
  const body = bytes.subarray(mark?.length ?? 0);
  let at = 0;
  for (const { start, end, text: inserted } of edits) {
    if (text.slice(start, end).includes('\uFFFD') || !/^[\0-\x7f]*$/.test(inserted)) {
      return undefined;
    }
    parts.push(body.subarray(offsets[at]!, offsets[start]!), Buffer.from(inserted));
    at = end;
  }
  parts.push(body.subarray(offsets[at]!));
  return Buffer.concat(parts);
}

/** Returns the offset in `bytes` of each character of `text`, and the end. Undefined when `text` is not the result of decoding them as UTF-8. */
function byteOffsets(bytes: Uint8Array, text: string): Uint32Array | undefined {
  const offsets = new Uint32Array(text.length + 1);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let at = 0;
  for (let unit = 0; unit < text.length; ) {
    const width = text.codePointAt(unit)! > 0xffff ? 2 : 1;
    offsets.fill(at, unit, unit + width);
    unit += width;
    at = next(bytes, at);
  }
  offsets[text.length] = at;
  return at === bytes.length && decoder.decode(bytes) === text ? offsets : undefined;
}

/** Returns the end of the character at `at`, or of the invalid bytes there that become one U+FFFD (by the rules of the Encoding Standard). */
function next(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const more = lead >= 0xc2 && lead <= 0xdf ? 1 : lead >= 0xe0 && lead <= 0xef ? 2 : lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
  let low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  let end = at + 1;
  for (let index = 0; index < more; index++, end++) {
    const byte = bytes[end];
    if (byte === undefined || byte < low || byte > high) {
      return end;
    }
    [low, high] = [0x80, 0xbf];
  }
  return end;
}

/** Returns the byte order mark at the beginning of `bytes`. */
function markOf(bytes: Uint8Array): { encoding: 'utf8' | 'utf16le' | 'utf16be'; length: number } | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return { encoding: 'utf8', length: 3 };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { encoding: 'utf16le', length: 2 };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return { encoding: 'utf16be', length: 2 };
  }
  return undefined;
}

/** True when decoding failed because the file is binary: VS Code's error says so, or there is a NUL near the start. */
export function looksBinary(bytes: Uint8Array, error: unknown): boolean {
  const STREAM_IS_BINARY = 1;
  return (
    (error as { decodeStreamErrorKind?: unknown } | undefined)?.decodeStreamErrorKind === STREAM_IS_BINARY ||
    bytes.subarray(0, 1024).includes(0)
  );
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
