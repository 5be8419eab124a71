/**
 * The transport to an agent that the keeper holds (docs/decisions/processes/keeper.md). Frames have numbers in both directions. The ones of the agent
 * are acknowledged when the window has stored their events.
 */
import type { KeptAgent, KeptAgentEvents } from '../../../core/keeper/keptAgent';
import {
  CHALLENGE_HEADER,
  controlText,
  eachFrame,
  frameText,
  type KeeperHello,
  type KeepLimits,
  type KeptRequest,
  readMessage,
  type ToKeeper,
  type ToWindow,
} from '../../../core/keeper/messages';
import { fault } from '../../../core/model/failure';
import type { MessageReader, MessageTransport, TransportDescription, TransportEnd } from '../../../core/model/transport';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { isChallenge, isProof, newChallenge, proofOf } from '../../../util/sockets/mutualProof';
import type { OpenSocket, Socket } from '../remote/ports';

export interface KeptTransportOptions {
  /** The socket's path, or the name of a pipe. */
  readonly address: string;
  readonly token: string;
  readonly maxBytes: number;
  readonly description: TransportDescription;
  /** Called when the connection to the keeper is lost before the agent's end: the agent must not outlive it. */
  onLost?(pid: number | undefined): void;
}

/** ms for the connection, the proofs and the keeper's description of its agent. */
const OPEN_MS = 10_000;
/** ms in which an agent that was asked to end may do so. */
const END_MS = 15_000;

/** ms in which the keeper closes the connection by itself. */
const CLOSE_MS = 1000;

type Reader = MessageReader & { end(end: TransportEnd): void };

/** Connects to a keeper. Resolves when it has described its agent. Rejects with a `Fault` when there is no keeper, or it does not take this window. */
export function connectToKeeper(options: KeptTransportOptions, open: OpenSocket, clock: Clock): Promise<KeptTransport> {
  return new Promise((resolve, reject) => {
    let transport: KeptTransport | undefined;
    const refuse = (reason: string): void => {
      timer.dispose();
      reject(fault('connection.closed', undefined, { detail: reason }));
    };
    const timer = clock.after(OPEN_MS, () => {
      refuse('The keeper does not answer.');
      socket.close();
    });
    const url = `ws+unix:${options.address}:/`;
    const { token } = options;
    const own = newChallenge();
    let isProven = false;
    const settings = { headers: { [CHALLENGE_HEADER]: own }, maxBytes: options.maxBytes * 2 };
    const socket: Socket = open(url, settings, {
      open: () => undefined,
      text: (data) => {
        const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
        if (transport) {
          transport.receive(text);
          return;
        }
        const message = readMessage<ToWindow>(text);
        const control = message && 'control' in message ? message.control : undefined;
        if (isProven && control?.type === 'hello') {
          timer.dispose();
          transport = new KeptTransport(socket, control, options, clock);
          resolve(transport);
        } else if (!isProven && control?.type === 'challenge') {
          const challenges = [own, control.challenge] as const;
          isProven = isChallenge(control.challenge) && isProof(control.proof, token, 'listening', challenges);
          if (isProven) {
            socket.send(controlText({ type: 'proof', proof: proofOf(token, 'connecting', challenges) }));
          } else {
            refuse('Another program listens where the keeper did.');
            socket.close();
          }
        }
      },
      refused: ({ status }) => {
        refuse(`The keeper refuses the connection: ${status}`);
        socket.close();
      },
      closed: ({ error, reason }) => {
        if (transport) {
          transport.lost();
        } else {
          refuse(error === undefined ? (reason ?? '') : String(error));
        }
      },
    });
  });
}

