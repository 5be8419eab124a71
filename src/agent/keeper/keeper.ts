/**
 * Holds the process of one agent, and connects it with one window at a time. Without a window it stores the agent's frames, waits for the next
 * window for a set time, and then ends the agent. It decides nothing else about the conversation.
 */
import { isUtf8 } from 'node:buffer';
import {
  controlText,
  eachFrame,
  frameText,
  KEEPER_PROTOCOL,
  type KeeperStart,
  readMessage,
  type ToKeeper,
} from '../../core/keeper/messages';
import type { ByteTransport, TransportEnd } from '../../core/model/transport';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { ByteFrameReader } from '../../util/frames/frameReader';
import type { FrameLog } from './frameLog';
import { type AskedRequest, KeptRequests } from './requests';

/** The agent's process; see `AgentProcess`. */
export interface HeldAgent {
  readonly transport: ByteTransport;
  readonly pid: number | undefined;
  hold(isHeld: boolean): void;
  dispose(): Promise<void>;
}

/** The connection of a window. */
export interface WindowSocket {
  /** @param text UTF-8, when it is bytes */
  send(text: string | Buffer, sent: () => void): void;
  /** Bytes that are not sent yet. */
  readonly buffered: number;
  close(): void;
}

export interface KeeperDependencies {
  readonly clock: Clock;
  readonly log: FrameLog;
  /** Starts the agent. `onStarted` and `onStderrLine` are called later. */
  start(events: { onStarted(pid: number): void; onStderrLine(line: string): void }): HeldAgent;
  /** Called once, when the agent has ended and no window needs the keeper. */
  onEnd(): void;
}

/** ms within which the window that started the keeper must attach. */
export const FIRST_WINDOW_MS = 20_000;
/** ms without a window and without a message after which an agent ends in a turn, too: it hangs, or waits because the log is full. */
export const SILENT_TURN_MS = 24 * 3_600_000;
/** ms between two looks at an agent whose turn takes longer than the idle time */
const CHECK_MS = 60_000;
/** Bytes that wait for the socket; more frames are sent when they are gone. */
const MAX_BUFFERED = 1024 * 1024;
/** Bytes of the frames in one text, so that the window's other work can run between two of them. */
const MAX_BATCH = 64 * 1024;
/** Lines of stderr that are stored for the next window. */
const MAX_LINES = 200;
const MAX_LINE = 8 * 1024;
const LF = Buffer.from('\n');

export class Keeper {
  private readonly requests = new KeptRequests();
  private readonly agent: HeldAgent;
  private readonly reader: ByteFrameReader;
  private window: WindowSocket | undefined;
  /** True when the window has attached, so that it gets frames. */
  private isAttached = false;
  private hadWindow = false;
  /** The number of the last frame that was sent to this window. */
  private sentTo = 0;
  private received = 0;
  private limits: KeeperStart['limits'];
  private note: string | undefined;
  /** True when a session needs the agent after the window. */
  private isKept = false;
  private isHeld = false;
  private end: TransportEnd | undefined;
  private isOver = false;
  private lines: string[] = [];
  private pid: number | undefined;
  private readonly startedAt: number;
  /** When the agent or a window sent something last. */
  private activeAt: number;
  private awayTimer: Disposable | undefined;
  private readonly requestTimers = new Map<AskedRequest, Disposable>();

  constructor(
    private readonly start: Pick<KeeperStart, 'id' | 'limits' | 'maxLineBytes'>,
    private readonly deps: KeeperDependencies,
  ) {
    const { clock } = deps;
    this.limits = start.limits;
    this.startedAt = this.activeAt = clock.now();
    this.reader = new ByteFrameReader(
      {
        bytes: (line) => this.fromAgent(line),
        skipped: (bytes, head, tail) => void deps.log.add(Buffer.from(JSON.stringify({ bytes, head, tail })), 'skipped'),
      },
      start.maxLineBytes,
    );
    this.agent = deps.start({
      onStarted: (pid) => {
        this.pid = pid;
        this.send(controlText({ type: 'started', pid }));
      },
      onStderrLine: (line) => this.stderr(line),
    });
    this.agent.transport.read({
      chunk: (bytes) => {
        this.activeAt = clock.now();
        this.reader.push(bytes);
        this.pump();
      },
      end: (end) => {
        this.reader.end();
        this.pump();
        this.ended(end);
      },
    });
    this.awayTimer = clock.after(FIRST_WINDOW_MS, () => this.finish());
  }

