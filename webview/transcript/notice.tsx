/** Something to know that nobody said: from the agent, or ours when it carries a failure. */
import type { NoticeEntry } from '../../src/core/state';
import { InfoIcon, WarningIcon } from '../icons';
import { failureWords } from '../failures';
import { oneLine, visible } from '../markdown/bidi';

export function NoticeView({ entry }: { entry: NoticeEntry }) {
  const severe = entry.severity === 'error' || entry.severity === 'warning';
  const words = entry.failure ? visible(failureWords(entry.failure)) : '';
  return (
    <div class={`entry notice ${severe ? `notice-${entry.severity}` : ''}`} role="note">
      {severe ? <WarningIcon /> : <InfoIcon />}
      <div>
        {entry.title && <div class="notice-title">{oneLine(entry.title)}</div>}
        {words && <div>{words}</div>}
        {entry.description !== undefined && <div class="notice-description">{visible(entry.description)}</div>}
        {entry.failure?.detail !== undefined && (
          <pre class="failure-detail" tabIndex={0}>
            {visible(entry.failure.detail)}
          </pre>
        )}
      </div>
    </div>
  );
}
