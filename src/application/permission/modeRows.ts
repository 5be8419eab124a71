/** The rows of the permission modes in a quick pick, which cuts each line after about 80 characters. Pure. */
import { actsUnasked, type ModeLimits, needsSandbox } from '../../core/approval/modeLimits';
import { PERMISSION_MODES, type PermissionMode } from '../../core/modes/permissionMode';
import { modeAbout } from '../../text/messages/permissionModes';
import { modeLabel } from '../../text/messages/permissionModeNames';
import { inertLine, inertly, type InertText, joined } from '../shared/escape';
import type { Translate, TranslateVerbatim } from '../shared/translate';

export interface ModeRow {
  readonly mode: PermissionMode;
  readonly label: InertText;
  readonly description?: InertText;
  /** The requests that are still held, or the end of the mode. */
  readonly detail: InertText;
}

/** The most characters of an agent's name that leave room for the sentence around it. */
const MAX_NAME = 24;

/** @param unasked the name of an agent that acts without a request */
export function modeRows(current: PermissionMode, verbatim: TranslateVerbatim, unasked?: string): readonly ModeRow[] {
  const t = inertly(verbatim);
  return PERMISSION_MODES.map((mode) => {
    const description = [scopeOf(mode, t) ?? [], mode === current ? t('Current') : []].flat();
    return {
      mode,
      label: inertLine(modeLabel(mode, verbatim)),
      ...(description.length > 0 && { description: joined(description, ' · ') }),
      detail: mode === 'planOnly' && unasked !== undefined ? unheld(unasked, verbatim) : detailOf(mode, t),
    };
  });
}

/** Returns what a mode can hold back of this agent's work, in one line. The list in the page has the reasons. */
export function modesHold(limits: ModeLimits, agent: string, t: Translate): InertText {
  const args = { agent: inertLine(agent, MAX_NAME) };
  if (actsUnasked(limits)) {
    return t('{agent} may act without asking. A sandbox can hold that.', args);
  }
  return needsSandbox(limits)
    ? t('Only requests of {agent} are held. A sandbox can hold the rest.', args)
    : t('Each edit and command of {agent} can be held.', args);
}

function scopeOf(mode: PermissionMode, t: Translate): InertText | undefined {
  switch (mode) {
    case 'acceptEdits':
      return t('in the folders of this session');
    case 'allowEverything':
      return t('until this session ends');
    default:
      return undefined;
  }
}

function unheld(agent: string, verbatim: TranslateVerbatim): InertText {
  return inertLine(modeAbout('planOnly', verbatim, inertLine(agent, MAX_NAME)));
}

function detailOf(mode: PermissionMode, t: Translate): InertText {
  switch (mode) {
    case 'ask':
      return t('Each request waits for you, unless one of your rules answers it.');
    case 'acceptEdits':
      return t('Protected paths, deletions, commands and your ask rules still ask.');
    case 'planOnly':
      return t("Edits and commands are refused. Sets the agent's own plan mode.");
    case 'allowEverything':
      return t('Your deny and ask rules, protected paths and repeated calls still hold.');
  }
}
