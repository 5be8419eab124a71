/** The numbers of lines that a tool call adds and removes. */
import type { FileChange } from '../../../src/core/model/content';
import { fileInTurn } from '../../../src/core/toolCalls/fileInTurn';
import type { ToolCallEntry } from '../../../src/core/model/state';
import { useSelect } from '../../state/context';
import { t } from '../../base/l10n';
import { useDiff, useDiffs, shownChange } from './load';

/** The most changes of a tool call whose lines are counted for its header. */
const MAX_COUNTED = 20;

/** The sums of all changes and the number of their files, for the header. */
export function ChangeCounts({ entry }: { entry: ToolCallEntry }) {
  const changes = entry.content.flatMap((each) => (each.type === 'diff' ? each.changes.map(shownChange) : []));
  const diffs = useDiffs(changes.length > MAX_COUNTED ? [] : changes);
  if (changes.length === 0) {
    return EDITS.has(entry.toolKind) && entry.status === 'completed' ? <TurnCounts entry={entry} /> : null;
  }
  const files = new Set(changes.map(({ path }) => path)).size;
  const counted = diffs.filter((diff) => typeof diff === 'object');
  return (
    <>
      {files > 1 && <span class="dim tool-files">{t('{files} files', { files })}</span>}
      {counted.length > 0 && counted.length === diffs.length && (
        <LineCounts
          added={counted.reduce((sum, diff) => sum + diff.added, 0)}
          removed={counted.reduce((sum, diff) => sum + diff.removed, 0)}
        />
      )}
    </>
  );
}

const EDITS: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/** The line counts of the file in the turn's changes, for a call whose agent sent no difference. */
function TurnCounts({ entry }: { entry: ToolCallEntry }) {
  const file = useSelect((state) => fileInTurn(state, entry));
  return file?.added === undefined ? null : <LineCounts added={file.added} removed={file.removed ?? 0} />;
}

export function Counts({ change }: { change: FileChange }) {
  const diff = useDiff(change);
  return typeof diff === 'object' ? <LineCounts added={diff.added} removed={diff.removed} /> : null;
}

/** Returns the name of a button with a text and line counts, which would follow each other without a space. */
export function namedCounts(text: string, added: number, removed: number): string | undefined {
  return added + removed > 0 ? `${text}, +${added} −${removed}` : undefined;
}

export function LineCounts({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="counts" role="img" aria-label={t('Lines added: {added}, removed: {removed}', { added, removed })}>
      <span class="count-add">+{added}</span>
      <span class="count-del">−{removed}</span>
    </span>
  );
}
