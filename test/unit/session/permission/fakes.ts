import { alikeAnswers } from '../../../../src/core/approval/alikeAnswers';
import { floodOf } from '../../../../src/core/approval/questionFlood';
import type { Clock } from '../../../../src/core/platform/clock';
import type { Disposable } from '../../../../src/core/platform/disposable';
import type { PendingPermission, PickListener, Presenter } from '../../../../src/session/permission/presenter';

/** A clock whose time advances only when the test says so. */
export class FakeClock implements Clock {
  private time = 1_000_000;
  private timers: { due: number; callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): Disposable {
    const timer = { due: this.time + ms, callback };
    this.timers.push(timer);
    return { dispose: () => void (this.timers = this.timers.filter((other) => other !== timer)) };
  }

  get pending(): number {
    return this.timers.length;
  }

  /** Runs due timers in order, including those that they start. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) {
        break;
      }
      this.timers = this.timers.filter((other) => other !== next);
      this.time = Math.max(this.time, next.due);
      next.callback();
    }
    this.time = end;
  }

  setBack(ms: number): void {
    this.time -= ms;
  }
}

/** A quick pick on the screen, with methods for the user's actions. */
export class FakePick implements Disposable {
  open = true;

  constructor(
    readonly ask: PendingPermission,
    readonly waiting: number,
    readonly listener: PickListener,
    private readonly closed: (pick: FakePick) => void,
  ) {}

  pick(optionId: string): void {
    this.listener.picked(optionId);
  }

  pickAlike(kind: 'allow_once' | 'reject_once'): void {
    this.listener.pickedAlike(alikeAnswers(floodOf(this.ask.store!.state), kind, this.ask.store!.state));
  }

  /** Hides the pick, like the Escape key, a loss of focus or another quick input. */
  hide(): void {
    if (!this.open) {
      return;
    }
    this.open = false;
    this.closed(this);
    this.listener.hidden();
  }

  /** VS Code reports the hiding of a disposed pick too. */
  dispose(): void {
    this.hide();
  }
}

/** Fails when a second pick is shown over the first, which the service must never do. */
export class FakePresenter implements Presenter {
  /** The focus is known. */
  ready = true;
  isFree = true;
  activeSession: string | undefined = 's1';
  /** False while the session in front is behind something else. */
  isVisible = true;
  readonly shown: FakePick[] = [];
  /** Callbacks that wait until the busy window draws; undefined while it is not busy. */
  undrawn: (() => void)[] | undefined;
  private changeListeners = new Set<() => void>();
  private activityListeners = new Set<(uncertainMs: number) => void>();

  /** The place of each request; by default a pick while its session is in front. */
  place: (ask: PendingPermission) => 'card' | 'pick' | undefined = ({ sessionKey }) =>
    sessionKey === this.activeSession ? 'pick' : undefined;

  surfaceOf(ask: PendingPermission): 'card' | 'pick' | undefined {
    return this.place(ask);
  }

  get visibleSession(): string | undefined {
    return this.isVisible ? this.activeSession : undefined;
  }

  /** Requests whose card is in sight beneath the pick. */
  beneath: readonly string[] = [];

  isCardBeneath({ permissionId }: PendingPermission): boolean {
    return this.beneath.includes(permissionId);
  }

  onDidChange(listener: () => void): Disposable {
    this.changeListeners.add(listener);
    return { dispose: () => this.changeListeners.delete(listener) };
  }

  onActivity(listener: (uncertainMs: number) => void): Disposable {
    this.activityListeners.add(listener);
    return { dispose: () => this.activityListeners.delete(listener) };
  }

  whenDrawn(callback: () => void): void {
    if (this.undrawn) {
      this.undrawn.push(callback);
    } else {
      callback();
    }
  }

  /** The window draws, and is no longer busy. */
  draw(): void {
    const { undrawn } = this;
    this.undrawn = undefined;
    undrawn?.forEach((callback) => callback());
  }

  show(ask: PendingPermission, queue: { readonly waiting: number }, listener: PickListener): Disposable {
    if (this.current) {
      throw new Error(`a pick for ${ask.permissionId} over the one for ${this.current.ask.permissionId}`);
    }
    const pick = new FakePick(ask, queue.waiting, listener, () => undefined);
    this.shown.push(pick);
    return pick;
  }

  /** The pick on the screen. */
  get current(): FakePick | undefined {
    return this.shown.find(({ open }) => open);
  }

  get listeners(): number {
    return this.changeListeners.size + this.activityListeners.size;
  }

  be(change: {
    ready?: boolean;
    isFree?: boolean;
    activeSession?: string | undefined;
    place?: FakePresenter['place'];
    beneath?: readonly string[];
  }): void {
    Object.assign(this, change);
    this.changeListeners.forEach((listener) => listener());
  }

  type(uncertainMs = 0): void {
    this.activityListeners.forEach((listener) => listener(uncertainMs));
  }
}

export function askOf(permissionId: string, over: Partial<PendingPermission> = {}): PendingPermission {
  return {
    sessionKey: 's1',
    agentName: 'Agent',
    permissionId,
    title: `May I ${permissionId}?`,
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
    subject: {},
    cwd: '/work',
    ...over,
  };
}
