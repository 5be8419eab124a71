/**
 * Permission requests of all sessions of a window (protocol page "Tool Calls", requesting permission). Each is shown as a card in its
 * conversation and, when that disturbs nobody, as a quick pick; the first answer wins. Pure over {@link Clock} and {@link Presenter}.
 *
 * A quick pick always takes the keyboard, so: one at a time, the rest queue; only for the session the user is with, where the focus is known to
 * be in its panel or in a text editor, after a second of quiet; and no answer counts in its first half second, nor in the half second after
 * another row became active. Hidden for any reason means "later": the card stays.
 */
import { GUARD_MS } from '../core/model/guard';
import type { Clock, Disposable } from '../core/model/ports';
import type { PermissionAsk, Presenter } from './presenter';
import { Quiet } from './idleDetector';

export { GUARD_MS };

export type PermissionOutcome =
  | { readonly outcome: 'selected'; readonly optionId: string }
  /** cancelled: the turn was stopped; withdrawn: the agent took it back; lost: the connection or the window went. */
  | { readonly outcome: 'cancelled' | 'withdrawn' | 'lost' };

interface Waiting {
  readonly ask: PermissionAsk;
  readonly settle: (outcome: PermissionOutcome) => void;
  /** The user put it off: only {@link PermissionRoom.reopen} shows it again. */
  later: boolean;
  /** The user asked for this session's requests: they open wherever the user is. */
  invited: boolean;
}

interface Shown {
  readonly waiting: Waiting;
  /** Runs while no answer counts. */
  guard?: Disposable | undefined;
  /** Came up by itself less than {@link GUARD_MS} ago. */
  fresh: boolean;
  pick?: Disposable;
}

export class PermissionRoom {
  /** Oldest first. */
  private readonly queue: Waiting[] = [];
  private shown: Shown | undefined;
  private opening: Disposable | undefined;
  private readonly quiet: Quiet;
  private readonly subscriptions: readonly Disposable[];
  private disposed = false;

  constructor(
    private readonly presenter: Presenter,
    private readonly clock: Clock,
  ) {
    this.quiet = new Quiet(clock);
    this.subscriptions = [
      presenter.onActivity((uncertainMs) => this.quiet.touch(uncertainMs)),
      presenter.onDidChange(() => this.openSoon()),
    ];
  }

  /** How many requests have no answer yet. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Asks the user; never rejects. After {@link dispose} the answer is `lost` at once. */
  ask(ask: PermissionAsk): Promise<PermissionOutcome> {
    if (this.disposed) {
      return Promise.resolve({ outcome: 'lost' });
    }
    return new Promise((settle) => {
      this.queue.push({ ask, settle, later: false, invited: false });
      this.openSoon();
    });
  }

  /** The card's answer. False when it comes too late, or names an option the agent did not offer. */
  answer(sessionKey: string, permissionId: string, optionId: string): boolean {
    const waiting = this.find(sessionKey, permissionId);
    if (!waiting || !waiting.ask.options.some((option) => option.optionId === optionId)) {
      return false;
    }
    this.finish(waiting, { outcome: 'selected', optionId });
    return true;
  }

  /** Ends one request without an answer of the user's; nothing when it has ended. */
  settle(sessionKey: string, permissionId: string, outcome: 'cancelled' | 'withdrawn' | 'lost'): void {
    const waiting = this.find(sessionKey, permissionId);
    if (waiting) {
      this.finish(waiting, { outcome });
    }
  }

  /** Ends all requests of a session. */
  settleAll(sessionKey: string, outcome: 'cancelled' | 'withdrawn' | 'lost'): void {
    // All at once: finishing one by one could open a pick for the next.
    this.finishAll((waiting) => waiting.ask.sessionKey === sessionKey, outcome);
  }

  /**
   * Shows the oldest waiting request of this session (without a key: of the session the user is with, else the oldest of all) at once,
   * because the user asked for it; the session's others follow. False when nothing waits.
   */
  reopen(sessionKey?: string): boolean {
    const key = sessionKey ?? this.presenter.activeSession;
    const first = this.queue.find(({ ask }) => ask.sessionKey === key) ?? (sessionKey === undefined ? this.queue[0] : undefined);
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

  /** Ends every request as `lost` and closes the pick. */
  dispose(): void {
    this.disposed = true;
    this.finishAll(() => true, 'lost');
    this.opening?.dispose();
    this.subscriptions.forEach((subscription) => subscription.dispose());
  }

  private find(sessionKey: string, permissionId: string): Waiting | undefined {
    return this.queue.find(({ ask }) => ask.sessionKey === sessionKey && ask.permissionId === permissionId);
  }

  private finish(waiting: Waiting, outcome: PermissionOutcome): void {
    this.queue.splice(this.queue.indexOf(waiting), 1);
    if (this.shown?.waiting === waiting) {
      this.takeDown();
    }
    waiting.settle(outcome);
    this.openSoon();
  }

  private finishAll(which: (waiting: Waiting) => boolean, outcome: 'cancelled' | 'withdrawn' | 'lost'): void {
    const ended = this.queue.filter(which);
    const kept = this.queue.filter((waiting) => !ended.includes(waiting));
    this.queue.splice(0, this.queue.length, ...kept);
    if (this.shown && ended.includes(this.shown.waiting)) {
      this.takeDown();
    }
    ended.forEach((waiting) => waiting.settle({ outcome }));
    this.openSoon();
  }

  /** Removes the pick, if there is one, without meaning "later". */
  private takeDown(): void {
    const shown = this.shown;
    if (shown) {
      this.shown = undefined;
      this.quiet.touch(); // The next one must not come under the key that answered this one.
      shown.guard?.dispose();
      shown.pick?.dispose();
    }
  }

  private guard(shown: Shown): void {
    shown.guard?.dispose();
    shown.guard = this.clock.after(GUARD_MS, () => {
      shown.guard = undefined;
      shown.fresh = false;
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

  /** The request that a pick may be opened for now, quiet or not. */
  private next(): Waiting | undefined {
    if (this.shown || !this.presenter.ready) {
      return undefined;
    }
    const active = this.presenter.activeSession;
    return this.queue.find(({ ask, later, invited }) => !later && (invited || ask.sessionKey === active));
  }

  private openSoon(): void {
    if (this.opening || this.disposed || !this.next()) {
      return;
    }
    this.opening = this.quiet.whenQuiet(() => {
      this.opening = undefined;
      // Anything may have changed while it became quiet.
      const next = this.next();
      if (next) {
        this.open(next);
      }
    });
  }

  /** `unasked`: nobody asked for a pick just now. */
  private open(waiting: Waiting, unasked = true): void {
    const shown: Shown = { waiting, fresh: unasked };
    this.shown = shown;
    this.guard(shown);
    const isShown = () => this.shown === shown;
    const pick = this.presenter.show(
      waiting.ask,
      { waiting: this.queue.length },
      {
        picked: (optionId) => {
          if (isShown() && !shown.guard) {
            this.answer(waiting.ask.sessionKey, waiting.ask.permissionId, optionId);
            this.follow(waiting);
          }
        },
        typed: () => {
          // Whoever types was typing before the pick came: nothing counts until that stops. Who cannot have seen it yet gets the keyboard back.
          if (isShown() && shown.fresh) {
            this.putOff(waiting.ask.sessionKey);
          } else if (isShown()) {
            this.guard(shown);
          }
        },
        moved: () => {
          if (isShown()) {
            this.guard(shown);
          }
        },
        hidden: () => {
          if (isShown()) {
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
