/**
 * The report of the user's changes that the next prompt sends to the agent, as chips among the attachments. The user can read a change, apply it
 * again or remove it.
 */
import type { ChangeReportSummary, ReportedFile } from '../../src/core/fileChanges/changeReport';
import { escapeMisleading } from '../../src/text/characters/textSafety';
import { reportedFileText, reportText } from '../../src/text/messages/attachments';
import { useSelect, useView } from '../state/context';
import { CrossIcon, RedoIcon, UndoIcon } from '../base/icons';
import { t } from '../base/l10n';

/** Files that have their own chip; more files share one. */
const MAX_CHIPS = 3;

export function useChangeReport(): ChangeReportSummary | undefined {
  return useSelect((state) => state.changeReport);
}

export function ChangeReportChips({ files }: { files: ChangeReportSummary }) {
  if (files.length > MAX_CHIPS) {
    const text = reportText(files, t);
    return <Chip text={text} title={files.map(({ path }) => escapeMisleading(path)).join('\n')} applies={files.some(isUndone)} />;
  }
  return (
    <>
      {files.map((file) => (
        <Chip
          key={file.path}
          text={reportedFileText(file, t)}
          title={escapeMisleading(file.path)}
          path={file.path}
          applies={isUndone(file)}
        />
      ))}
    </>
  );
}

interface ChipProps {
  readonly text: string;
  readonly title: string;
  /** Absent for all files together. */
  readonly path?: string;
  /** True when at least one change can be applied again. */
  readonly applies: boolean;
}

function Chip({ text, title, path, applies }: ChipProps) {
  const { post, say, composer } = useView();
  const which = path === undefined ? {} : { path };
  const remove = () => {
    // The chip is removed, so the focus moves to the composer.
    composer.focus();
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
        {text}
      </button>
      {applies && (
        <button
          type="button"
          class="icon-button"
          aria-label={t('Apply Again: {changes}', { changes: text })}
          title={t('Apply Again')}
          onClick={() => post({ type: 'change_report', act: 'apply', ...which })}
        >
          <RedoIcon />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={t('Remove {name}', { name: text })}
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
