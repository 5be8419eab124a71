/** What the next prompt tells the agent of its changes, as chips among the attachments: to be read, applied again, or taken out. */
import type { ChangeReportSummary, ReportedFile } from '../../src/core/fileChanges/changeReport';
import { oneLine, visible } from '../../src/text/characters/textSafety';
import { useSelect, useView } from '../context';
import { CrossIcon, RedoIcon, UndoIcon } from '../icons';
import { t } from '../l10n';
import { baseName } from '../words';

/** Files that have a chip of their own; more of them have one together. */
const MOST_CHIPS = 3;

export function useChangeReport(): ChangeReportSummary | undefined {
  return useSelect((state) => state.changeReport);
}

export function ChangeReportChips({ files }: { files: ChangeReportSummary }) {
  if (files.length > MOST_CHIPS) {
    const words = t('Your changes in {count} files', { count: files.length });
    return <Chip words={words} title={files.map(({ path }) => visible(path)).join('\n')} applies={files.some(isUndone)} />;
  }
  return (
    <>
      {files.map((file) => (
        <Chip key={file.path} words={fileWords(file)} title={visible(file.path)} path={file.path} applies={isUndone(file)} />
      ))}
    </>
  );
}

interface ChipProps {
  readonly words: string;
  readonly title: string;
  /** Absent: of all files. */
  readonly path?: string;
  /** Something of it can be applied again. */
  readonly applies: boolean;
}

function Chip({ words, title, path, applies }: ChipProps) {
  const { post, say } = useView();
  const which = path === undefined ? {} : { path };
  const remove = (event: MouseEvent) => {
    // The chip goes, and the keyboard stays in the composer.
    (event.currentTarget as HTMLElement).closest('form')?.querySelector('textarea')?.focus();
    post({ type: 'change_report', act: 'remove', ...which });
    say(t('The agent will not be told.'));
  };
  return (
    <li class="chip chip-still change-report">
      <UndoIcon />
      <button
        type="button"
        class="change-report-name"
        title={`${title}\n${t('The agent is told with your next message. Select to see the changes.')}`}
        onClick={() => post({ type: 'change_report', act: 'open', ...which })}
      >
        {words}
      </button>
      {applies && (
        <button
          type="button"
          class="icon-button"
          aria-label={t('Apply Again: {changes}', { changes: words })}
          title={t('Apply Again')}
          onClick={() => post({ type: 'change_report', act: 'apply', ...which })}
        >
          <RedoIcon />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={t('Remove {name}', { name: words })}
        title={t("Don't Tell the Agent")}
        onClick={remove}
      >
        <CrossIcon />
      </button>
    </li>
  );
}

function isUndone({ undone = 0, whole }: ReportedFile): boolean {
  return undone > 0 || whole === 'undone';
}

function fileWords({ path, undone = 0, changed = 0, applied = 0, whole }: ReportedFile): string {
  const file = oneLine(baseName(path), 60);
  const count = undone + changed + applied;
  if (whole !== undefined) {
    return whole === 'restored' ? t('{file} restored', { file }) : t('All changes undone in {file}', { file });
  }
  if (undone === count) {
    return count === 1 ? t('1 change undone in {file}', { file }) : t('{count} changes undone in {file}', { count, file });
  }
  if (changed === count) {
    return count === 1 ? t('1 change edited in {file}', { file }) : t('{count} changes edited in {file}', { count, file });
  }
  if (applied === count) {
    return count === 1 ? t('1 change applied again in {file}', { file }) : t('{count} changes applied again in {file}', { count, file });
  }
  return t('{count} changes undone or edited in {file}', { count, file });
}
