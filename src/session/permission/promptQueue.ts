/**
 * Permission requests of all sessions of a window as quick picks (protocol page "Tool Calls", requesting permission). Each is also a card in its
 * conversation, and its session decides which answer counts. Pure over {@link Clock} and {@link Presenter}.
 *
 * A quick pick always takes the keyboard. It opens for one request at a time, while {@link Presenter.surfaceOf} returns `pick`, after a second
 * without activity. No answer counts in its first half second. In the first two seconds of a pick that opened by itself, none counts in the half
 * second after another row became active. Hiding the pick postpones the request: the card stays, and the pick opens again by itself only when the
 * user has moved to the card.
 */
import { ANSWER_DELAY_MS } from '../../core/approval/answerDelay';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { PendingPermission, Presenter } from './presenter';
import { IdleDetector } from './idleDetector';

export { ANSWER_DELAY_MS };

interface Waiting {
  readonly ask: PendingPermission;
  answered(optionId: string): void;
  /** True when the user has postponed the request: only {@link PermissionPromptQueue.reopen} shows it again. */
  later: boolean;
  /** True when the user asked for this session's requests: their picks open wherever the focus is. */
  invited: boolean;
  /** The time until which its pick opens also where the focus is unknown, because the user answers this session's requests in picks. */
  expectedUntil: number;
  /** True when a pick has asked it. */
  wasShown: boolean;
}

/** ms after a pick was hidden within which the focus arrives in the page that the user clicked. */
const ARRIVAL_MS = 500;

/** ms after an answer in a pick that the user opened within which the session's next request is expected, and after it the pick of that request. */
export const EXPECTED_MS = 10_000;

/** ms without an arrow key for which a pick that opened by itself counts as new to the user. */
export const NEW_MS = 2_000;

/**
 * ms after an arrow key in a new pick in which no answer counts. The user may be editing without looking: arrow keys and Enter follow each other at up
 * to this distance.
 */
export const NEW_KEY_MS = 1_000;

interface OpenPick {
  readonly waiting: Waiting;
  /** The place of the request when the pick opened. */
  readonly over: ReturnType<Presenter['surfaceOf']>;
  /** Set while no answer counts. */
  guard?: Disposable | undefined;
  /** True when the pick has opened by itself less than {@link ANSWER_DELAY_MS} ago. */
  fresh: boolean;
  /** True when the pick has opened by itself, and its opening or an arrow key is less than {@link NEW_MS} ago. */
  isNew: boolean;
  /** Ends {@link isNew}. */
  aging?: Disposable | undefined;
  /** Came up by itself, and the user has used no key in it. */
  untouched: boolean;
  pick?: Disposable;
}

export class PermissionPromptQueue {
  /** Oldest first. */
  private readonly queue: Waiting[] = [];
  private shown: OpenPick | undefined;
  private opening: Disposable | undefined;
  /** The session whose pick was hidden last, perhaps because the user moved to the card. */
  private left: { readonly sessionKey: string; readonly at: number } | undefined;
  /** The last answer in a pick that the user opened, or that followed one. */
  private answer: { readonly sessionKey: string; readonly at: number } | undefined;
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

  /** The number of unanswered requests. */
  get waiting(): number {
    return this.queue.length;
  }

  /** True for a waiting request that no pick has asked so far. */
  isUnseen(ask: PendingPermission): boolean {
    return this.queue.some((waiting) => waiting.ask === ask && !waiting.wasShown);
  }

  /** True when the user answers this session's requests in picks, so that a pick opens for a new one also where the focus is unknown. */
  isExpected(sessionKey: string): boolean {
    return this.answer?.sessionKey === sessionKey && this.clock.now() - this.answer.at < EXPECTED_MS;
  }

  /** Shows a question as a quick pick when that does not interrupt the user, until disposed. `answered` receives the chosen option. */
  prompt(ask: PendingPermission, answered: (optionId: string) => void): Disposable {
    const expectedUntil = this.isExpected(ask.sessionKey) ? this.clock.now() + EXPECTED_MS : 0;
    const waiting: Waiting = { ask, answered, later: false, invited: false, expectedUntil, wasShown: false };
    if (!this.disposed) {
      this.queue.push(waiting);
      this.openSoon();
    }
    return { dispose: () => this.remove(waiting) };
  }

  /**
   * Shows the oldest waiting request of this session at once, because the user asked for it; the session's others follow. Without a key, shows that
   * of the session in front, or else the newest of all, which the user was just notified of. False when no request waits.
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

  /** Closes the pick and drops all requests. */
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

  /** Closes the pick, if there is one, without postponing its request. */
  private takeDown(): void {
    const shown = this.shown;
    if (shown) {
      this.shown = undefined;
      this.idle.touch(); // The next pick must not open under the key that answered this one.
      shown.guard?.dispose();
      shown.aging?.dispose();
      shown.pick?.dispose();
    }
  }

  /**
   * Starts the time in which no answer counts. It begins when the window has drawn the pick, because the window may be busy for longer than that.
   * At its end, keys that were delayed because the extension host was busy are handled first.
   */
  private guard(shown: OpenPick, delayMs = ANSWER_DELAY_MS): void {
    shown.guard?.dispose();
    let running: Disposable | undefined;
    const guard = { dispose: () => running?.dispose() };
    const isOn = (): boolean => shown.guard === guard && this.shown === shown;
    shown.guard = guard;
    this.presenter.whenDrawn(() => {
      if (isOn()) {
        if (shown.isNew) {
          shown.aging ??= this.clock.after(NEW_MS, () => (shown.isNew = false));
        }
        running = this.clock.after(delayMs, () => {
          running = this.clock.after(0, () => {
            shown.guard = undefined;
            shown.fresh = false;
          });
        });
      }
    });
  }

