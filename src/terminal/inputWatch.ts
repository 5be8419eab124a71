/** Detects that a command waits for input: it is silent, and reads its terminal or has printed a prompt. */
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { ByteStripper } from '../text/ansi/stripBytes';

/** The time in ms of silence before the command is checked, and between checks. */
const QUIET_MS = 3000;
/** The number of bytes at the end of the output that are searched for a prompt. */
const MAX_TAIL = 512;

/** Matches a line that asks for something: a question, a choice, or a colon. */
const PROMPT = /(?:[?:]|[?:] ?\([^()]{1,40}\)|\[[^[\]]{1,40}\]:?|\([yYnN]\/[yYnN]\):?|password.*|press .{1,60}|(?:^|\s)>)\s*$/i;

export class InputWatch implements Disposable {
  private tail: Uint8Array = new Uint8Array(0);
  private timer: Disposable | undefined;
  /** Changes with each output, so that a slow check does not report a state before newer output. */
  private epoch = 0;
  private isWaiting = false;
  private isOver = false;

  /**
   * @param reads resolves to true when the command is blocked in a read of its terminal, undefined when that is unknown
   * @param report called when the command begins or stops waiting
   */
  constructor(
    private readonly clock: Clock,
    private readonly reads: () => Promise<boolean | undefined>,
    private readonly report: (waiting: boolean) => void,
  ) {
    this.schedule();
  }

  /** Called with the command's output, which shows that the command works. */
  output(chunk: Uint8Array): void {
    if (this.isOver || chunk.length === 0) {
      return;
    }
    this.epoch++;
    const joined = chunk.length >= MAX_TAIL ? chunk : Buffer.concat([this.tail, chunk]);
    this.tail = joined.slice(-MAX_TAIL);
    this.set(false);
    this.schedule();
  }

  /** Called when the command has ended. */
  dispose(): void {
    this.isOver = true;
    this.timer?.dispose();
    this.set(false);
  }

  private schedule(): void {
    this.timer?.dispose();
    this.timer = this.clock.after(QUIET_MS, () => void this.check());
  }

  private async check(): Promise<void> {
    const { epoch } = this;
    const reads = await this.reads().catch(() => undefined);
    if (this.isOver || epoch !== this.epoch) {
      return;
    }
    this.set(reads ?? this.endsWithPrompt());
    this.schedule();
  }

  private endsWithPrompt(): boolean {
    const plain = new ByteStripper().push(this.tail);
    const line = Buffer.from(plain).toString().split('\n').at(-1) ?? '';
    return line.trim() !== '' && PROMPT.test(line);
  }

  private set(waiting: boolean): void {
    if (this.isWaiting !== waiting) {
      this.isWaiting = waiting;
      this.report(waiting);
    }
  }
}
