/** A file's change as hunks, with a way into the diff editor. */
import type { FileChange } from '../../src/core/content';
import { useFold, useSelect, useView } from '../context';
import { t } from '../l10n';
import { visible } from '../markdown/bidi';
import { shortPath } from '../words';
import { Counts } from './diffCounts';
import { type DiffColours, HunkView, useDiffColours } from './diffHunk';
import type { FileDiff } from './diffHunks';
import { useDiff } from './diffLoad';
import { operationWord } from './operationWord';

/** Lines shown before one asks for more. */
const SHORT = 200;

interface Props {
  readonly change: FileChange;
  readonly entryId: string;
  /** Its place in the entry's content, and in that content's changes. */
  readonly content: number;
  readonly index: number;
}

export function DiffView({ change, entryId, content, index }: Props) {
  const { post } = useView();
  const cwd = useSelect((state) => state.cwd);
  const diff = useDiff(change);
  const colours = useDiffColours(change);
  return (
    <div class="diff" role="group" aria-label={t('Changes to {path}', { path: visible(shortPath(change.path, cwd)) })}>
      <div class="diff-bar">
        <button type="button" class="diff-path" title={visible(change.path)} onClick={() => post({ type: 'open_location', path: change.path })}>
          <bdi>
            {change.oldPath !== undefined && `${visible(shortPath(change.oldPath, cwd))} → `}
            {visible(shortPath(change.path, cwd))}
          </bdi>
        </button>
        {operationWord(change.operation) && <span class="diff-operation">{operationWord(change.operation)}</span>}
        <Counts change={change} />
        <button type="button" class="text-button" onClick={() => post({ type: 'open_diff', entryId, content, change: index })}>
          {t('Open Diff')}
        </button>
      </div>
      {diff === 'no_text' && change.operation !== 'delete' && <div class="diff-note">{t('The change is not shown here.')}</div>}
      {diff === 'too_large' && <div class="diff-note">{t('This change is too large to show here.')}</div>}
      {typeof diff === 'object' && <Hunks diff={diff} colours={colours} name={`${entryId}/diff.${content}.${index}`} />}
    </div>
  );
}

function Hunks({ diff, colours, name }: { diff: FileDiff; colours: DiffColours; name: string }) {
  const [all, setAll] = useFold(`${name}/all`, false);
  const total = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  if (total === 0) return <div class="diff-note">{t('No lines change.')}</div>;
  let left = all ? Infinity : SHORT;
  return (
    <>
      <div class="diff-lines" tabIndex={0} dir="ltr" role="group" aria-label={t('Changed lines')}>
        {diff.hunks.map((hunk, index) => {
          const count = Math.max(0, Math.min(left, hunk.lines.length));
          left -= count;
          return <HunkView key={index} lines={hunk.lines} count={count} colours={colours} />;
        })}
      </div>
      {!all && total > SHORT && (
        <button type="button" class="text-button" onClick={() => setAll(true)}>
          {t('Show all {count} lines', { count: total })}
        </button>
      )}
    </>
  );
}
