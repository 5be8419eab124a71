/** What the agent gets of an output: plain text, the newest bytes of it. */
import { PlainText } from '../util/plain';
import { ByteRing } from './ring';
import { completeLength, startOfCharacter } from './utf8';

/** Bytes, when the agent names no limit. */
export const DEFAULT_OUTPUT_LIMIT = 1024 * 1024;
/** Bytes an agent can ask us to hold for one command at most; what is over it counts as truncated. */
export const MAX_OUTPUT_LIMIT = 32 * 1024 * 1024;

export class PlainOutput {
  readonly #plain = new PlainText();
  readonly #ring: ByteRing;
  readonly #limit: number;

  constructor(limit: number = DEFAULT_OUTPUT_LIMIT) {
    this.#limit = Math.min(limit, MAX_OUTPUT_LIMIT);
    this.#ring = new ByteRing(this.#limit);
  }

  push(chunk: Uint8Array): void {
    this.#ring.push(this.#plain.push(chunk));
  }

  /** The text so far, at most the limit in UTF-8 bytes. @param final no more comes; until then half a character at the end waits */
  read(final: boolean): { readonly output: string; readonly truncated: boolean } {
    let bytes = this.#ring.bytes();
    if (!final) {
      bytes = bytes.subarray(0, completeLength(bytes));
    }
    const output = decode(bytes);
    // What is no UTF-8 becomes U+FFFD, which is longer than the byte it stands for.
    if (bytes.length * 3 <= this.#limit || Buffer.byteLength(output) <= this.#limit) {
      return { output, truncated: this.#ring.truncated };
    }
    const encoded = Buffer.from(output);
    return { output: decode(encoded.subarray(startOfCharacter(encoded, encoded.length - this.#limit))), truncated: true };
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
