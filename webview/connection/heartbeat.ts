/**
 * Whether the extension host still answers. One that was killed leaves its pages on the screen, and VS Code starts another that knows nothing of them: what
 * they post goes nowhere. One that is only busy answers late, and then all is as before.
 */
import { createContext } from 'preact';
import type { FromView, ToView } from '../../src/core/protocol/view';
import type { PageHost } from '../host';

/** ms without a message of the host after which it is asked whether it is there. */
export const BEAT_MS = 10_000;
/** ms that it gets to answer: a machine may be busy. */
export const ANSWER_MS = 10_000;

/** What the user has sent. */
export type Sent = Extract<FromView, { readonly type: 'prompt' | 'resend' }>;

interface HeartbeatDependencies {
  /** Asks the host for a `pong`. */
  ping(pingId: number): void;
  /** Runs the callback after `ms`; returns the way out. */
  after(ms: number, callback: () => void): () => void;
}

export class Heartbeat {
  /** The host does not answer. */
  isLost = false;
  private pings = 0;
  private hasHeard = false;
  private readonly unheard = new Map<Sent, number>();
  private readonly listeners = new Set<() => void>();
  private stop: () => void = () => undefined;

  constructor(private readonly ports: HeartbeatDependencies) {}

  /** `isLost` changed. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** The page is on the screen. */
  resume(): void {
    this.in(BEAT_MS, () => (this.hasHeard ? this.resume() : this.ask()));
  }

  /** It is not. */
  pause(): void {
    this.stop();
  }

  /** The host has said something. */
  heard(message: ToView): void {
    this.hasHeard = true;
    if (message.type === 'pong') {
      for (const [sent, pingId] of this.unheard) {
        if (pingId <= message.pingId) {
          this.unheard.delete(sent);
        }
      }
    }
    if (this.isLost) {
      this.set(false);
      this.resume();
    }
  }

  /** The user has sent this: it is seen at once whether somebody has it. */
  sent(message: Sent): void {
    this.unheard.set(message, this.pings + 1);
    this.ask();
  }

  /** What was sent and came to nobody, as far as is known; once. */
  takeUnheard(): Sent[] {
    const all = [...this.unheard.keys()];
    this.unheard.clear();
    return all;
  }

  private ask(): void {
    this.in(ANSWER_MS, () => {
      if (this.hasHeard) {
        return this.resume();
      }
      this.in(BEAT_MS, () => this.ask());
      this.set(true);
    });
    this.ports.ping(++this.pings);
  }

  private in(ms: number, callback: () => void): void {
    this.stop();
    this.hasHeard = false;
    this.stop = this.ports.after(ms, callback);
  }

  private set(isLost: boolean): void {
    if (this.isLost !== isLost) {
      this.isLost = isLost;
      this.listeners.forEach((listener) => listener());
    }
  }
}

/** `host`, whose messages are heard, and what is sent to it watched. */
export function heardHost(host: PageHost, heartbeat: Heartbeat): PageHost {
  return {
    post: (message) => {
      host.post(message);
      if (message.type === 'prompt' || message.type === 'resend') {
        heartbeat.sent(message);
      }
    },
    onMessage: (listener) =>
      host.onMessage((message) => {
        heartbeat.heard(message);
        if (message.type !== 'pong') {
          listener(message);
        }
      }),
    load: () => host.load(),
    save: (state) => host.save(state),
  };
}

/** The page's way to its host. */
export interface Connection {
  readonly heartbeat: Heartbeat;
  /** The key of the session that is shown. */
  sessionKey(): string | undefined;
}

export const ConnectionContext = createContext<Connection | undefined>(undefined);
