/** Something to know that nobody said: from the agent, or ours when it carries a failure. */
import type { NoticeEntry } from '../../src/core/state';
import { InfoIcon, WarningIcon } from '../icons';
import { failureWords } from '../failures';
import { t } from '../l10n';
import { oneLine, visible } from '../markdown/bidi';
import { severityWord } from '../words';

export function NoticeView({ entry }: { entry: NoticeEntry }) {
  const severe = entry.severity === 'error' || entry.severity === 'warning';
  const words = entry.failure ? visible(failureWords(entry.failure)) : '';
  return (
    <div class={`entry notice ${severe ? `notice-${entry.severity}` : ''} ${entry.failure ? '' : 'notice-quiet'}`} role="note" aria-label={severityWord(entry.severity)}>
      {severe ? <WarningIcon /> : <InfoIcon />}
      <div>
        {entry.title && <div class="notice-title">{oneLine(entry.title)}</div>}
        {words && <div>{words}</div>}
        {entry.description !== undefined && (
          // Long ones scroll, also without a mouse.
          <div class="notice-description" {...(entry.description.length > 1000 && { tabIndex: 0, role: 'group', 'aria-label': t('Details') })}>
            {visible(entry.description)}
          </div>
        )}
        {entry.failure?.detail !== undefined && (
          <pre class="failure-detail" tabIndex={0}>
            {visible(entry.failure.detail)}
          </pre>
        )}
      </div>
    </div>
  );
}
