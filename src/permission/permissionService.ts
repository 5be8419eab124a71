/**
 * Permission requests of all sessions of a window as quick picks (protocol page "Tool Calls", requesting permission). Each is a card in its
 * conversation as well, and its session decides which answer counts. Pure over {@link Clock} and {@link Presenter}.
 *
 * A quick pick always takes the keyboard. It opens for one request at a time, while {@link Presenter.placeOf} says that the pick asks, after a second
 * of quiet. No answer counts in its first half second, nor in the half second after another row became active. A hidden pick means "later": the
 * card stays, and the pick does not come back by itself unless the user left it for the card.
 */
import { GUARD_MS } from '../core/model/guard';
import type { Clock, Disposable } from '../core/model/ports';
import type { PendingPermission, Presenter } from './presenter';
import { IdleDetector } from './idleDetector';

export { GUARD_MS };

interface Waiting {
  readonly ask: PendingPermission;
  answered(optionId: string): void;
  /** The user put it off: only {@link PermissionService.reopen} shows it again. */
  later: boolean;
  /** The user asked for this session's requests: they open wherever the user is. */
  invited: boolean;
}

/** ms after a pick was hidden in which the focus arrives in the page that the user clicked. */
const ARRIVAL_MS = 500;

interface Shown {
  readonly waiting: Waiting;
  /** Where the request was asked when the pick opened. */
  readonly over: ReturnType<Presenter['placeOf']>;
  /** Runs while no answer counts. */
  guard?: Disposable | undefined;
  /** Came up by itself less than {@link GUARD_MS} ago. */
  fresh: boolean;
  /** Came up by itself, and the user has used no key in it. */
  untouched: boolean;
  pick?: Disposable;
}

export class PermissionService {
  /** Oldest first. */
  private readonly queue: Waiting[] = [];
  private shown: Shown | undefined;
  private opening: Disposable | undefined;
  /** The session whose pick was hidden last, perhaps because the user went to the card. */
  private left: { readonly sessionKey: string; readonly at: number } | undefined;
  private readonly idle: IdleDetector;
  private readonly subscriptions: readonly Disposable[];
  private disposed = false;

  constructor(
    private readonly presenter: Presenter,
    private readonly clock: Clock,
  ) {
    this.idle = new IdleDetector(clock);
    this.subscriptions = [presenter.onActivity((uncertainMs) => this.idle.touch(uncertainMs)), presenter.onDidChange(() => this.look())];
  }

  /** How many requests have no answer yet. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Shows a question as a quick pick when that disturbs nobody, until disposed. `answered` gets the option that is chosen there. */
  offer(ask: PendingPermission, answered: (optionId: string) => void): Disposable {
    const waiting: Waiting = { ask, answered, later: false, invited: false };
    if (!this.disposed) {
      this.queue.push(waiting);
      this.openSoon();
    }
    return { dispose: () => this.remove(waiting) };
  }

  /**
   * Shows the oldest waiting request of this session at once, because the user asked for it; the session's others follow. Without a key, shows that
   * of the session in front, or else the newest of all, which the user has just been notified of. False when nothing waits.
   */
  reopen(sessionKey?: string): boolean {
    const key = sessionKey ?? this.presenter.visibleSession;
    const first = this.queue.find(({ ask }) => ask.sessionKey === key) ?? (sessionKey === undefined ? this.queue.at(-1) : undefined);
    if (!first) {
      return false;
    }
    for (const waiting of this.queue) {
      if (waiting.ask.sessionKey === first.ask.sessionKey) {
        waiting.later = false;
        waiting.invited = true;
      }
    }
    if (this.shown?.waiting !== first) {
      this.takeDown();
      this.open(first, false);
    }
    return true;
  }

  /** Closes the pick; nothing is shown any more. */
  dispose(): void {
    this.disposed = true;
    this.queue.length = 0;
    this.takeDown();
    this.opening?.dispose();
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }

  private remove(waiting: Waiting): void {
    const index = this.queue.indexOf(waiting);
    if (index >= 0) {
      this.queue.splice(index, 1);
      if (this.shown?.waiting === waiting) {
        this.takeDown();
      }
      this.openSoon();
    }
  }

  /** Removes the pick, if there is one, without meaning "later". */
  private takeDown(): void {
    const shown = this.shown;
    if (shown) {
      this.shown = undefined;
      this.idle.touch(); // The next one must not come under the key that answered this one.
      shown.guard?.dispose();
      shown.pick?.dispose();
    }
  }

