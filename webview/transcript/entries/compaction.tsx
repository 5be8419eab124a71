/** Shows where the agent compacted its context. */
import type { CompactionEntry } from '../../../src/core/model/state';
import { compactionText } from '../../../src/text/messages/statusText';
import { useSelect } from '../../state/context';
import { Spinner } from '../../base/icons';
import { t } from '../../base/l10n';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { BlockContent } from '../content/content';
import { Disclosure } from '../../components/disclosure';

export function CompactionView({ entry }: { entry: CompactionEntry }) {
  // A compaction in progress ends when the agent's process ends.
  const isGone = useSelect(({ status }) => status !== 'ready' && status !== 'starting');
  const text =
    isGone && entry.status === 'in_progress'
      ? t('Compacting the conversation was interrupted')
      : compactionText(entry.status, t, (word) => oneLine(word, 40));
  return (
    <div class="entry compaction" role="group" aria-label={text}>
      <div class="rule">
        <span>
          {entry.status === 'in_progress' && !isGone && <Spinner />}
          {text}
        </span>
      </div>
      {entry.error !== undefined && <div class="tool-failure">{escapeMisleading(entry.error)}</div>}
      {entry.summary.length > 0 && (
        <Disclosure name={entry.entryId} label={t('Summary')}>
          {() => entry.summary.map((block, index) => <BlockContent key={index} block={block} name={`${entry.entryId}/${index}`} />)}
        </Disclosure>
      )}
    </div>
  );
}
