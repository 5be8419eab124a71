/** The end of a turn: how long it took, and why it ended when that is not simply because it was done. */
import type { TurnEntry } from '../../src/core/state';
import { useSelect } from '../context';
import { duration, stopReasonWords } from '../words';
import { FailureBox } from './failureBox';

export function TurnView({ entry }: { entry: TurnEntry }) {
  const reason = stopReasonWords(entry.stopReason);
  const took = duration(entry.at - entry.startedAt);
  const { failure } = entry;
  // While the banner says all of it, once is enough; after a restart the turn says it alone.
  const inBanner = useSelect(({ status, failure: current }) => status === 'disconnected' && current?.code === failure?.code && current?.detail === failure?.detail);
  return (
    <div class="entry turn">
      {failure && inBanner && <FailureBox failure={{ code: failure.code, ...(failure.params && { params: failure.params }) }} brief />}
      {failure && !inBanner && <FailureBox failure={failure} actions={['show_log']} />}
      <div class="turn-line">
        {reason && !failure && <span>{reason}</span>}
        <span class="dim">{took}</span>
      </div>
    </div>
  );
}
