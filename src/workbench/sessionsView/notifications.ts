/** Notifies that an agent has finished or needs the user, unless the user sees it anyway (`acpHost.notifications`, `acpHost.notificationSound`). */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { isUnresponsive, needsInputOnly, needsYou } from '../../core/model/select';
import { askingSubagent } from '../../core/subagents/subagentTree';
import type { Session } from '../../session/session';
import { sessionTitle } from '../../text/transcript/sessionTitle';
import { DisposableStore } from '../../util/disposable';
import type { SessionPanels } from '../chat/panels';
import type { PermissionPresentation } from '../permission/presentation';
import type { SessionList } from '../sessions/statusBar';
import { TurnEnds } from '../sessions/turnEnds';
import { UnresponsiveSessions } from './unresponsiveSessions';
import { type InertText, inertLine } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { turnEndText } from './turnEndText';
import { isWanted, type NotificationsSetting, questionIsNotified } from '../../application/sessionsView/notificationRules';
import { userValue } from '../settings/userValue';

const MAX_NAME = 80;

export interface NotificationDependencies {
  readonly sessions: SessionList;
  readonly panels: Pick<SessionPanels, 'isVisible' | 'open' | 'post' | 'onDidChangeActive'>;
  readonly presentation: Pick<PermissionPresentation, 'value'>;
  readonly activity: Pick<UserActivity, 'focus'>;
  restartAgent(session: Session): Promise<void>;
}

export function notifyOfSessions({ sessions, panels, presentation, activity, restartAgent }: NotificationDependencies): Disposable {
  const store = new DisposableStore();
  const sight = (key: string) => ({ window: vscode.window.state.focused, session: panels.isVisible(key) });
  const notify = async (session: Session, sound: 'finished' | 'needsYou', text: InertText, isFailure: boolean): Promise<void> => {
    const { window: hasFocus, session: isShown } = sight(session.key);
    if (!(hasFocus && isShown) && userValue<boolean>(settings.notificationSound) === true) {
      // The sound is played by a visible page, so that the user hears it even when the extension runs on another machine.
      const shown = sessions.all.find(({ key }) => panels.isVisible(key));
      if (shown) {
        panels.post(shown.key, { type: 'sound', sound });
      }
    }
    if (!isWanted(userValue<NotificationsSetting>(settings.notifications), { window: hasFocus, session: isShown })) {
      return;
    }
    const show = t('Show Session');
    const shown = isFailure ? window.showWarningMessage(text, show) : window.showInformationMessage(text, show);
    if ((await shown) === show) {
      panels.open(session, sound === 'needsYou' ? 'permission' : 'composer');
    }
  };
  store.add(
    new TurnEnds(sessions, (session, end) => {
      void notify(
        session,
        'finished',
        turnEndText(end, notificationText(session), t),
        end.failure !== undefined || end.unanswered === true,
      );
    }),
  );
  const needing = new Set<string>();
  store.add(
    sessions.onChange(() => {
      for (const session of sessions.all) {
        const { key, store } = session;
        const before = needing.has(key);
        const now = needsYou(store.state);
        if (now === before) {
          continue;
        }
        if (!now) {
          needing.delete(key);
          continue;
        }
        needing.add(key);
        // A question that has its own notification is not reported twice.
        if (!questionIsNotified(store.state, presentation.value, panels.isVisible(key), activity.focus !== undefined)) {
          void notify(
            session,
            'needsYou',
            needsInputOnly(store.state)
              ? t('{agent}: a command is waiting for input: {title}', notificationText(session))
              : answerText(session),
            false,
          );
        }
      }
    }),
  );
  const unresponsive = new UnresponsiveSessions(sessions, {
    isVisible: (key) => panels.isVisible(key),
    offer: async (session) => {
      const restart = t('Restart Agent');
      const show = t('Show Session');
      // Shown regardless of `acpHost.notifications`, because the user has pressed Stop.
      const answer = await window.showWarningMessage(
        t("{agent} isn't responding to Stop: {title}. Restarting the agent also restarts its other sessions.", notificationText(session)),
        restart,
        show,
      );
      if (answer === show) {
        panels.open(session, 'composer');
      } else if (answer === restart && isUnresponsive(session.store.state)) {
        await restartAgent(session);
      }
    },
  });
  store.add(unresponsive);
  // The page that showed the offer may be closed.
  const look = (): void => unresponsive.update();
  store.add(panels.onDidChangeActive(look));
  store.add(vscode.window.tabGroups.onDidChangeTabs(look));
  return store;
}

function answerText(session: Session): InertText {
  const askedBy = askingSubagent(session.store.state);
  return askedBy === undefined
    ? t('{agent} needs your answer: {title}', notificationText(session))
    : t('Sub-agent {name} of {agent} needs your answer: {title}', {
        ...notificationText(session),
        name: inertLine(askedBy, MAX_NAME),
      });
}

function notificationText({ agentName, store }: Session): { readonly agent: InertText; readonly title: InertText } {
  return { agent: inertLine(agentName, MAX_NAME), title: inertLine(sessionTitle(store.state), MAX_NAME) };
}