export class KeptTransport implements MessageTransport, KeptAgent {
  readonly requests: readonly KeptRequest[];
  readonly keeperPid: number;
  readonly startedAt: number | undefined;
  readonly nextId: number;
  servers: NonNullable<KeptAgent['servers']> = {};
  beforeSend: (() => Promise<void> | undefined) | undefined;
  private reader: Reader | undefined;
  private readonly early: string[] = [];
  /** The number of the last frame to the agent. */
  private sent: number;
  /** Texts that wait until the conversation has what caused them. */
  private sending: string[] | undefined;
  /** The frames that the reader has and that are not handled yet. Their number is 0 for texts that are no new frames of the agent. */
  private readonly unhandled: { readonly n: number; readonly isRepeated?: boolean }[] = [];
  private isHandling = false;
  private handled: number;
  private acknowledged: number;
  private hasLeft = false;
  private isOver = false;
  private isEnding = false;
  private pid: number | undefined;
  private events: KeptAgentEvents = { onStderrLine: () => undefined };
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly socket: Socket,
    readonly hello: KeeperHello,
    private readonly options: KeptTransportOptions,
    private readonly clock: Clock,
  ) {
    this.requests = hello.requests;
    this.keeperPid = hello.keeperPid;
    this.startedAt = hello.startedAt;
    this.nextId = hello.nextId;
    this.pid = hello.pid;
    this.sent = hello.received;
    this.handled = this.acknowledged = hello.acknowledged;
  }

  get position(): KeptAgent['position'] {
    return {
      id: this.hello.id,
      handling: this.isHandling ? this.unhandled[0]?.n || undefined : undefined,
      handled: this.handled,
      isRepeated: this.isHandling && this.unhandled[0]?.isRepeated === true,
    };
  }

  /** Sets the receivers of the facts about the process, before {@link read}. */
  listen(events: KeptAgentEvents): void {
    this.events = events;
  }

  /** Sets how long the agent runs without a window. */
  limit(limits: KeepLimits): void {
    this.control({ type: 'limits', limits });
  }

  /** Asks for the agent's frames after the last one that a window has stored. */
  attach(): void {
    this.control({ type: 'attach', from: this.hello.acknowledged });
  }

  read(reader: Reader): void {
    this.reader = reader;
    if (this.pid !== undefined) {
      this.events.onStarted?.(this.pid);
    }
    queueMicrotask(() => this.early.splice(0).forEach((text) => this.receive(text)));
  }

  write(json: string): boolean {
    if (this.isOver || this.hasLeft) {
      return false;
    }
    if (this.sending) {
      this.sending.push(json);
      return true;
    }
    const stored = this.beforeSend?.();
    if (stored) {
      this.sending = [json];
      void stored.then(() => this.flush());
    } else {
      this.frame(json);
    }
    return true;
  }

  handling(isHandling: boolean): void {
    this.isHandling = isHandling;
    if (isHandling) {
      return;
    }
    const n = this.unhandled.shift()?.n ?? 0;
    if (n > this.handled) {
      this.handled = n;
      this.listeners.forEach((listener) => listener());
    }
  }

  onHandled(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  stored(n: number): void {
    if (n > this.acknowledged && !this.isOver) {
      this.acknowledged = n;
      this.control({ type: 'stored', n });
    }
  }

  note(note: string, isKept: boolean): void {
    this.control({ type: 'note', note, isKept });
  }

  leave(): void {
    if (!this.hasLeft) {
      this.hasLeft = true;
      this.sending?.forEach((json) => this.frame(json));
      this.sending = undefined;
      this.socket.close();
    }
  }

  close(): void {
    if (this.isOver || this.hasLeft || this.isEnding) {
      return;
    }
    this.isEnding = true;
    this.control({ type: 'end' });
    this.clock.after(END_MS, () => {
      this.socket.close();
      this.finish({});
    });
  }

  describe(): TransportDescription {
    return this.options.description;
  }

  /** Handles a text of the keeper. */
  receive(text: string): void {
    const { reader } = this;
    if (!reader) {
      this.early.push(text);
      return;
    }
    const message = readMessage<ToWindow>(text);
    if (!message || this.isOver || this.hasLeft) {
      return;
    }
    if ('frames' in message) {
      const { flag } = message.frames;
      eachFrame(message.frames, (n, json) => {
        // A request that an earlier window has seen is no new frame.
        this.unhandled.push(flag === 'r' ? { n: 0, isRepeated: true } : { n });
        reader.message(json, flag === 'd');
      });
      return;
    }
    const { control } = message;
    switch (control.type) {
      case 'started':
        this.pid = control.pid;
        return this.events.onStarted?.(control.pid);
      case 'stderr':
        return this.events.onStderrLine(this.redacted(control.line));
      case 'skipped':
        this.unhandled.push({ n: control.n });
        return reader.skipped(control.bytes, control.head, control.tail);
      case 'ended': {
        const { stderrTail, ...end } = control.end;
        reader.closing();
        this.finish({ ...end, ...(stderrTail !== undefined && { stderrTail: this.redacted(stderrTail) }) });
        return;
      }
      default:
        return;
    }
  }

  /** The connection to the keeper has ended. */
  lost(): void {
    if (!this.isOver && !this.hasLeft) {
      if (!this.isEnding) {
        this.options.onLost?.(this.pid);
      }
      this.finish(this.isEnding ? {} : { failure: { code: 'connection.closed', detail: 'The keeper of the agent has ended.' } });
    }
  }

  private flush(): void {
    const texts = this.sending ?? [];
    this.sending = undefined;
    // A text that was written meanwhile may have a cause that is not stored yet.
    const [first, ...rest] = texts;
    if (first !== undefined) {
      this.frame(first);
      rest.forEach((text) => this.write(text));
    }
  }

  private finish(end: TransportEnd): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    this.reader?.end(end);
    // The keeper ends when the conversation has the last frames and the end.
    void (this.beforeSend?.() ?? Promise.resolve()).then(() => {
      this.socket.send(controlText({ type: 'end' }));
      this.clock.after(CLOSE_MS, () => this.socket.close());
    });
  }

  private frame(json: string): void {
    this.socket.send(frameText(++this.sent, json));
  }

  private control(message: ToKeeper): void {
    if (!this.isOver) {
      this.socket.send(controlText(message));
    }
  }

  private redacted(text: string): string {
    return this.events.withoutSecrets?.(text) ?? text;
  }
}
