/** Runs ripgrep, VS Code's own search engine, and reads its answers line by line. No shell takes part. */
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** The maximum number of bytes of one line of output. A longer line is dropped: its match is in a line that no reader wants. */
const MAX_LINE = 1024 * 1024;
const MAX_ERROR = 4096;

export interface RipgrepRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The text on the standard input. */
  readonly input?: string | undefined;
  readonly signal: AbortSignal;
  /** The byte that ends a line of output. */
  readonly separator?: '\n' | '\0';
}

export interface RipgrepEnd {
  /** The number of lines that were too long. */
  readonly dropped: number;
  /** The message of ripgrep, when it could not search at all, for example because of an invalid pattern. */
  readonly problem: string | undefined;
}

/** Runs ripgrep. Ending the iteration early ends the program. Returns after an abort without an error. */
export async function* ripgrep(run: RipgrepRun): AsyncGenerator<string, RipgrepEnd> {
  const { program, args, cwd, input, signal, separator = '\n' } = run;
  const child = spawn(program, [...args], { cwd, windowsHide: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let message = '';
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      message ||= error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  child.stderr.setEncoding('utf8').on('data', (text: string) => (message = (message + text).slice(0, MAX_ERROR)));
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) {
    stop();
  }
  const counts = { dropped: 0, lines: 0 };
  try {
    for await (const line of linesOf(child.stdout, separator, counts)) {
      counts.lines++;
      yield line;
    }
    const code = await ended;
    // Code 2 also means that some files could not be read. Then there may be answers.
    const isFailure = !signal.aborted && (code === null || code > 1) && counts.lines === 0 && message !== '';
    return { dropped: counts.dropped, problem: isFailure ? message.trim() : undefined };
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

async function* linesOf(stream: Readable, separator: string, counts: { dropped: number }): AsyncGenerator<string> {
  const end = separator.charCodeAt(0);
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(end); at >= 0; at = chunk.indexOf(end, from)) {
      const length = size + at - from;
      if (length > MAX_LINE) {
        counts.dropped++;
      } else {
        yield Buffer.concat([...parts, chunk.subarray(from, at)]).toString('utf8');
      }
      [parts, size, from] = [[], 0, at + 1];
    }
    size += chunk.length - from;
    // The rest of a line that is too long is not collected.
    parts = size > MAX_LINE ? [] : [...parts, chunk.subarray(from)];
  }
}
