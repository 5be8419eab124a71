/** The agent's end of the wire, byte by byte and without the SDK: a test agent may write invalid messages, or no messages at all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, piecesOf } from './rawCase';
import type { Case } from './rawCase';

/** The time in ms that an answer may take on a busy machine. */
const PATIENCE_MS = 10_000;

export interface Place {
  readonly session: string;
  readonly cwd: string;
}

export class Wire {
  /** The client's answers that have not been taken yet, in the notation of `Case.answers`. */
  private answers: string[] = [];
  private waiting: (() => void) | undefined;
  private fences = 0;

  /** `onCall` receives the client's requests and notifications, with `id` as it came. */
  constructor(private readonly onCall: (method: string, params: Record<string, unknown>, id: unknown) => void) {
    let rest = '';
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach((line) => this.receive(line));
    });
  }

  write(bytes: string | Uint8Array): void {
    process.stdout.write(bytes);
  }

  send(message: object): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  }

  /** Resolves when everything written so far is with the system. */
  async drained(): Promise<void> {
    await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  }

  /** Plays a case and returns the sorted answers. */
  async play(each: Case, place: Place): Promise<string[]> {
    for (const piece of piecesOf(each, place)) {
      this.write(piece);
      if (each.cut !== undefined) {
        await this.drained();
      }
    }
    return this.take(each.answers.length);
  }

  /** The next answers, sorted: as many as `expected`, and any others that have arrived by then. */
  async take(expected: number): Promise<string[]> {
    await this.until(() => this.answers.length >= expected);
    // Requests that the client answers immediately are answered before this one.
    const fence = `"fence-${++this.fences}" -32601`;
    this.send({ id: `fence-${this.fences}`, method: '_raw/fence' });
    await this.until(() => this.answers.includes(fence));
    const taken = this.answers.filter((answer) => answer !== fence);
    this.answers = [];
    return taken.sort();
  }

  /** Resolves when an answer that begins with `start` has arrived; the answer stays in the list. */
  async answered(start: string): Promise<void> {
    await this.until(() => this.answers.some((answer) => answer.startsWith(start)));
  }

  /** True when an answer that begins with `start` has arrived, once everything before has been read. */
  async isAnswered(start: string): Promise<boolean> {
    const before = await this.take(0);
    this.answers.unshift(...before);
    return before.some((answer) => answer.startsWith(start));
  }

  /** Waits, but with a limit: a missing answer shows up when the answers are taken. */
  private async until(holds: () => boolean): Promise<void> {
    const limit = Date.now() + PATIENCE_MS;
    while (!holds() && Date.now() < limit) {
      await Promise.race([new Promise<void>((resolve) => (this.waiting = resolve)), sleep(limit - Date.now(), undefined, { ref: false })]);
    }
  }

  private receive(line: string): void {
    const { method, params, id } = JSON.parse(line) as { method?: string; params?: Record<string, unknown>; id?: unknown };
    if (method !== undefined) {
      this.onCall(method, params ?? {}, id);
    } else {
      const answer = answerOf(line);
      if (answer !== undefined) {
        this.answers.push(answer);
      }
      this.waiting?.();
    }
  }
}
