/**
 * Texts of files in the form of VS Code's documents. A document has one kind of line end and no byte order mark, so a file whose bytes a document
 * cannot reproduce is not text here. Pure.
 */
import { looksBinary } from '../turns/fileStates';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of UTF-8 bytes; undefined for binary files, invalid UTF-8, and line ends that a document would change. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (looksBinary(bytes)) {
    return undefined;
  }
  try {
    const text = utf8.decode(hasMark(bytes) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes);
    return keepsLineEnds(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Encodes a text as UTF-8, with a byte order mark where `like` has one. Undefined for lone surrogates, which UTF-8 cannot hold. */
export function encodeUtf8(text: string, like: Uint8Array): Uint8Array | undefined {
  if (!text.isWellFormed()) {
    return undefined;
  }
  const bytes = Buffer.from(text);
  return hasMark(like) ? Buffer.concat([BYTE_ORDER_MARK, bytes]) : bytes;
}

/** False for lone carriage returns and for mixed line ends: VS Code replaces them when it opens the file. */
export function keepsLineEnds(text: string): boolean {
  if (!text.includes('\r')) {
    return true;
  }
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) {
    if (text[at + 1] !== '\n') {
      return false;
    }
  }
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] !== '\r') {
      return false;
    }
  }
  return true;
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes.length >= 3 && Buffer.compare(bytes.subarray(0, 3), BYTE_ORDER_MARK) === 0;
}
