/** **ACP: Set Permission Mode…**, and the word that the user types before everything is allowed. */
import * as vscode from 'vscode';
import { modeLimits, needsSandbox } from '../../core/approval/modeLimits';
import { modeOf, PERMISSION_MODES, type PermissionMode } from '../../core/modes/permissionMode';
import type { Session } from '../../session/session';
import { modeLabel } from '../../text/messages/permissionModeNames';
import { modeAbout, modeLimitsText, sandboxHint } from '../../text/messages/permissionModes';
import { modeLines, rowsOf } from '../../application/permission/pickLines';
import { inertLine, joined } from '../../application/shared/escape';
import { t, verbatim } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';

type Activity = Pick<UserActivity, 'during'>;

/** A mode, or a line about the limits of all modes. */
interface ModeItem extends Item {
  readonly mode?: PermissionMode;
}

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
  const current = modeOf(state);
  const limits = modeLimits(state, session.agentId);
  const held = modeLimitsText(limits, session.agentName, verbatim) + (needsSandbox(limits) ? ` ${sandboxHint(verbatim)}` : '');
  const modes = PERMISSION_MODES.map((mode): ModeItem => {
    const { description, detail } = modeLines(modeAbout(mode, verbatim));
    const texts = [...(mode === current ? [t('Current')] : []), ...(description === undefined ? [] : [inertLine(description)])];
    return {
      mode,
      label: inertLine(modeLabel(mode, verbatim)),
      ...(texts.length > 0 && { description: joined(texts, ' · ') }),
      detail: inertLine(detail),
      iconPath: new vscode.ThemeIcon(ICONS[mode]),
    };
  });
  const limitRows = rowsOf(held).map(
    ([label, detail]): ModeItem => ({
      label: inertLine(label),
      ...(detail !== undefined && { detail: inertLine(detail) }),
      alwaysShow: true,
    }),
  );
  const items = [...modes, separator(t('Limits')), ...limitRows];
  const placeHolder = t('Select what is answered without you in this session');
  const chosen = await activity.during(() =>
    window.showQuickPick<ModeItem>(items, { title: t('Permission Mode'), placeHolder, matchOnDetail: true }),
  );
  if (chosen?.mode) {
    await setPermissionMode(session, chosen.mode, activity);
  } else if (chosen) {
    await choosePermissionMode(session, activity); // A limit is only read.
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