  /** True while a window is connected. */
  get hasWindow(): boolean {
    return this.window !== undefined;
  }

  /** Takes a window that has proven that it knows the token. The caller then calls {@link message} and {@link left}. */
  connect(window: WindowSocket): void {
    this.window = window;
    this.hadWindow = true;
    this.isAttached = false;
    this.awayTimer?.dispose();
    this.awayTimer = undefined;
    this.requestTimers.forEach((timer) => timer.dispose());
    this.requestTimers.clear();
    const { log } = this.deps;
    this.send(
      controlText({
        type: 'hello',
        protocol: KEEPER_PROTOCOL,
        id: this.start.id,
        keeperPid: process.pid,
        ...(this.pid !== undefined && { pid: this.pid }),
        startedAt: this.startedAt,
        acknowledged: log.stored,
        last: log.last,
        received: this.received,
        nextId: this.requests.nextId,
        requests: this.requests.list(),
        isInitialized: this.requests.initialized !== undefined,
        ...(this.note !== undefined && { note: this.note }),
      }),
    );
  }

  /** The window is gone, or has left. */
  left(window: WindowSocket): void {
    if (this.window !== window) {
      return;
    }
    this.window = undefined;
    this.isAttached = false;
    if (this.isOver) {
      return;
    }
    this.holdIfFull();
    if (!this.isKept || (this.end && this.deps.log.last === this.deps.log.stored)) {
      this.finish();
      return;
    }
    this.activeAt = this.deps.clock.now();
    this.requests.waiting.forEach((request) => this.cancelLater(request));
    this.waitForWindow();
  }

  /** Handles a text of the window. An unknown one is ignored: a later version may send more. */
  message(text: string): void {
    const message = readMessage<ToKeeper>(text);
    if (!message || this.isOver) {
      return;
    }
    if ('frames' in message) {
      eachFrame(message.frames, (n, json) => this.fromWindow(n, json));
    } else {
      this.control(message.control);
    }
  }

