/** A notice: from the agent, or from ACP Host when it has a failure. */
import type { Failure } from '../../../src/core/model/failure';
import type { ViewAction } from '../../failures/failureActions';
import { Actions } from '../../failures/failureBox';
import { isAbsent, type NoticeEntry } from '../../../src/core/model/state';
import { useDisclosure, useSelect, useView } from '../../state/context';
import { InfoIcon, WarningIcon } from '../../base/icons';
import { adviceText, failureText } from '../../failures/failures';
import { t } from '../../base/l10n';
import { oneLine, escapeMisleading } from '../../../src/text/characters/textSafety';
import { severityLabel } from '../../base/strings';

export function NoticeView({ entry }: { entry: NoticeEntry }) {
  const severe = entry.severity === 'error' || entry.severity === 'warning';
  const text = entry.failure ? escapeMisleading(`${failureText(entry.failure)} ${adviceText(entry.failure)}`.trim()) : '';
  return (
    <div
      class={`entry notice ${severe ? `notice-${entry.severity}` : ''} ${entry.failure ? '' : 'quiet-notice'}`}
      role="note"
      aria-label={severityLabel(entry.severity)}
    >
      {severe ? <WarningIcon /> : <InfoIcon />}
      <div>
        {entry.title && <div class="notice-title">{oneLine(entry.title)}</div>}
        {text && <div>{text}</div>}
        {entry.description !== undefined && <Description text={entry.description} name={entry.entryId} />}
        {entry.failure?.detail !== undefined && (
          <pre class="failure-detail" tabIndex={0}>
            {escapeMisleading(entry.failure.detail.trimEnd())}
          </pre>
        )}
        {entry.failure?.code === 'session.restored' && <UndoRestore entryId={entry.entryId} />}
        {entry.failure?.code.startsWith('mcp.') && <ServerButton entryId={entry.entryId} failure={entry.failure} />}
        {entry.failure?.code.startsWith('changes.') && <SavedLines entryId={entry.entryId} code={entry.failure.code} />}
        {entry.actions && <NoticeActions actions={entry.actions} />}
      </div>
    </div>
  );
}

/** The actions of the agent that the session has, too. Retry is at the end of the failed turn. */
function NoticeActions({ actions }: { actions: readonly string[] }) {
  const canSignIn = useSelect(({ authMethods }) => authMethods.length > 0);
  const known: readonly ViewAction[] = [
    ...(canSignIn && actions.includes('login') ? (['sign_in'] as const) : []),
    ...(actions.includes('new_session') ? (['continue_in_new'] as const) : []),
  ];
  return known.length === 0 ? null : <Actions actions={known} quiet />;
}

/** The buttons of a notice about saved lines that an agent's write removed. */
function SavedLines({ entryId, code }: { entryId: string; code: string }) {
  const { post } = useView();
  const [isDone, setDone] = useDisclosure(`${entryId}/back`, false);
  const act = (what: 'compare' | 'put_back'): void => post({ type: 'saved_lines', act: what, entryId });
  const putBack = (): void => {
    setDone(true);
    act('put_back');
  };
  return (
    <div>
      {code === 'changes.overwritten' && !isDone && (
        <button type="button" class="text-button notice-more" onClick={putBack}>
          {t('Put Lines Back')}
        </button>
      )}
      <button type="button" class="text-button notice-more" onClick={() => act('compare')}>
        {t('Compare')}
      </button>
    </div>
  );
}

/** The notices about MCP servers that only report what was done. */
const DONE: ReadonlySet<string> = new Set(['mcp.current', 'mcp.decided', 'mcp.settled']);

/** The button of the newest notice of its kind about MCP servers: the restart, the questions, or the list. A later click does what is needed then. */
function ServerButton({ entryId, failure }: { entryId: string; failure: Failure }) {
  const { post } = useView();
  const { code, params } = failure;
  const isReady = useSelect(({ status }) => status === 'ready');
  const isNewest = useIsNewest(
    entryId,
    (later) => later.code === code && (code !== 'mcp.input_missing' || later.params?.servers === params?.servers),
  );
  if (!isReady || !isNewest || DONE.has(code)) {
    return null;
  }
  if (code === 'mcp.changed' || code === 'mcp.not_continued') {
    return (
      <button type="button" class="text-button notice-more" onClick={(event) => event.detail < 2 && post({ type: 'servers_restart' })}>
        {code === 'mcp.changed' ? t('Restart with These Servers') : t('Restart Agent')}
      </button>
    );
  }
  const isSignIn = code === 'mcp.sign_in';
  const isQuestion = isSignIn || code === 'mcp.not_agreed' || code === 'mcp.input_missing';
  return (
    <button type="button" class="text-button notice-more" onClick={() => post({ type: isQuestion ? 'servers_review' : 'servers_choose' })}>
      {isSignIn ? t('Sign In…') : isQuestion ? t('Review…') : t('MCP Servers…')}
    </button>
  );
}

/** Entries after a notice beyond which its button is gone, so that no event searches a long conversation. */
const MAX_LATER = 200;

/** Returns false when a later notice takes the place of this one. */
function useIsNewest(entryId: string, replaces: (later: Failure) => boolean): boolean {
  return useSelect(({ entries }) => {
    const index = entries.indexOf(entryId);
    for (let at = entries.length - 1; at > index && at > entries.length - MAX_LATER; at--) {
      const slot = entries.headAt(at)?.kind === 'notice' ? entries.at(at) : undefined;
      if (slot?.kind === 'notice' && !isAbsent(slot) && slot.failure && replaces(slot.failure)) {
        return false;
      }
    }
    return index > entries.length - MAX_LATER;
  });
}

/** The button of the newest notice about a restore. */
function UndoRestore({ entryId }: Pick<NoticeEntry, 'entryId'>) {
  const { post } = useView();
  const isNewest = useIsNewest(entryId, ({ code }) => code === 'session.restored' || code === 'session.undone');
  return isNewest ? (
    <button type="button" class="text-button notice-more" onClick={() => post({ type: 'undo_restore' })}>
      {t('Undo Restore')}
    </button>
  ) : null;
}

/** The UTF-16 units and lines of a description that are shown at first. A slightly longer one is shown without a button. */
const UNITS = 400;
const LINES = 6;
const SLACK = 1.25;

function Description({ text, name }: { text: string; name: string }) {
  const [all, setAll] = useDisclosure(`${name}/all`, false);
  const isLong = text.length > UNITS * SLACK || text.split('\n', LINES * 2).length > LINES * SLACK;
  const shown = isLong && !all ? `${text.split('\n', LINES).join('\n').slice(0, UNITS).toWellFormed().trimEnd()}…` : text;
  return (
    <>
      <div class="notice-description">{escapeMisleading(shown)}</div>
      {isLong && (
        <button type="button" class="text-button notice-more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('Show less') : t('Show more')}
        </button>
      )}
    </>
  );
}
