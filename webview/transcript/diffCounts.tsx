/** How many lines a tool call adds and removes. */
import type { FileChange, ToolContent } from '../../src/core/content';
import { t } from '../l10n';
import { useDiff } from './diffLoad';

/** For the header: of the first change, and how many more there are. */
export function ChangeCounts({ content }: { content: readonly ToolContent[] }) {
  const changes = content.flatMap((each) => (each.type === 'diff' ? each.changes : []));
  const [first] = changes;
  if (!first) return null;
  return (
    <>
      <Counts change={first} />
      {changes.length > 1 && <span class="dim">{t('and {count} more', { count: changes.length - 1 })}</span>}
    </>
  );
}

export function Counts({ change }: { change: FileChange }) {
  const diff = useDiff(change);
  return typeof diff === 'object' ? <LineCounts added={diff.added} removed={diff.removed} /> : null;
}

export function LineCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="counts" role="img" aria-label={t('Lines added: {added}, removed: {removed}', { added, removed })}>
      <span class="count-add">+{added}</span>
      <span class="count-del">−{removed}</span>
    </span>
  );
}
