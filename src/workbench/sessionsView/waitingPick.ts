/** **ACP: Show Waiting Questions…**: the questions of all sessions. A row leads to its card. */
import * as vscode from 'vscode';
import { entryIdOf } from '../../core/model/state';
import type { Sessions } from '../../session/sessions';
import { questionAfter, type WaitingQuestion, waitingQuestions } from '../../application/sessionsView/waitingQuestions';
import type { SessionPanels } from '../chat/panels';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, window } from '../shared/window';

interface WaitingPickDependencies {
  readonly sessions: Pick<Sessions, 'all' | 'get'>;
  readonly panels: Pick<SessionPanels, 'open' | 'post'>;
  readonly activity: Pick<UserActivity, 'during' | 'sightOf'>;
}

type Row = Item & { readonly question: WaitingQuestion };

export async function showWaitingQuestions({ sessions, panels, activity }: WaitingPickDependencies): Promise<void> {
  const questions = waitingQuestions(sessions.all, t);
  if (questions.length === 0) {
    void window.showInformationMessage(t('No agent is waiting for an answer.'));
    return;
  }
  const rows = questions.map((question): Row => {
    const { label, description, detail, icon } = question;
    return { question, label, description, ...(detail !== undefined && { detail }), iconPath: new vscode.ThemeIcon(icon) };
  });
  const options = {
    title: t('Waiting Questions'),
    placeHolder: t('Select a question to answer it'),
    matchOnDescription: true,
    matchOnDetail: true,
  };
  const chosen = await activity.during(() => window.showQuickPick(rows, options));
  if (chosen) {
    showQuestion(chosen.question, { sessions, panels });
  }
}

/** Shows the question after the one that has the focus. False when there is none. */
export function showNextQuestion(deps: WaitingPickDependencies): boolean {
  const prefix = entryIdOf.permission('');
  const hasFocus = ({ sessionKey, entryId }: WaitingQuestion): boolean =>
    entryId.startsWith(prefix) && deps.activity.sightOf(sessionKey, entryId.slice(prefix.length)) === 'focused';
  const next = questionAfter(waitingQuestions(deps.sessions.all, t), hasFocus);
  return next !== undefined && showQuestion(next, deps);
}

function showQuestion(
  { sessionKey, entryId }: WaitingQuestion,
  { sessions, panels }: Pick<WaitingPickDependencies, 'sessions' | 'panels'>,
): boolean {
  const session = sessions.get(sessionKey);
  if (session) {
    panels.open(session, 'permission');
    panels.post(session.key, { type: 'focus', target: 'permission', entryId });
  }
  return session !== undefined;
}
