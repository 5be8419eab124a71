/**
 * New notices as toasts; each also stays in the conversation. An informational toast disappears by itself unless the user is using it. A warning or
 * an error stays until it is dismissed.
 */
import type { NoticeShown } from '../../src/core/model/event';
import { Listeners } from '../../src/core/platform/listeners';

export interface Toast {
  /** The newest notice with this text. */
  readonly noticeId: string;
  readonly severity: string;
  readonly title: string;
  readonly description: string | undefined;
  /** The number of notices with this text. */
  readonly times: number;
}

/** ms for which an informational toast is shown. */
export const SHOWN_MS = 8000;
/** The age up to which a notice is new; an older one is a replayed notice. ms */
const NEWS_MS = 10_000;
/** With more toasts the oldest are dropped: they are in the conversation. */
const MAX_TOASTS = 50;

interface ToastsProps {
  /** ms since the epoch, like the times of events. */
  now(): number;
  /** Runs the callback after `ms`. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export class Toasts {
  /** Oldest first; a new array with every change. */
  list: readonly Toast[] = [];
  private readonly leaving = new Map<string, () => void>();
  private readonly listeners = new Listeners();
  private held = false;

  constructor(private readonly deps: ToastsProps) {}

  /** Takes a notice that arrived while the page was open. Returns true when it is shown, false when it only changes the text of one. */
  hear({ noticeId, severity, title, description, failure, at }: NoticeShown): boolean {
    // The host's own notices belong to an entry in the conversation and are read there.
    if (failure || this.deps.now() - at > NEWS_MS) {
      return false;
    }
    if (this.list.some((toast) => toast.noticeId === noticeId)) {
      this.list = this.list.map((toast) => (toast.noticeId === noticeId ? { ...toast, title, description } : toast));
      this.changed();
      return false;
    }
    const same = this.list.find((toast) => toast.severity === severity && toast.title === title && toast.description === description);
    if (same) {
      this.forget(same.noticeId);
    }
    this.list = [...this.list.filter((toast) => toast !== same), { noticeId, severity, title, description, times: (same?.times ?? 0) + 1 }];
    for (const old of this.list.slice(0, -MAX_TOASTS)) {
      this.forget(old.noticeId);
    }
    this.list = this.list.slice(-MAX_TOASTS);
    if (!this.held) {
      this.leaveLater(noticeId, severity);
    }
    this.changed();
    return true;
  }

  dismiss(noticeId: string): void {
    this.forget(noticeId);
    this.list = this.list.filter((toast) => toast.noticeId !== noticeId);
    this.changed();
  }

  dismissAll(): void {
    for (const { noticeId } of this.list) {
      this.forget(noticeId);
    }
    this.list = [];
    this.changed();
  }

  /** While the pointer or the focus is on the toasts, none disappears. Afterwards each has its full time again. */
  hold(held: boolean): void {
    if (held === this.held) {
      return;
    }
    this.held = held;
    for (const { noticeId, severity } of this.list) {
      if (held) {
        this.forget(noticeId);
      } else {
        this.leaveLater(noticeId, severity);
      }
    }
  }

  subscribe(listener: () => void): () => void {
    return this.listeners.subscribe(listener);
  }

  private leaveLater(noticeId: string, severity: string): void {
    if (severity === 'info') {
      this.leaving.set(
        noticeId,
        this.deps.after(SHOWN_MS, () => this.dismiss(noticeId)),
      );
    }
  }

  private forget(noticeId: string): void {
    this.leaving.get(noticeId)?.();
    this.leaving.delete(noticeId);
  }

  private changed(): void {
    this.listeners.call();
  }
}
