/** **ACP: Set Permission Mode…**, and the word that the user types before everything is allowed. */
import * as vscode from 'vscode';
import { actsUnasked, modeLimits } from '../../core/approval/modeLimits';
import { modeOf, type PermissionMode } from '../../core/modes/permissionMode';
import type { Session } from '../../session/session';
import { modeRows, modesHold } from '../../application/permission/modeRows';
import { inertLine } from '../../application/shared/escape';
import { t, verbatim } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, window } from '../shared/window';

type Activity = Pick<UserActivity, 'during'>;

const ICONS: Readonly<Record<PermissionMode, string>> = {
  ask: 'shield',
  acceptEdits: 'edit',
  planOnly: 'checklist',
  allowEverything: 'warning',
};

/** Asks for a mode of the session in front. */
export async function choosePermissionMode(session: Session | undefined, activity: Activity): Promise<void> {
  if (!session || session.isRecorded) {
    void window.showInformationMessage(t('Open a session first.'));
    return;
  }
  const { state } = session.store;
  const limits = modeLimits(state, session.agentId);
  const unasked = actsUnasked(limits) ? session.agentName : undefined;
  const items = modeRows(modeOf(state), verbatim, unasked).map((row): Item & { readonly mode: PermissionMode } => ({
    ...row,
    iconPath: new vscode.ThemeIcon(ICONS[row.mode]),
  }));
  const placeHolder = modesHold(limits, session.agentName, t);
  const chosen = await activity.during(() =>
    window.showQuickPick(items, { title: t('Permission Mode'), placeHolder, matchOnDetail: true }),
  );
  if (chosen) {
    await setPermissionMode(session, chosen.mode, activity);
  }
}

/** Sets a mode. The user types a word before everything is allowed. */
export async function setPermissionMode(session: Session, mode: PermissionMode, activity: Activity): Promise<void> {
  if (mode !== 'allowEverything' || (await isSure(activity))) {
    await session.setPermissionMode(mode);
  }
}

async function isSure(activity: Activity): Promise<boolean> {
  const word = verbatim('everything');
  const typed = await activity.during(() =>
    window.showInputBox({
      title: t('Allow Everything in This Session'),
      prompt: t(
        'Type "{word}" to allow all requests of the agent until this session ends. Deny rules, ask rules and protected paths still hold.',
        { word },
      ),
      placeHolder: inertLine(word),
      ignoreFocusOut: true,
    }),
  );
  return typed?.trim().toLowerCase() === word.toLowerCase();
}
