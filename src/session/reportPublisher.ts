/** Adds the report of the user's edits to the session's prompts, and shows in its views which files the report names. */
import { reportAddress } from '../core/model/reportAddress';
import type { ChangeReport } from '../changes/review/changeReport';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import { isAbsent } from '../core/model/state';
import type { Session } from './session';

/** ms between two events: each key press changes the report. */
const SHOW_MS = 50;
/** User messages, newest first, that are searched for a report. */
const MAX_MESSAGES = 20;

export function publishReport(session: Session, report: ChangeReport, clock: Clock): Disposable {
  let timer: Disposable | undefined;
  let shown = JSON.stringify([]);
  const show = (): void => {
    timer?.dispose();
    timer = undefined;
    const files = report.summary;
    const next = JSON.stringify(files);
    if (next !== shown) {
      shown = next;
      session.store.append({ type: 'change_report', files });
    }
  };
  const subscription = report.onDidChange(() => (timer ??= clock.after(SHOW_MS, show)));
  session.report = {
    take: () => {
      const taken = report.take();
      // The files of a report that was sent must not be shown with the next prompt.
      show();
      return taken;
    },
  };
  show();
  return {
    dispose: () => {
      timer?.dispose();
      subscription.dispose();
      session.report = undefined;
    },
  };
}

/** True when the conversation has a message with the report at this address. */
export function hasReport({ store }: Pick<Session, 'store'>, uri: string): boolean {
  const { entries } = store.state;
  for (let index = entries.length - 1, left = MAX_MESSAGES; index >= 0 && left > 0; index--) {
    const slot = entries.peek(index);
    if (slot && !isAbsent(slot) && slot.kind === 'message' && slot.role === 'user') {
      left--;
      if (slot.content.some((block) => block.type === 'resource' && reportAddress(block.uri) === uri)) {
        return true;
      }
    }
  }
  return false;
}
