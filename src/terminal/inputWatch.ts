/** Notices that a command waits for input: it is silent, and reads its terminal or has printed a prompt. */
import type { Clock, Disposable } from '../core/model/ports';
import { ByteStripper } from '../text/ansi/stripBytes';

/** ms of silence before the command is checked, and between checks. */
const QUIET_MS = 3000;
/** Bytes of the output's end that are searched for a prompt. */
const MAX_TAIL = 512;

/** A line that asks for something: a question, a choice, or a colon. */
const PROMPT = /(?:[?:]|[?:] ?\([^()]{1,40}\)|\[[^[\]]{1,40}\]:?|\([yYnN]\/[yYnN]\):?|password.*|press .{1,60}|(?:^|\s)>)\s*$/i;

export class InputWatch implements Disposable {
  private tail: Uint8Array = new Uint8Array(0);
  private timer: Disposable | undefined;
  /** Changes with each output: a check that took long must not speak for what came since. */
  private epoch = 0;
  private isWaiting = false;
  private isOver = false;

  /**
   * @param reads whether the command is blocked in a read of its terminal; undefined when that is not known
   * @param report the command begins, or ceases, to wait
   */
  constructor(
    private readonly clock: Clock,
    private readonly reads: () => Promise<boolean | undefined>,
    private readonly report: (waiting: boolean) => void,
  ) {
    this.schedule();
  }

  /** The command wrote something, so it works. */
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

  /** The command has ended. */
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
