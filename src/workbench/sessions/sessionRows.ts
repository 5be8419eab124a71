/** Sessions in a list. Pure. */
import { isBusy, isUnresponsive, needsInputOnly, needsYou } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import type { JournalSummary } from '../../session/journal/journalSummary';
import { inert, type InertText, joined, visible } from '../shared/escape';
import { relativeTime } from '../shared/relativeTime';
import { titleOf } from '../shared/sessionTitle';
import type { Translate } from '../shared/translate';

const MAX_TITLE = 100;
const MAX_FOLDER = 120;

export interface SessionRow {
  readonly label: InertText;
  /** How it is. */
  readonly description: InertText;
  /** Agent and folder. */
  readonly detail: InertText;
}

export function sessionRow(state: SessionState, t: Translate): SessionRow {
  return {
    label: visible(titleOf(state), MAX_TITLE),
    description: statusOf(state, t),
    detail: t('{agent} in {folder}', { agent: visible(state.agentName, MAX_TITLE), folder: visible(state.cwd, MAX_FOLDER) }),
  };
}

/** A conversation that only its journal is left of, or that another window has. `now` in ms since the epoch, `language` as BCP 47. */
export function journaledRow(
  { title, marks, agentName, cwd, createdAt, changedAt }: JournalSummary,
  now: number,
  language: string,
  t: Translate,
  isElsewhere = false,
): SessionRow {
  const time = inert(relativeTime(changedAt ?? createdAt, now, language));
  return {
    label: visible(marks.name ?? (title || agentName), MAX_TITLE),
    description: isElsewhere ? joined([t('open in another window'), time], ' · ') : time,
    detail: t('{agent} in {folder}', { agent: visible(agentName, MAX_TITLE), folder: visible(cwd, MAX_FOLDER) }),
  };
}

function statusOf(state: SessionState, t: Translate): InertText {
  switch (state.status) {
    case 'starting':
      return needsYou(state) ? needWords(state, t) : t('starting');
    case 'ready':
      return needsYou(state)
        ? needWords(state, t)
        : isUnresponsive(state)
          ? t('not responding to Stop')
          : isBusy(state)
            ? t('working')
            : t('idle');
    case 'failed':
      return t('failed to start');
    case 'disconnected':
      return t('disconnected');
    case 'ended':
      return t('ended');
  }
}

function needWords(state: SessionState, t: Translate): InertText {
  return needsInputOnly(state) ? t('needs input') : t('needs your answer');
}
