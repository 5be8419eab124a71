/**
 * Detects whether the extension host still answers. When it is killed, its pages stay on the screen and VS Code starts another host that does not
 * know them, so their messages are lost. A host that is only busy answers late, and the page then continues as before.
 */
import type { FromView } from '../../src/core/protocol/view';
import { Listeners } from '../../src/core/platform/listeners';
import type { PageHost } from '../base/host';

/** ms without a message from the host after which the page sends a ping. */
export const BEAT_MS = 10_000;
/** ms that the host has for its answer, because the machine may be busy. */
export const ANSWER_MS = 10_000;
/** ms without a message after which a page that was just shown or focused sends a ping. A live host fills such a page in this time. */
export const SHOWN_MS = 1000;
/** ms that the host has for its answer then, and after an action: a page without content must soon say why. */
export const SHOWN_ANSWER_MS = 4000;

/** A message that the user has sent. */
export type Sent = Extract<FromView, { readonly type: 'prompt' | 'resend' }>;

interface HeartbeatDependencies {
  /** Asks the host for a `pong`. */
  ping(pingId: number): void;
  /** Runs the callback after `ms`. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export class Heartbeat {
  /** True while the host does not answer. */
  isLost = false;
  private pings = 0;
  private hasReceived = false;
  private readonly unacknowledged = new Map<Sent, number>();
  private readonly listeners = new Listeners();
  private stop: () => void = () => undefined;
  /** ms that the host has for its answer to the pending ping. Infinity without a pending one. */
  private limit = Infinity;

  constructor(private readonly deps: HeartbeatDependencies) {}

  /** Calls `listener` when `isLost` changes. */
  subscribe(listener: () => void): () => void {
    return this.listeners.subscribe(listener);
  }

  /** The page is visible or focused again. */
  resume(): void {
    if (this.limit === Infinity) {
      this.listen(SHOWN_MS, SHOWN_ANSWER_MS);
    }
  }

  /** The user has acted, and the host should confirm that within `ms`. */
  check(ms: number): void {
    if (ms < this.limit) {
      this.ask(ms);
    }
  }

  /** The page is hidden. */
  pause(): void {
    this.stop();
    this.limit = Infinity;
  }

  /** The host has sent a message. */
  received(message: { readonly type: string; readonly pingId?: number }): void {
    this.hasReceived = true;
    this.limit = Infinity;
    if (message.type === 'pong' && message.pingId !== undefined) {
      for (const [sent, pingId] of this.unacknowledged) {
        if (pingId <= message.pingId) {
          this.unacknowledged.delete(sent);
        }
      }
    }
    if (this.isLost) {
      this.set(false);
      this.listen();
    }
  }

  /** The user has sent this message, so the page asks at once whether the host is alive. */
  sent(message: Sent): void {
    this.unacknowledged.set(message, this.pings + 1);
    this.ask();
  }

  /** Returns the messages that the host has not confirmed, and forgets them. */
  takeUnacknowledged(): Sent[] {
    const all = [...this.unacknowledged.keys()];
    this.unacknowledged.clear();
    return all;
  }

  private listen(ms = BEAT_MS, answerMs = ANSWER_MS): void {
    this.in(ms, () => (this.hasReceived ? this.listen() : this.ask(answerMs)));
  }

  private ask(ms = ANSWER_MS): void {
    this.in(ms, () => {
      if (this.hasReceived) {
        return this.listen();
      }
      this.in(BEAT_MS, () => this.ask());
      this.set(true);
    });
    this.limit = ms;
    this.deps.ping(++this.pings);
  }

  private in(ms: number, callback: () => void): void {
    this.stop();
    this.limit = Infinity;
    this.hasReceived = false;
    this.stop = this.deps.after(ms, callback);
  }

  private set(isLost: boolean): void {
    if (this.isLost !== isLost) {
      this.isLost = isLost;
      this.listeners.call();
    }
  }
}

/** The user's decisions, which must not be lost unnoticed: answers, stops, endpoints and the actions of buttons. */
const ACTION = /^(?:action|answer|cancel$|endpoints|stop)/;

/** Wraps `host` so that `heartbeat` sees the messages in both directions. */
export function withHeartbeat(host: PageHost, heartbeat: Heartbeat): PageHost {
  return {
    post: (message) => {
      host.post(message);
      if (message.type === 'prompt' || message.type === 'resend') {
        heartbeat.sent(message);
      } else if (ACTION.test(message.type)) {
        heartbeat.check(SHOWN_ANSWER_MS);
      }
    },
    onMessage: (listener) =>
      host.onMessage((message) => {
        heartbeat.received(message);
        if (message.type !== 'pong') {
          listener(message);
        }
      }),
    load: () => host.load(),
    save: (state) => host.save(state),
  };
}
