/** What a session says itself, in its conversation. */
import type { Failure } from '../core/model/failure';
import type { SessionState } from '../core/model/state';
import type { SessionStore } from './store';

export class Remarks {
  private count = 0;

  constructor(private readonly store: SessionStore) {}

  /** What the user should know of how it goes on. */
  say(failure: Failure): void {
    this.store.append({ type: 'notice', noticeId: `session-${this.store.seq}`, severity: 'info', title: '', failure });
  }

  /** What the user wanted and did not get. `title`: what it is about. */
  warn(title: string, failure: Failure): void {
    this.store.append({ type: 'notice', noticeId: `notice-${this.store.seq}-${++this.count}`, severity: 'error', title, failure });
  }
}

/** Why a session that takes no prompts takes none. */
export function notReady({ turn, status }: SessionState): Failure {
  return { code: turn ? 'turn.busy' : status === 'ended' ? 'session.ended' : 'session.not_ready' };
}
