/** Sessions in a list, and all of them in a line. Pure. */
import { isBusy, needsYou } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import type { JournalSummary } from '../../session/journal/journalSummary';
import { inert, type InertText, joined, visible, withIcon } from '../shared/escape';
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

/** A conversation that only its journal is left of. `now` in ms since the epoch, `language` as BCP 47. */
export function journaledRow(
  { title, agentName, cwd, createdAt, changedAt }: JournalSummary,
  now: number,
  language: string,
  t: Translate,
): SessionRow {
  return {
    label: visible(title || agentName, MAX_TITLE),
    description: inert(relativeTime(changedAt ?? createdAt, now, language)),
    detail: t('{agent} in {folder}', { agent: visible(agentName, MAX_TITLE), folder: visible(cwd, MAX_FOLDER) }),
  };
}

function statusOf(state: SessionState, t: Translate): InertText {
  switch (state.status) {
    case 'starting':
      return needsYou(state) ? t('needs your answer') : t('starting');
    case 'ready':
      return needsYou(state) ? t('needs your answer') : isBusy(state) ? t('working') : t('idle');
    case 'failed':
      return t('failed to start');
    case 'disconnected':
      return t('disconnected');
    case 'ended':
      return t('ended');
  }
}

/** True while an agent runs for it, or is being started. */
export function isRunning({ status }: SessionState): boolean {
  return status === 'starting' || status === 'ready';
}

export interface Overview {
  /** Sessions with an agent. */
  readonly running: number;
  /** Sessions that wait for an answer of the user's. */
  readonly needing: number;
}

export function overviewOf(states: readonly SessionState[]): Overview {
  return { running: states.filter(isRunning).length, needing: states.filter(needsYou).length };
}

/** What the status bar shows; undefined when there is nothing to show. */
export function statusBarWords(
  { running, needing }: Overview,
  t: Translate,
): { readonly text: InertText; readonly tooltip: InertText } | undefined {
  if (running === 0 && needing === 0) {
    return undefined;
  }
  const sessions = running === 1 ? t('1 agent session is running') : t('{running} agent sessions are running', { running });
  const text = withIcon('comment-discussion', inert(String(running)));
  if (needing === 0) {
    return { text, tooltip: sessions };
  }
  const need = needing === 1 ? t('1 needs your answer') : t('{needing} need your answer', { needing });
  return { text: joined([text, withIcon('bell-dot', inert(String(needing)))], ' '), tooltip: t('{sessions}, {need}', { sessions, need }) };
}
