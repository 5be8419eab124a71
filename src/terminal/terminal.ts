/** One command: its output for the agent and for the card, and its end. */
import type { ExitStatus } from '../core/model/content';
import type { EventInput } from '../core/model/event';
import { fault } from '../core/model/failure';
import type { Clock } from '../core/platform/clock';
import { fittingSize, TERMINAL_SIZE, type TerminalSize } from '../core/model/terminalSize';
import { CardFeed } from './card';
import { PlainOutput } from './output';
import { InputWatch } from './inputWatch';
import type { Pty } from './pty';

/** An event about a terminal. */
export type TerminalEvent = Extract<EventInput, { type: 'terminal_update' | 'terminal_output' }>;

/** The answer to `terminal/output`. */
export interface TerminalReading {
  /** The text without escape sequences, with LF line endings, at most the limit in UTF-8 bytes. */
  readonly output: string;
  /** True when older output was cut off. */
  readonly truncated: boolean;
  /** Set once the command has ended. */
  readonly exitStatus?: ExitStatus;
}

export class Terminal {
  private readonly terminalId: string;
  private readonly pty: Pty;
  private readonly emit: (event: TerminalEvent) => void;
  private readonly output: PlainOutput;
  private readonly card: CardFeed;
  private readonly exited: Promise<ExitStatus>;
  private size = TERMINAL_SIZE;
  private exitStatus: ExitStatus | undefined;

  constructor(terminalId: string, pty: Pty, outputLimit: number | undefined, clock: Clock, emit: (event: TerminalEvent) => void) {
    this.terminalId = terminalId;
    this.pty = pty;
    this.emit = emit;
    this.output = new PlainOutput(outputLimit);
    this.card = new CardFeed(clock, (text, skipped) =>
      emit({ type: 'terminal_output', terminalId, text, ...(skipped > 0 && { skipped }) }),
    );
    // On pipes the user cannot type.
    const watch =
      pty.write &&
      new InputWatch(
        clock,
        async () => pty.readsInput?.(),
        (waiting) => this.reportWaiting(waiting),
      );
    pty.onData((chunk) => {
      watch?.output(chunk);
      this.output.push(chunk);
      this.card.push(chunk);
    });
    this.exited = new Promise((resolve) => {
      pty.onExit((exitStatus) => {
        this.exitStatus = exitStatus;
        watch?.dispose();
        this.card.flush(true);
        emit({ type: 'terminal_update', terminalId, exitStatus });
        resolve(exitStatus);
      });
    });
  }

  private reportWaiting(waiting: boolean): void {
    this.emit({ type: 'terminal_update', terminalId: this.terminalId, waiting });
  }

  get running(): boolean {
    return this.exitStatus === undefined;
  }

  read(): TerminalReading {
    const exitStatus = this.exitStatus;
    return { ...this.output.read(exitStatus !== undefined), ...(exitStatus && { exitStatus }) };
  }

  /** Resolves when the command has ended and all its output is in {@link read}. Rejects with `request.cancelled` (-32800) when aborted. */
  waitForExit(signal?: AbortSignal): Promise<ExitStatus> {
    if (!signal) {
      return this.exited;
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(fault('request.cancelled', undefined, { rpcCode: -32800 }));
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      void this.exited.then((exitStatus) => {
        signal.removeEventListener('abort', abort);
        resolve(exitStatus);
      });
    });
  }

  /** Types text. Returns false when the command has ended, or runs on a pipe. */
  write(text: string): boolean {
    if (!this.running || !this.pty.write) {
      return false;
    }
    this.pty.write(text);
    return true;
  }

  /** Sets the size for the next output. Ignored on a pipe. */
  resize(size: TerminalSize): void {
    const { columns, rows } = fittingSize(size);
    if (!this.running || !this.pty.resize || (columns === this.size.columns && rows === this.size.rows)) {
      return;
    }
    this.size = { columns, rows };
    this.pty.resize(columns, rows);
    // Output for the old size is emitted first.
    this.card.flush();
    this.emit({ type: 'terminal_update', terminalId: this.terminalId, size: this.size });
  }

  /** Ends the command with everything it started. The output is kept. */
  async end(): Promise<void> {
    await this.pty.end();
    this.card.flush(true);
  }
}
