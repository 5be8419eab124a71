/** Waits for the focus that a click on a row moves into a chat. The focus would close an input box that opened meanwhile. Pure. */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { UserActivity } from '../shared/userActivity';

/** The time in ms in which the focus of a click arrives. A page that is new takes longer. */
const ARRIVAL_MS = 1500;
/** The time in ms for which the focus must stay. */
const QUIET_MS = 200;

export class FocusArrival {
  private click: { readonly key: string; readonly at: number; readonly opened: Promise<unknown> } | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly activity: Pick<UserActivity, 'focus' | 'onDidChange'>,
  ) {}

  /** A click opens the session with this key. @param opened settles when the request for the focus was sent to its chat */
  clicked(key: string, opened: Promise<unknown>): void {
    this.click = { key, at: this.clock.now(), opened };
  }

  /** Resolves when the focus is in the chat of this session, or no click moves it there. */
  async settled(key: string): Promise<void> {
    const { click, clock, activity } = this;
    const left = click?.key === key ? click.at + ARRIVAL_MS - clock.now() : 0;
    this.click = undefined;
    if (left <= 0) {
      return;
    }
    await click!.opened.catch(() => undefined);
    await new Promise<void>((resolve) => {
      let quiet: Disposable | undefined;
      const done = (): void => {
        subscription.dispose();
        timeout.dispose();
        quiet?.dispose();
        resolve();
      };
      // A chat that had the focus before the click reports late that it has lost it.
      const look = (): void => {
        quiet?.dispose();
        const isThere = typeof activity.focus === 'object' && activity.focus.sessionKey === key;
        quiet = isThere ? clock.after(QUIET_MS, done) : undefined;
      };
      const timeout = clock.after(left, done);
      const subscription = activity.onDidChange(look);
      look();
    });
  }
}
