/** The changes of the session that wait for review, above the composer: to be kept, undone or opened, all together or by file. */
import type { ComponentChild } from 'preact';
import { useRef } from 'preact/hooks';
import type { PendingChanges, PendingFileSummary } from '../../src/core/fileChanges/pendingChanges';
import { ANSWER_DELAY_MS } from '../../src/core/approval/answerDelay';
import type { FromView } from '../../src/core/protocol/view';
import { escapeMisleading } from '../../src/text/characters/textSafety';
import { useSelect, useView } from '../state/context';
import { CheckIcon, draw, UndoIcon } from '../base/icons';
import { t } from '../base/l10n';
import { LineCounts, namedCounts } from '../transcript/diff/counts';
import { Disclosure } from '../components/disclosure';
import { FileAuthors } from '../transcript/diff/fileAuthors';
import { operationLabel } from '../transcript/diff/operationLabel';
import { shortPath } from '../base/strings';
import { useReturnedFocus } from './returnFocus';

const DiffIcon = draw('diff', 'M2.8 2.5h10.4v11H2.8z', 'M8 4.8v4M6 6.8h4M6 11.2h4');

type Act = Extract<FromView, { type: 'review_changes' }>['act'];

/** @param leave puts the focus into the composer */
export function ChangesBar({ leave }: { leave: () => void }) {
  const changes = useSelect((state) => state.pendingChanges);
  const act = useActs(useNewsAt(changes));
  const root = useRef<HTMLDivElement>(null);
  useReturnedFocus(root, leave);
  if (!changes) {
    return null;
  }
  const { files, more = 0, added, removed } = changes;
  const count = files.length + more;
  const text = count === 1 ? t('1 file changed') : t('{count} files changed', { count });
  const label = (
    <>
      <span class="changes-count">{text}</span>
      {added + removed > 0 && <LineCounts added={added} removed={removed} />}
    </>
  );
  return (
    <div class="changes-bar" role="group" aria-label={t('Changes to review')} ref={root}>
      <Disclosure name="pending-changes" label={label} spoken={namedCounts(text, added, removed)}>
        {() => (
          <ul class="changes-list" aria-label={t('Changed files')}>
            {files.map((file) => (
              <FileRow key={file.path} file={file} act={act} />
            ))}
            {more > 0 && <li class="dim">{t('and {count} more', { count: more })}</li>}
          </ul>
        )}
      </Disclosure>
      <span class="changes-actions">
        <Action name={t('Keep')} title={t('Keep all changes of this session')} icon={<CheckIcon />} onClick={() => act('keep')} />
        {files.some(canUndo) && (
          <Action name={t('Undo')} title={t('Undo all changes of this session')} icon={<UndoIcon />} onClick={() => act('undo')} />
        )}
        <Action name={t('Review')} title={t('Review all changes of this session')} icon={<DiffIcon />} onClick={() => act('open')} />
      </span>
    </div>
  );
}

function FileRow({ file, act }: { file: PendingFileSummary; act: (act: Act, path?: string) => void }) {
  const cwd = useSelect((state) => state.cwd);
  const { path, oldPath, operation, added = 0, removed = 0, subagents, unsaved } = file;
  const shown = escapeMisleading(shortPath(path, cwd));
  const text = operationLabel(operation);
  const open = operation === 'add' ? t('Open File') : t('Open Diff');
  return (
    <li class="turn-file">
      <button type="button" class="diff-path" title={escapeMisleading(path)} aria-description={open} onClick={() => act('open', path)}>
        <bdi>
          {oldPath !== undefined && `${escapeMisleading(shortPath(oldPath, cwd))} → `}
          {shown}
        </bdi>
      </button>
      {text && <span class="diff-operation">{text}</span>}
      {unsaved === 'yes' && (
        <span class="diff-operation" title={t('An editor has unsaved changes of this file')}>
          {t('unsaved')}
        </span>
      )}
      <FileAuthors subagents={subagents} />
      {added + removed > 0 && <LineCounts added={added} removed={removed} />}
      <span class="changes-actions">
        <RowAction name={t('Keep')} path={shown} icon={<CheckIcon />} onClick={() => act('keep', path)} />
        {canUndo(file) && <RowAction name={t('Undo')} path={shown} icon={<UndoIcon />} onClick={() => act('undo', path)} />}
        <RowAction name={open} path={shown} icon={<DiffIcon />} onClick={() => act('open', path)} />
      </span>
    </li>
  );
}

interface ActionProps {
  readonly name: string;
  readonly icon: ComponentChild;
  readonly onClick: () => void;
}

function Action({ name, title, icon, onClick }: ActionProps & { readonly title: string }) {
  return (
    <button type="button" class="text-button" aria-label={name} title={title} onClick={once(onClick)}>
      {icon}
      <span>{name}</span>
    </button>
  );
}

function RowAction({ name, path, icon, onClick }: ActionProps & { readonly path: string }) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={t('{action}: {path}', { action: name, path })}
      title={name}
      onClick={once(onClick)}
    >
      {icon}
    </button>
  );
}

/** The second click of a double click would meet the next row, or the composer. */
function once(run: () => void): (event: MouseEvent) => void {
  return (event) => event.detail < 2 && run();
}

/** Returns the time at which the list got a file, or a file got other changes. A file that goes is no news: the user keeps or undoes one after the other. */
function useNewsAt(changes: PendingChanges | undefined): { readonly at: number } {
  const news = useRef({ at: -Infinity, changes: undefined as PendingChanges | undefined });
  const { changes: before } = news.current;
  if (changes !== before) {
    const known = new Set(before?.files.map((file) => JSON.stringify(file)));
    const isNews = changes?.files.some((file) => !known.has(JSON.stringify(file))) || (changes?.more ?? 0) > (before?.more ?? 0);
    news.current.changes = changes;
    news.current.at = isNews ? performance.now() : news.current.at;
  }
  return news.current;
}

/** Posts an act on the session's changes, or on one file's. Nothing is kept or undone in the half second after news: the user meant what was shown before. */
function useActs(news: { readonly at: number }): (act: Act, path?: string) => void {
  const { post, say } = useView();
  return (act, path) => {
    if (act !== 'open' && performance.now() - news.at < ANSWER_DELAY_MS) {
      return;
    }
    post({ type: 'review_changes', act, ...(path !== undefined && { path }) });
    if (act === 'keep') {
      say(t('Changes kept'));
    }
  };
}

function canUndo({ undo }: PendingFileSummary): boolean {
  return undo !== 'no';
}