  /**
   * The time counts from when the window shows what is to be read: it may be busy for longer than that. At its end the keys that came meanwhile, and
   * wait because we were busy, are heard first.
   */
  private guard(shown: Shown): void {
    shown.guard?.dispose();
    let running: Disposable | undefined;
    const guard = { dispose: () => running?.dispose() };
    const isOn = (): boolean => shown.guard === guard && this.shown === shown;
    shown.guard = guard;
    this.presenter.whenDrawn(() => {
      if (isOn()) {
        running = this.clock.after(GUARD_MS, () => {
          running = this.clock.after(0, () => {
            shown.guard = undefined;
            shown.fresh = false;
          });
        });
      }
    });
  }

  /**
   * After an answer in a pick that the user asked for, the next one comes at once: the keyboard is with the picks, and once it is given back
   * nothing may say where it went.
   */
  private follow(answered: Waiting): void {
    const next =
      answered.invited && !this.shown && !this.presenter.ready ? this.queue.find(({ invited, later }) => invited && !later) : undefined;
    if (next) {
      this.open(next);
    }
  }

  /** Closes a pick whose request is asked on its card by now, and opens the next one. */
  private look(): void {
    const { presenter, shown, left } = this;
    if (shown && !shown.waiting.invited) {
      const { ask } = shown.waiting;
      if (presenter.placeOf(ask) === 'card' || (shown.untouched && presenter.isCardBeneath(ask))) {
        this.takeDown();
      }
    }
    if (left && this.clock.now() - left.at <= ARRIVAL_MS) {
      const isOfLeft = ({ ask }: Waiting): boolean => ask.sessionKey === left.sessionKey;
      if (this.queue.some((waiting) => isOfLeft(waiting) && presenter.placeOf(waiting.ask) === 'card')) {
        this.left = undefined;
        this.queue.filter(isOfLeft).forEach((waiting) => (waiting.later = false));
      }
    }
    this.openSoon();
  }

  /** The request that a pick may be opened for now, quiet or not: those of the session in front first, each oldest first. */
  private next(): Waiting | undefined {
    const { presenter, queue } = this;
    if (this.shown || !presenter.ready) {
      return undefined;
    }
    const open = queue.filter(({ ask, later, invited }) => !later && (invited || presenter.placeOf(ask) === 'pick'));
    return open.find(({ ask }) => ask.sessionKey === presenter.activeSession) ?? open[0];
  }

  private openSoon(): void {
    if (this.opening || this.disposed || !this.next()) {
      return;
    }
    this.opening = this.idle.whenIdle(() => {
      this.opening = undefined;
      // Anything may have changed while it became quiet.
      const next = this.next();
      if (next) {
        this.open(next);
      }
    });
  }

  /** @param unasked the pick opens by itself, and not by a command of the user */
  private open(waiting: Waiting, unasked = true): void {
    const shown: Shown = { waiting, over: this.presenter.placeOf(waiting.ask), fresh: unasked, untouched: unasked };
    this.shown = shown;
    this.guard(shown);
    const isShown = () => this.shown === shown;
    const pick = this.presenter.show(
      waiting.ask,
      { waiting: this.queue.length },
      {
        picked: (optionId) => {
          if (isShown() && !shown.guard) {
            waiting.answered(optionId);
            this.follow(waiting);
          }
        },
        typed: () => {
          shown.untouched = false;
          // The user was typing before the pick came: nothing counts until that stops. A user who cannot have seen the pick yet gets the keyboard back.
          if (isShown() && shown.fresh) {
            this.putOff(waiting.ask.sessionKey);
          } else if (isShown()) {
            this.guard(shown);
          }
        },
        drawn: () => {
          if (isShown()) {
            this.guard(shown);
          }
        },
        moved: () => {
          shown.untouched = false;
          if (isShown()) {
            this.guard(shown);
          }
        },
        hidden: () => {
          if (isShown()) {
            this.left = shown.over === 'card' ? undefined : { sessionKey: waiting.ask.sessionKey, at: this.clock.now() };
            this.putOff(waiting.ask.sessionKey);
          }
        },
      },
    );
    shown.pick = pick;
    if (!isShown()) {
      pick.dispose(); // Hidden or settled while it was being shown.
    }
  }

  /**
   * Hidden by the user or by another quick input. The session's other requests are put off with it: what is typed in VS Code's own quick
   * inputs cannot be seen from here, so the next pick would take the keyboard away from it.
   */
  private putOff(sessionKey: string): void {
    for (const waiting of this.queue) {
      if (waiting.ask.sessionKey === sessionKey) {
        waiting.later = true;
        waiting.invited = false;
      }
    }
    this.takeDown();
    this.openSoon();
  }
}