  /** Ends the agent and then the keeper. */
  finish(): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    this.awayTimer?.dispose();
    this.requestTimers.forEach((timer) => timer.dispose());
    // An agent that writes while it ends must not wait for a reader.
    this.agent.hold(false);
    void this.agent.dispose().then(() => {
      this.window?.close();
      this.deps.onEnd();
    });
  }

  private control(message: ToKeeper): void {
    switch (message.type) {
      case 'attach':
        return this.attach(message.from);
      case 'stored':
        return this.storedByWindow(message.n);
      case 'note':
        this.note = message.note;
        this.isKept = message.isKept;
        return;
      case 'limits':
        this.limits = message.limits;
        return;
      case 'end':
        return this.finish();
      case 'proof':
        return; // Checked before the window was connected.
    }
  }

  private attach(from: number): void {
    const { log } = this.deps;
    if (!this.window || this.isAttached || !Number.isSafeInteger(from)) {
      return;
    }
    this.isAttached = true;
    this.sentTo = Math.min(Math.max(from, log.stored), log.last);
    const repeated = this.requests.waiting.filter(({ n }) => n <= this.sentTo);
    repeated.forEach(({ n, text }) => this.send(frameText(n, text, 'r')));
    this.lines.splice(0).forEach((line) => this.send(controlText({ type: 'stderr', line })));
    this.pump();
  }

  private storedByWindow(n: number): void {
    if (!Number.isSafeInteger(n)) {
      return;
    }
    this.deps.log.drop(Math.min(n, this.sentTo));
    this.requests.stored(this.deps.log.stored);
    this.holdIfFull();
  }

  private fromWindow(n: number, json: string): void {
    // A frame that was passed on before. A new window continues the numbers.
    if (n <= this.received) {
      return;
    }
    this.received = n;
    this.activeAt = this.deps.clock.now();
    const known = this.requests.fromWindow(json);
    if (known === true) {
      this.agent.transport.write(json + '\n');
    } else if (known !== false) {
      // Not a frame of the agent: it has no number.
      this.send(frameText(0, known.answer));
    }
    this.send(controlText({ type: 'received', n }));
  }

  private fromAgent(line: Buffer): void {
    const isDamaged = !isUtf8(line);
    const bytes = isDamaged ? Buffer.from(line.toString('utf8')) : line;
    const n = this.deps.log.add(bytes, isDamaged ? 'damaged' : 'line');
    const asked = this.requests.fromAgent(n, bytes);
    if (asked && !this.window) {
      this.cancelLater(asked);
    }
  }

  private holdIfFull(): void {
    const { log } = this.deps;
    // A window that reads slowly slows the agent down, as a pipe does.
    const isAhead = this.isAttached && this.sentTo < log.last && this.window !== undefined && this.window.buffered >= MAX_BUFFERED;
    const isHeld = log.isFull || isAhead;
    if (isHeld !== this.isHeld && !this.end && !this.isOver) {
      this.isHeld = isHeld;
      this.agent.hold(isHeld);
    }
  }

  /** Sends the frames that the window does not have, as fast as it reads them. */
  private pump(): void {
    const { log } = this.deps;
    while (this.isAttached && this.window && this.sentTo < log.last && this.window.buffered < MAX_BUFFERED) {
      const batch = this.nextBatch();
      if (batch !== undefined) {
        this.window.send(batch, () => this.pump());
      }
    }
    this.holdIfFull();
    if (this.end && this.isAttached && this.sentTo === log.last) {
      this.reportEnd();
    }
  }

  /** Returns the next frames that the window does not have, as one text. Undefined when there are none. */
  private nextBatch(): Buffer | string | undefined {
    const { log } = this.deps;
    const parts: Buffer[] = [];
    let length = 0;
    while (this.sentTo < log.last && length < MAX_BATCH) {
      const n = this.sentTo + 1;
      const entry = log.read(n);
      const isWanted = entry !== undefined && !this.requests.isAnswered(n);
      if (parts.length > 0 && (!isWanted || entry.kind !== 'line')) {
        break; // The frames of a text have consecutive numbers.
      }
      this.sentTo = n;
      if (!isWanted) {
        continue;
      }
      const { kind, bytes } = entry;
      if (kind === 'skipped') {
        const facts = JSON.parse(bytes.toString('utf8')) as { readonly bytes: number; readonly head: string; readonly tail: string };
        return controlText({ type: 'skipped', n, ...facts });
      }
      if (kind === 'damaged') {
        return frameText(n, bytes.toString('utf8'), 'd');
      }
      addPart(parts, parts.length === 0 ? Buffer.from(`${n} `) : LF, bytes);
      length += bytes.length;
    }
    return parts.length > 0 ? Buffer.concat(parts) : undefined;
  }

  private reportEnd(): void {
    const { end } = this;
    if (end && this.window) {
      this.isAttached = false;
      this.send(controlText({ type: 'ended', end }));
    }
  }

  private ended(end: TransportEnd): void {
    this.end = end;
    // The window that starts an agent must learn why it ended at once.
    if (this.isOver || (!this.window && this.hadWindow && !this.isKept)) {
      this.finish();
      return;
    }
    this.pump();
    // Without a window it waits for the next one, which gets the last frames and the reason of the end.
  }

  private stderr(line: string): void {
    const text = line.slice(0, MAX_LINE);
    if (this.isAttached) {
      this.send(controlText({ type: 'stderr', line: text }));
    } else {
      this.lines = [...this.lines, text].slice(-MAX_LINES);
    }
  }

  private send(text: string): void {
    this.window?.send(text, () => undefined);
  }

  private cancelLater(request: AskedRequest): void {
    this.requestTimers.set(
      request,
      this.deps.clock.after(this.limits.requestMs, () => {
        this.requestTimers.delete(request);
        const answer = this.requests.cancel(request);
        if (answer !== undefined && !this.window) {
          this.agent.transport.write(answer + '\n');
        }
      }),
    );
  }

  private waitForWindow(): void {
    const { clock } = this.deps;
    const { mode, awayMs, idleMs } = this.limits;
    const left = mode === 'reload' ? awayMs : Math.max(this.activeAt + idleMs - clock.now(), Math.min(idleMs, CHECK_MS), 1000);
    this.awayTimer = clock.after(left, () => {
      const isIdle = clock.now() >= this.activeAt + (this.requests.hasTurn ? Math.max(idleMs, SILENT_TURN_MS) : idleMs);
      if (mode === 'reload' || this.end || isIdle) {
        this.finish();
      } else {
        this.waitForWindow();
      }
    });
  }
}

/** Adds a line. Lines that follow each other in one buffer, as most do, are copied together. */
function addPart(parts: Buffer[], before: Buffer, line: Buffer): void {
  const last = parts.at(-1);
  const end = last && last.byteOffset + last.length;
  if (last && before === LF && last.buffer === line.buffer && line.byteOffset === end! + 1) {
    parts[parts.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + 1 + line.length);
  } else {
    parts.push(before, line);
  }
}
