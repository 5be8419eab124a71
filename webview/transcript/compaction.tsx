/** Where the agent made its memory of the conversation shorter. */
import type { CompactionEntry } from '../../src/core/state';
import { Spinner } from '../icons';
import { t } from '../l10n';
import { visible } from '../markdown/bidi';
import { BlockContent } from './content';
import { Fold } from './fold';

export function CompactionView({ entry }: { entry: CompactionEntry }) {
  const words =
    entry.status === 'completed'
      ? t('The conversation was compacted')
      : entry.status === 'failed'
        ? t('Compacting the conversation failed')
        : t('Compacting the conversation…');
  return (
    <div class="entry compaction" role="group" aria-label={words}>
      <div class="rule">
        <span>
          {entry.status === 'in_progress' && <Spinner />}
          {words}
        </span>
      </div>
      {entry.error !== undefined && <div class="tool-failure">{visible(entry.error)}</div>}
      {entry.summary.length > 0 && (
        <Fold name={entry.entryId} label={t('Summary')}>
          {() => entry.summary.map((block, index) => <BlockContent key={index} block={block} name={`${entry.entryId}/${index}`} />)}
        </Fold>
      )}
    </div>
  );
}
