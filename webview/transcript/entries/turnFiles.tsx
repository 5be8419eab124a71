/** The files that a turn changed: one line that opens the list, with a button for each file's difference. */
import type { TurnChanges, TurnFile } from '../../../src/core/fileChanges/turnFiles';
import { useSelect, useView } from '../../state/context';
import { FileIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { escapeMisleading } from '../../../src/text/characters/textSafety';
import { shortPath } from '../../base/strings';
import { LineCounts, namedCounts } from '../diff/counts';
import { Disclosure } from '../../components/disclosure';
import { FileAuthors } from '../diff/fileAuthors';
import { operationLabel } from '../diff/operationLabel';

export function TurnFiles({ changes, entryId }: { changes: TurnChanges; entryId: string }) {
  const { files, more = 0 } = changes;
  const count = files.length + more;
  const counted = files.filter(({ added }) => added !== undefined);
  const isWhole = counted.length === count;
  const added = counted.reduce((sum, file) => sum + file.added!, 0);
  const removed = counted.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  const text = count === 1 ? t('1 file changed') : t('{count} files changed', { count });
  const label = (
    <>
      <span>{text}</span>
      {added + removed > 0 && <LineCounts added={added} removed={removed} />}
      {added + removed > 0 && !isWhole && (
        <span title={t("Changed lines aren't known for some files.")}>
          …<span class="sr-only">{t("Changed lines aren't known for some files.")}</span>
        </span>
      )}
    </>
  );
  return (
    <Disclosure name={`${entryId}/files`} label={label} spoken={isWhole ? namedCounts(text, added, removed) : undefined} class="turn-files">
      {() => (
        <ul class="turn-file-list" aria-label={t('Changed files')}>
          {files.map((file, index) => (
            <FileRow key={file.path} file={file} entryId={entryId} index={index} />
          ))}
          {more > 0 && <li class="dim">{t('and {count} more', { count: more })}</li>}
        </ul>
      )}
    </Disclosure>
  );
}

function FileRow({ file, entryId, index }: { file: TurnFile; entryId: string; index: number }) {
  const { post } = useView();
  const cwd = useSelect((state) => state.cwd);
  const { path, oldPath, operation, added, removed, kept, noBefore, subagents } = file;
  const hasText = file.hasText || kept;
  const shown = escapeMisleading(shortPath(path, cwd));
  const isGone = operation === 'delete';
  const text = operationLabel(operation);
  const name = (
    <bdi>
      {oldPath !== undefined && `${escapeMisleading(shortPath(oldPath, cwd))} → `}
      {shown}
    </bdi>
  );
  return (
    <li class="turn-file">
      <FileIcon />
      {hasText || !isGone ? (
        <button
          type="button"
          class="diff-path"
          title={escapeMisleading(path)}
          aria-description={hasText ? t('Open Diff') : t('Open File')}
          onClick={() => post({ type: 'open_turn_file', entryId, file: index })}
        >
          {name}
        </button>
      ) : (
        <span class="turn-file-gone" title={escapeMisleading(path)}>
          {name}
        </span>
      )}
      {text && <span class="diff-operation">{text}</span>}
      <FileAuthors subagents={subagents} />
      {noBefore && <span class="diff-operation">{t('No earlier version kept')}</span>}
      {added !== undefined && added + (removed ?? 0) > 0 && <LineCounts added={added} removed={removed ?? 0} />}
      {hasText && !isGone && (
        <button
          type="button"
          class="text-button"
          aria-label={t('Open File {path}', { path: shown })}
          onClick={() => post({ type: 'open_location', path })}
        >
          {t('Open File')}
        </button>
      )}
    </li>
  );
}
