/** Sessions in a list. Pure. */
import { isBusy, isUnresponsive, needsInputOnly, needsYou } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import type { JournalSummary } from '../../session/journal/journalSummary';
import { inert, type InertText, joined, inertLine } from './escape';
import { relativeTime } from './relativeTime';
import { titleOf } from './sessionTitle';
import type { Translate } from './translate';

const MAX_TITLE = 100;
const MAX_FOLDER = 120;

export interface SessionRow {
  readonly label: InertText;
  /** The session's state. */
  readonly description: InertText;
  /** The agent and the folder. */
  readonly detail: InertText;
}

export function sessionRow(state: SessionState, t: Translate): SessionRow {
  return {
    label: inertLine(titleOf(state), MAX_TITLE),
    description: statusOf(state, t),
    detail: t('{agent} in {folder}', { agent: inertLine(state.agentName, MAX_TITLE), folder: inertLine(state.cwd, MAX_FOLDER) }),
  };
}

/** Returns the row of a session that is stored, or open in another window. @param now ms since the epoch @param language a BCP 47 tag */
export function journaledRow(
  { title, marks, agentName, cwd, createdAt, changedAt }: JournalSummary,
  now: number,
  language: string,
  t: Translate,
  isElsewhere = false,
): SessionRow {
  const time = inert(relativeTime(changedAt ?? createdAt, now, language));
  return {
    label: inertLine(marks.name ?? (title || agentName), MAX_TITLE),
    description: isElsewhere ? joined([t('open in another window'), time], ' · ') : time,
    detail: t('{agent} in {folder}', { agent: inertLine(agentName, MAX_TITLE), folder: inertLine(cwd, MAX_FOLDER) }),
  };
}

function statusOf(state: SessionState, t: Translate): InertText {
  switch (state.status) {
    case 'starting':
      return needsYou(state) ? needText(state, t) : t('starting');
    case 'ready':
      return needsYou(state)
        ? needText(state, t)
        : isUnresponsive(state)
          ? t('not responding to Stop')
          : isBusy(state)
            ? t('working')
            : t('idle');
    case 'failed':
      return state.reconnect
        ? t('reconnecting')
        : state.failure?.code === 'agent.start_cancelled'
          ? t('start canceled')
          : t('failed to start');
    case 'disconnected':
      return state.reconnect ? t('reconnecting') : t('disconnected');
    case 'ended':
      return t('ended');
  }
}

function needText(state: SessionState, t: Translate): InertText {
  return needsInputOnly(state) ? t('needs input') : t('needs your answer');
}
