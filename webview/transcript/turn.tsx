/** The end of a turn: how long it took, and why it ended when that is not simply because it was done. */
import type { TurnEntry } from '../../src/core/state';
import { duration, stopReasonWords } from '../words';
import { FailureBox } from './failureBox';

export function TurnView({ entry }: { entry: TurnEntry }) {
  const reason = stopReasonWords(entry.stopReason);
  const took = duration(entry.at - entry.startedAt);
  return (
    <div class="entry turn">
      {entry.failure && <FailureBox failure={entry.failure} actions={entry.failure.code === 'session.interrupted' ? [] : ['show_log']} />}
      <div class="turn-line">
        {reason && !entry.failure && <span>{reason}</span>}
        <span class="dim">{took}</span>
      </div>
    </div>
  );
}
