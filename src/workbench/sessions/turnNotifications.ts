/** Says that a turn has ended where nobody looks, for users who want that (`acpHost.notifyOnTurnEnd`). */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/model/ports';
import type { TurnEntry } from '../../core/model/state';
import type { Session } from '../../session/session';
import { sessionTitle } from '../../text/transcript/sessionTitle';
import { visible } from '../shared/escape';
import { settings } from '../shared/ids';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import type { SessionList } from './statusBar';
import { TurnEnds } from './turnEnds';

/** `SessionPanels`, as far as notifications go. */
interface Panels {
  isVisible(sessionKey: string): boolean;
  open(session: Session): void;
}

const MAX_NAME = 80;

export function notifyTurnEnds(sessions: SessionList, panels: Panels): Disposable {
  return new TurnEnds(sessions, (session, turn) => {
    const isSeen = vscode.window.state.focused && panels.isVisible(session.key);
    if (!isSeen && vscode.workspace.getConfiguration().get(settings.notifyOnTurnEnd) === 'whenHidden') {
      void notify(session, turn).then((shows) => shows && panels.open(session));
    }
  });
}

/** True when the user wants to see the session. */
async function notify({ agentName, store }: Session, { failure }: TurnEntry): Promise<boolean> {
  const show = t('Show Session');
  const words = { agent: visible(agentName, MAX_NAME), title: visible(sessionTitle(store.state), MAX_NAME) };
  const button = await (failure
    ? window.showWarningMessage(t('{agent} could not finish: {title}', words), show)
    : window.showInformationMessage(t('{agent} finished: {title}', words), show));
  return button === show;
}