  /** Expects more requests of the session whose request the user is about to answer in a pick that they opened, or that followed one. */
  private expectMore({ ask: { sessionKey }, invited, expectedUntil }: Waiting): void {
    if (invited || expectedUntil > 0) {
      const at = this.clock.now();
      this.answer = { sessionKey, at };
      this.queue.filter(({ ask }) => ask.sessionKey === sessionKey).forEach((waiting) => (waiting.expectedUntil = at + EXPECTED_MS));
    }
  }

  /**
   * Opens the next pick at once after an answer in one that the user asked for. The keyboard is still with the picks, and later it would be unknown
   * where the focus is.
   */
  private follow(answered: Waiting): void {
    const next =
      answered.invited && !this.shown && !this.presenter.ready ? this.queue.find(({ invited, later }) => invited && !later) : undefined;
    if (next) {
      this.open(next);
    }
  }

  /** Closes a pick whose request is shown on its card now, and opens the next one. */
  private look(): void {
    const { presenter, shown, left } = this;
    if (shown && !shown.waiting.invited) {
      const { ask } = shown.waiting;
      if (presenter.surfaceOf(ask) === 'card' || (shown.untouched && presenter.isCardBeneath(ask))) {
        this.takeDown();
      }
    }
    if (left && this.clock.now() - left.at <= ARRIVAL_MS) {
      const isOfLeft = ({ ask }: Waiting): boolean => ask.sessionKey === left.sessionKey;
      if (this.queue.some((waiting) => isOfLeft(waiting) && presenter.surfaceOf(waiting.ask) === 'card')) {
        this.left = undefined;
        this.queue.filter(isOfLeft).forEach((waiting) => (waiting.later = false));
      }
    }
    this.openSoon();
  }

  /** The request for which a pick may open, idle or not: first those of the active session, each oldest first. */
  private next(): Waiting | undefined {
    const { presenter, queue } = this;
    if (this.shown || !presenter.isFree) {
      return undefined;
    }
    const now = this.clock.now();
    const mayOpen = ({ ask, invited, expectedUntil }: Waiting): boolean => {
      const surface = presenter.surfaceOf(ask);
      return (presenter.ready && (invited || surface === 'pick')) || (now < expectedUntil && surface !== 'card');
    };
    const open = queue.filter((waiting) => !waiting.later && mayOpen(waiting));
    return open.find(({ ask }) => ask.sessionKey === presenter.activeSession) ?? open[0];
  }

  private openSoon(): void {
    if (this.opening || this.disposed || !this.next()) {
      return;
    }
    this.opening = this.idle.whenIdle(() => {
      this.opening = undefined;
      // The state may have changed while the user became idle.
      const next = this.next();
      if (next) {
        this.open(next);
      }
    });
  }

  /** @param unasked true when the pick opens by itself, not by a command of the user */
  private open(waiting: Waiting, unasked = true): void {
    const shown: OpenPick = { waiting, over: this.presenter.surfaceOf(waiting.ask), fresh: unasked, isNew: unasked, untouched: unasked };
    this.shown = shown;
    waiting.wasShown = true;
    this.guard(shown);
    const isShown = () => this.shown === shown;
    const pick = this.presenter.show(
      waiting.ask,
      { waiting: this.queue.length },
      {
        picked: (optionId) => {
          if (isShown() && !shown.guard) {
            this.expectMore(waiting);
            waiting.answered(optionId);
            this.follow(waiting);
          }
        },
        chose: (act) => {
          if (isShown() && !shown.guard) {
            this.expectMore(waiting);
            act();
          }
        },
        pickedAlike: (answers) => {
          if (isShown() && !shown.guard) {
            const chosen = new Map(answers.map(({ permissionId, optionId }) => [permissionId, optionId]));
            const isMeant = ({ ask }: Waiting): boolean => ask.sessionKey === waiting.ask.sessionKey && chosen.has(ask.permissionId);
            this.expectMore(waiting);
            this.queue.filter(isMeant).forEach(({ ask, answered }) => answered(chosen.get(ask.permissionId)!));
          }
        },
        typed: () => {
          shown.untouched = false;
          // The user was typing before the pick opened, so no answer counts until they stop. If the pick cannot have been seen yet, the user gets
          // the keyboard back.
          if (isShown() && shown.fresh) {
            this.putOff(waiting.ask.sessionKey);
          } else if (isShown()) {
            this.guard(shown);
          }
        },
        drawn: () => {
          if (isShown()) {
            shown.aging?.dispose();
            shown.aging = undefined;
            this.guard(shown);
          }
        },
        moved: () => {
          shown.untouched = false;
          if (isShown() && shown.fresh) {
            this.putOff(waiting.ask.sessionKey);
          } else if (isShown() && shown.isNew) {
            shown.aging?.dispose();
            shown.aging = undefined;
            this.guard(shown, NEW_KEY_MS);
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
      pick.dispose(); // The pick was hidden or settled while it was being shown.
    }
  }

  /**
   * Postpones all requests of a session after the user or another quick input has hidden a pick. Typing in VS Code's own quick inputs cannot be
   * observed, so the next pick would take the keyboard away from it.
   */
  private putOff(sessionKey: string): void {
    this.answer = this.answer?.sessionKey === sessionKey ? undefined : this.answer;
    for (const waiting of this.queue) {
      if (waiting.ask.sessionKey === sessionKey) {
        waiting.later = true;
        waiting.invited = false;
        waiting.expectedUntil = 0;
      }
    }
    this.takeDown();
    this.openSoon();
  }
}
