/** The quick pick of one permission request. Its code is loaded with the first pick. */
import * as vscode from 'vscode';
import type { Alike, PermissionStrings, ProposedDiff } from '../../application/permission/permissionText';
import { ANSWER_DELAY_MS } from '../../core/approval/answerDelay';
import type { Disposable } from '../../core/platform/disposable';
import type { PickListener } from '../../session/permission/presenter';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { type Button, type Item, window } from '../shared/window';

type Row = Item & { readonly optionId?: string; readonly alike?: Alike; readonly suggestionId?: string };

/**
 * ms within which a row that becomes active and is accepted was clicked: VS Code reports both of one event. The arrow keys come as commands of
 * ours (see {@link PermissionPick.move}), so that Enter right after one of them finds no row active yet.
 */
const CLICK_MS = 10;

/** UTF-16 units of typed text that are shown: the last ones. */
const MAX_TYPED = 60;

export interface PermissionPickActions {
  /** Shows the session's panel with its permission card. */
  reveal(): void;
  openDiff(diff: ProposedDiff): void;
  openSetting(): void;
  /** Makes a suggested rule and answers the request by it. */
  makeRule(suggestionId: string): void;
  /** Called before the open pick is closed by its disposal. */
  willClose(): void;
  /** Called when the pick was hidden, for any reason. */
  hidden(): void;
}

export interface PermissionPick extends Disposable {
  /** Makes the row `by` rows further down active, round the ends. */
  move(by: number): void;
}

/** The strings of a pick, which change when a file of the request changes, and when the host's advice comes. */
export interface PickStrings {
  current(): PermissionStrings;
  onDidChange(listener: () => void): Disposable;
}

/** Shows a quick pick without an active row. */
export function openPermissionPick(given: PickStrings, actions: PermissionPickActions, listener: PickListener): PermissionPick {
  const strings = given.current();
  const showInSession: Button = { iconPath: new vscode.ThemeIcon('comment-discussion'), tooltip: t('Show in Session') };
  const configure: Button = { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Configure Permission Requests') };
  const makeRule: Button = { iconPath: new vscode.ThemeIcon('law'), tooltip: t('Make a Rule…') };
  const back: Button = { iconPath: new vscode.ThemeIcon('arrow-left'), tooltip: t('Back to the Answers') };
  const openDiffs = strings.diffs.map(({ label }): Button => ({ iconPath: new vscode.ThemeIcon('git-compare'), tooltip: label }));
  const pick = window.createQuickPick<Row>();
  let isOpen = true;
  /** Runs while VS Code has made a row active and it is not known yet whether that was a click. */
  let moving: NodeJS.Timeout | undefined;
  /** The row of the last arrow key, until VS Code reports it as active. Enter still accepts an earlier row. */
  let aimed: Row | undefined;
  let aiming: NodeJS.Timeout | undefined;
  const moved = (): void => {
    clearTimeout(moving);
    moving = undefined;
    listener.moved();
  };
  const move = (by: number): void => {
    const at = pick.items.findIndex((row) => row === pick.activeItems[0]);
    const row = pick.items.at(at < 0 && by > 0 ? by - 1 : (Math.max(at, 0) + by) % pick.items.length);
    aimed = row === pick.activeItems[0] ? aimed : row;
    clearTimeout(aiming);
    aiming = setTimeout(() => (aimed = undefined), ANSWER_DELAY_MS); // VS Code does not report a row that was active already.
    pick.activeItems = row ? [row] : [];
    moved();
  };
  const leave = (): void => {
    pick.hide();
    actions.reveal();
  };
  /** True while the rules are listed, in place of the answers. */
  let areRulesShown = false;
  const drawHead = ({ title, rules }: PermissionStrings): void => {
    pick.title = title;
    pick.buttons = areRulesShown ? [back] : [...openDiffs, ...(rules.length > 0 ? [makeRule] : []), showInSession, configure];
  };
  const draw = (): void => {
    const now = given.current();
    const rows = areRulesShown ? now.rules.map((rule) => ({ ...rule, icon: 'law' })) : now.rows;
    drawHead(now);
    pick.placeholder = areRulesShown ? t('Select a rule, which also answers this request') : now.placeholder;
    pick.items = rows.map(({ icon, ...row }) => ({ ...row, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true }));
    // After `items`, which makes the first row active: Enter alone must answer nothing.
    pick.activeItems = [];
  };
  const showRules = (areShown: boolean): void => {
    areRulesShown = areShown;
    aimed = undefined;
    draw();
    listener.drawn();
  };
  draw();
  const changes = given.onDidChange(() => {
    drawHead(given.current());
    // The user must read it before an answer counts.
    listener.drawn();
  });
  pick.onDidChangeActive(([row]) => {
    aimed = row === aimed ? undefined : aimed;
    if (row) {
      clearTimeout(moving);
      moving = setTimeout(moved, CLICK_MS);
    }
  });
  let typed = '';
  pick.onDidChangeValue((value) => {
    if (value !== '') {
      // A filter would make its first match active, and text meant for elsewhere could then answer.
      pick.value = '';
      pick.activeItems = [];
      // Text that was meant for elsewhere must not vanish unseen.
      typed = (typed + value).slice(-MAX_TYPED);
      pick.placeholder = t('Typed here: {text} · Select an answer below', { text: inertLine(typed, MAX_TYPED) });
      listener.typed();
    }
  });
  pick.onDidAccept(() => {
    const [row] = pick.selectedItems;
    if (aimed) {
      // The row that VS Code accepted is not the one that the user meant.
    } else if (row?.optionId !== undefined) {
      listener.picked(row.optionId);
    } else if (row?.suggestionId !== undefined) {
      const { suggestionId } = row;
      listener.chose(() => {
        showRules(false); // The request stays where no answer of the agent fits.
        actions.makeRule(suggestionId);
      });
    } else if (row?.alike) {
      const { alike } = row;
      // Questions may have ended or arrived since the pick opened.
      listener.pickedAlike(given.current().rows.find((each) => each.alike?.kind === alike.kind)?.alike?.answers ?? []);
    } else if (row) {
      leave();
    }
    if (moving) {
      moved();
    }
  });
  pick.onDidTriggerButton((button) => {
    const diff = strings.diffs[openDiffs.findIndex((each) => each === button)];
    if (diff) {
      // The user may scroll in the diff before answering.
      pick.ignoreFocusOut = true;
      actions.openDiff(diff);
    } else if (button === makeRule || button === back) {
      showRules(button === makeRule);
    } else if (button === configure) {
      pick.hide();
      actions.openSetting();
    } else {
      leave();
    }
  });
  pick.onDidHide(() => {
    isOpen = false;
    changes.dispose();
    clearTimeout(moving);
    clearTimeout(aiming);
    actions.hidden();
    listener.hidden();
    pick.dispose();
  });
  pick.show();
  return {
    move,
    dispose: () => {
      if (isOpen) {
        actions.willClose();
      }
      pick.dispose();
    },
  };
}
