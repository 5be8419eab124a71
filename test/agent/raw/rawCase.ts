/** A case: one message on the wire and its answers. Also the helpers that create such cases. */

/**
 * The stage has the file `${cwd}/calc.js` with the text `text
 * `, and the session `${session}`.
 */
export interface Case {
  readonly name: string;
  /** A string is a line, to which a line feed is added; bytes are written as they are. Each is written separately. */
  readonly send: readonly (string | Uint8Array)[];
  /** Instead, everything is written in chunks of this many bytes. */
  readonly cut?: number;
  /** In any order: `<id as written> <code of the error>`, or `<id> <result as JSON>`. No other answer may arrive. */
  readonly answers: readonly string[];
}

/** The params of a valid request, whose answer is {@link TEXT}. */
export const PARAMS = '{"sessionId":"${session}","path":"${cwd}/calc.js"}';
export const READ = `"method":"fs/read_text_file","params":${PARAMS}`;
export const TEXT = '{"content":"text\\n"}';

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** A valid request with this id. */
export const read = (id: string): string => `{"jsonrpc":"2.0","id":${id},${READ}}`;

/** A request whose id is written in this form, and its answer's form. */
export const echoed = (name: string, id: string, back = id): Case => ({
  name: `id: ${name}`,
  send: [read(id)],
  answers: [`${back} ${TEXT}`],
});

/** One line, and one error or no answer. */
export const line = (name: string, text: string, answer?: string): Case => ({
  name,
  send: [text],
  answers: answer === undefined ? [] : [answer],
});

/** The chunks to write, with the stage's names filled in. */
export function piecesOf({ send, cut }: Case, { session, cwd }: { session: string; cwd: string }): Uint8Array[] {
  // Latin-1 maps each byte to one character and back, so that bytes that are not UTF-8 stay unchanged.
  const placed = send.map((part) => {
    const text = Buffer.from(typeof part === 'string' ? part + '\n' : part).toString('latin1');
    return Buffer.from(text.replaceAll('${session}', session).replaceAll('${cwd}', asciiJson(cwd)), 'latin1');
  });
  if (cut === undefined) {
    return placed;
  }
  const whole = Buffer.concat(placed);
  return Array.from({ length: Math.ceil(whole.length / cut) }, (_, index) => whole.subarray(index * cut, (index + 1) * cut));
}

/** The content of a JSON string, in ASCII only. */
function asciiJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One frame of the client in the notation of {@link Case.answers}; `undefined` for its own requests and notifications. */
export function answerOf(frame: string): string | undefined {
  const { id, method, error, result } = JSON.parse(frame) as { id?: unknown; method?: string; error?: { code: number }; result?: unknown };
  if (method !== undefined || id === undefined) {
    return undefined;
  }
  // The id as it is written: a parsed number would have lost digits.
  const literal = /^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|[^,]*)/.exec(frame)?.[1] ?? JSON.stringify(id);
  return `${literal} ${error === undefined ? JSON.stringify(result) : error.code}`;
}
