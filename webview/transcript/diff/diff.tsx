/** A file's change as hunks, with a button that opens the diff editor. */
import type { FileChange } from '../../../src/core/model/content';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useDisclosure, useSelect, useView } from '../../state/context';
import { t } from '../../base/l10n';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { watchNear } from '../../markdown/code/highlight/nearViewport';
import { shortPath } from '../../base/strings';
import { Counts } from './counts';
import { type DiffColours, HunkView, useDiffColours } from './hunk';
import type { FileDiff } from './hunks';
import { shownChange, useDiff } from './load';
import { firstChangedLine, firstNumber } from './diffLine';
import { operationLabel } from './operationLabel';

/** Lines shown before the user expands the difference. */
const SHORT = 200;

/** The number of changes of an entry that are compared even off the screen. The others are compared near the screen. */
const MAX_EAGER = 4;

interface Props {
  readonly change: FileChange;
  readonly entryId: string;
  /** The index in the entry's content; `index` is that in the content's changes. */
  readonly content: number;
  readonly index: number;
  /** 1-based: the line in the file at which the texts begin, when they are a passage of it and the agent has sent the line. */
  readonly line?: number | undefined;
  /** True for a change that waits for the user's approval. */
  readonly isAsked?: boolean | undefined;
}

export function DiffView({ change: given, entryId, content, index, line, isAsked = false }: Props) {
  const change = shownChange(given);
  const { post } = useView();
  const cwd = useSelect((state) => state.cwd);
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(content + index < MAX_EAGER);
  useLayoutEffect(() => (near ? undefined : watchNear(element.current!, () => setNear(true))), [near]);
  const diff = useDiff(near ? change : undefined);
  const colours = useDiffColours(change);
  const known = typeof diff === 'object' ? diff : undefined;
  const first = known && firstNumber(change, known, line);
  const place = firstChangedLine(known, first) ?? line;
  return (
    <div
      ref={element}
      class={near ? 'diff' : 'diff diff-later'}
      role="group"
      aria-label={t('Changes to {path}', { path: escapeMisleading(shortPath(change.path, cwd)) })}
    >
      <div class="diff-bar">
        <button
          type="button"
          class="diff-path"
          title={escapeMisleading(change.path)}
          onClick={() => post({ type: 'open_location', path: change.path, ...(place !== undefined && { line: place }) })}
        >
          <bdi>
            {change.oldPath !== undefined && `${escapeMisleading(shortPath(change.oldPath, cwd))} → `}
            {escapeMisleading(shortPath(change.path, cwd))}
          </bdi>
        </button>
        {operationLabel(change.operation) && <span class="diff-operation">{operationLabel(change.operation)}</span>}
        {near && <Counts change={change} />}
        {!change.sameText && (
          <button type="button" class="text-button" onClick={() => post({ type: 'open_diff', entryId, content, change: index })}>
            {t('Open Diff')}
          </button>
        )}
      </div>
      {diff === 'no_text' && change.operation !== 'delete' && (
        <div class="diff-note">{change.sameText ? t('No lines changed.') : t("The change isn't shown here.")}</div>
      )}
      {diff === 'too_large' && <div class="diff-note">{t('This change is too large to show here.')}</div>}
      {isAsked && fitText(change) !== '' && <div class="diff-note">{fitText(change)}</div>}
      {typeof diff === 'object' && (
        <Hunks diff={diff} colours={colours} first={first} name={`${entryId}/diff.${content}.${index}`} nothing={nothingText(change)} />
      )}
    </div>
  );
}

/** @param nothing the text for a change that changes no line */
function Hunks({
  diff,
  colours,
  first,
  name,
  nothing,
}: {
  diff: FileDiff;
  colours: DiffColours;
  first: number | undefined;
  name: string;
  nothing: string;
}) {
  const [all, setAll] = useDisclosure(`${name}/all`, false);
  const total = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  if (total === 0) {
    return <div class="diff-note">{nothing}</div>;
  }
  let left = all ? Infinity : SHORT;
  return (
    <>
      <div class="diff-lines" tabIndex={0} dir="ltr" role="group" aria-label={t('Changed lines')}>
        {diff.hunks.map((hunk, index) => {
          const count = Math.max(0, Math.min(left, hunk.lines.length));
          left -= count;
          return <HunkView key={index} lines={hunk.lines} count={count} colours={colours} first={first} shown={!all} />;
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

/** The reason why the line numbers, or the lines, are not those of the file; '' when they are. */
function fitText({ match }: FileChange): string {
  switch (match) {
    case 'spaces':
      return t('White space differs from the file.');
    case 'several':
      return t('The file has the text to replace more than once.');
    case 'missing':
      return t("The file doesn't have the text to replace.");
    default:
      return '';
  }
}

/** The texts may differ only in their line endings, which no line shows. */
function nothingText({ oldText, newText }: FileChange): string {
  if ((oldText ?? '') !== (newText ?? '')) {
    return t('Only line endings changed.');
  }
  return newText === '' && (oldText ?? undefined) === undefined ? t('The file is empty.') : t('No lines changed.');
}
