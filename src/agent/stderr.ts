/** Reads an agent's stderr: lines for the log, and the last of them for the message that explains its end. */
import { StringDecoder } from 'node:string_decoder';
import { ByteStripper } from '../text/ansi/stripBytes';

/** UTF-16 units. A longer line is cut, with an ellipsis. */
const LINE_LIMIT = 4096;
const TAIL_LINES = 40;
/** UTF-16 units of all lines together. */
const TAIL_LIMIT = 8192;
/** ms that a line may arrive before a frame although it was written after it: stdout and stderr are two pipes, read in no fixed order. */
const SLACK_MS = 250;
/** ms before the end in which lines may explain it, although a frame came after them. */
const RECENT_MS = 5000;

/** Splits bytes into lines without escape sequences, and stores the newest. */
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

  /** @param onLine called with each line that is not blank, without its line break */
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

  /** Ends the stream. A last line without a line break counts, too. */
  end(): void {
    this.append(this.decoder.end());
    this.endLine();
  }

  /** Records a frame on stdout. Lines after it explain a later end better than earlier ones. */
  frame(): void {
    this.frameAt = this.now();
  }

  /** The last lines since the last frame, or those of the last seconds where there are none; undefined without both. */
  tail(): string | undefined {
    const since = (from: number): string => this.lastLines.flatMap(({ at, line }) => (at >= from ? line : [])).join('\n');
    return since(this.frameAt - SLACK_MS) || since(this.now() - RECENT_MS) || undefined;
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
