/**
 * Holds the process of one agent, and connects it with one window at a time. Without a window it stores the agent's frames, waits for the next
 * window for a set time, and then ends the agent. It decides nothing else about the conversation.
 */
import {
  controlText,
  type Frame,
  frameText,
  KEEPER_PROTOCOL,
  type KeeperStart,
  readMessage,
  type ToKeeper,
} from '../../core/keeper/messages';
import type { ByteTransport, TransportEnd } from '../../core/model/transport';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { FrameReader } from '../../util/frames/frameReader';
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
  send(text: string, sent: () => void): void;
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
/** Bytes that wait for the socket; more frames are sent when they are gone. */
const MAX_BUFFERED = 4 * 1024 * 1024;
/** Lines of stderr that are stored for the next window. */
const MAX_LINES = 200;
const MAX_LINE = 8 * 1024;

/** A frame of the log: a line of the agent, or the facts about one that was too long. */
const LINE = 'l';
const DAMAGED = 'd';
const SKIPPED = 's';

export class Keeper {
  private readonly requests = new KeptRequests();
  private readonly agent: HeldAgent;
  private readonly reader: FrameReader;
  private window: WindowSocket | undefined;
  /** True when the window has attached, so that it gets frames. */
  private isAttached = false;
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
    this.activeAt = clock.now();
    this.reader = new FrameReader(
      {
        line: (text, damaged) => this.fromAgent(text, damaged),
        skipped: (bytes, head, tail) => this.store(SKIPPED + JSON.stringify({ bytes, head, tail })),
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
      chunk: (bytes) => this.reader.push(bytes),
      end: (end) => {
        this.reader.end();
        this.ended(end);
      },
    });
    this.awayTimer = clock.after(FIRST_WINDOW_MS, () => this.finish());
  }

  /** True while a window is connected. */
  get hasWindow(): boolean {
    return this.window !== undefined;
  }

  /** Takes a window whose token was checked. The caller then calls {@link message} and {@link left}. */
  connect(window: WindowSocket): void {
    this.window = window;
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
    if ('frame' in message) {
      this.fromWindow(message.frame);
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

  private fromWindow({ n, json }: Frame): void {
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

  private fromAgent(text: string, isDamaged: boolean): void {
    const n = this.store((isDamaged ? DAMAGED : LINE) + text);
    const asked = this.requests.fromAgent(n, text);
    if (asked && !this.window) {
      this.cancelLater(asked);
    }
  }

  private store(entry: string): number {
    this.activeAt = this.deps.clock.now();
    const n = this.deps.log.add(entry);
    this.pump();
    this.holdIfFull();
    return n;
  }

  private holdIfFull(): void {
    const { isFull } = this.deps.log;
    if (isFull !== this.isHeld && !this.end && !this.isOver) {
      this.isHeld = isFull;
      this.agent.hold(isFull);
    }
  }

  /** Sends the frames that the window does not have, as fast as it reads them. */
  private pump(): void {
    const { log } = this.deps;
    while (this.isAttached && this.window && this.sentTo < log.last && this.window.buffered < MAX_BUFFERED) {
      const n = this.sentTo + 1;
      const entry = log.read(n);
      this.sentTo = n;
      if (entry && !this.requests.isAnswered(n)) {
        this.window.send(textOf(n, entry.text), () => this.pump());
      }
    }
    if (this.end && this.isAttached && this.sentTo === log.last) {
      this.reportEnd();
    }
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
    if (this.isOver || (!this.window && !this.isKept)) {
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
    const left = mode === 'reload' ? awayMs : Math.max(this.activeAt + idleMs - clock.now(), 1000);
    this.awayTimer = clock.after(left, () => {
      const isIdle = !this.requests.hasTurn && clock.now() >= this.activeAt + idleMs;
      if (mode === 'reload' || this.end || isIdle) {
        this.finish();
      } else {
        this.waitForWindow();
      }
    });
  }
}

function textOf(n: number, entry: string): string {
  const text = entry.slice(1);
  if (entry.startsWith(SKIPPED)) {
    const facts = JSON.parse(text) as { readonly bytes: number; readonly head: string; readonly tail: string };
    return controlText({ type: 'skipped', n, ...facts });
  }
  return frameText(n, text, entry.startsWith(DAMAGED) ? 'd' : '');
}
