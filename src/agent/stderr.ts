/** An agent's stderr: lines for the log, and the last of them for the message that says why it went away. */
import { StringDecoder } from 'node:string_decoder';
import { ByteStripper } from '../text/ansi/stripBytes';

/** UTF-16 units; a longer line is cut, with an ellipsis. */
const LINE_LIMIT = 4096;
const TAIL_LINES = 40;
/** UTF-16 units of all lines together. */
const TAIL_LIMIT = 8192;
/**
 * stdout and stderr are two pipes, read in no fixed order: a line that arrives this many ms before a frame may have been written after it.
 */
const SLACK_MS = 250;

/** Cuts bytes into lines without escape sequences, and remembers the newest. */
export class StderrReader {
  private readonly plain = new ByteStripper();
  private readonly decoder = new StringDecoder('utf8');
  private readonly now: () => number;
  private readonly onLine: (line: string) => void;
  private partial = '';
  private cut = false;
  private lastLines: { readonly line: string; readonly at: number }[] = [];
  private tailLength = 0;
  private frameAt = -Infinity;

  /** @param onLine gets every line that is not blank, without its end */
  constructor(now: () => number, onLine: (line: string) => void) {
    this.now = now;
    this.onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    const text = this.decoder.write(Buffer.from(this.plain.push(chunk)));
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.append(text.slice(start, end));
      this.endLine();
      start = end + 1;
    }
    this.append(text.slice(start));
  }

  /** No more comes: a last line without an end counts too. */
  end(): void {
    this.append(this.decoder.end());
    this.endLine();
  }

  /** Something arrived on stdout: what stderr said before it explains no later end. */
  frame(): void {
    this.frameAt = this.now();
  }

  /** The last lines since the last frame, or undefined when there are none. */
  tail(): string | undefined {
    const lines = this.lastLines.filter(({ at }) => at >= this.frameAt - SLACK_MS).map(({ line }) => line);
    return lines.length > 0 ? lines.join('\n') : undefined;
  }

  private append(text: string): void {
    const service = LINE_LIMIT - this.partial.length;
    if (text.length > service) {
      this.cut = true;
    }
    this.partial += text.slice(0, Math.max(0, service));
  }

  private endLine(): void {
    const line = this.partial.trimEnd() + (this.cut ? '…' : '');
    this.partial = '';
    this.cut = false;
    if (line === '') {
      return;
    }
    this.lastLines.push({ line, at: this.now() });
    this.tailLength += line.length;
    while (this.lastLines.length > TAIL_LINES || (this.tailLength > TAIL_LIMIT && this.lastLines.length > 1)) {
      this.tailLength -= this.lastLines.shift()!.line.length;
    }
    this.onLine(line);
  }
}
