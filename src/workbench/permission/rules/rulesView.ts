/** The tree of permission rules in the side bar, and its commands. Loaded when VS Code first requests a row, or by a command. */
import * as vscode from 'vscode';
import { type RuleRow, ruleRows } from '../../../application/permission/rules/ruleRows';
import type { RuleStore } from '../../../application/permission/rules/ruleStore';
import { TreeRefresh } from '../../../application/sessionsView/treeRefresh';
import { type InertText, inertLine } from '../../../application/shared/escape';
import { settings, treeViews } from '../../../application/shared/ids';
import type { RuleCommandName } from '../../../application/shared/ruleCommandIds';
import { failureOf } from '../../../core/model/failure';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { UserRule } from '../../../policy/rules/userRule';
import { userRuleText } from '../../../text/messages/userRules';
import { DisposableStore } from '../../../util/disposable';
import { t } from '../../shared/l10n';
import { showFailure } from '../../shared/showFailure';
import { treeItem } from '../../shared/treeItem';
import type { UserActivity } from '../../shared/userActivity';
import { window } from '../../shared/window';

/** VS Code's handle of a row: the same object for the same row. */
interface Row {
  readonly id: string;
}

/** The view registered at activation. */
export interface RulesTree {
  readonly tree: vscode.TreeView<Row>;
  readonly refresh: vscode.EventEmitter<Row | Row[] | undefined>;
}

export interface RulesViewDependencies {
  readonly host: RulesTree;
  readonly clock: Clock;
  readonly store: RuleStore;
  readonly activity: Pick<UserActivity, 'during'>;
  /** The sessions of this window, for their own rules and those of their folders. */
  sessions(): readonly { readonly key: string; readonly roots: { readonly cwd: string } }[];
}

/** The time in ms in which changes are drawn together. A turn can use many rules. */
const DRAW_MS = 100;
const MAX_RULE = 300;

export class RulesView implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly handles = new Map<string, Row>();
  private readonly treeRefresh: TreeRefresh;
  private rows: readonly RuleRow[] = [];
  private drawing: Disposable | undefined;

  constructor(private readonly deps: RulesViewDependencies) {
    const { host, store } = deps;
    this.treeRefresh = new TreeRefresh(deps.clock);
    this.rows = this.rowsNow();
    this.owned.add(store.onDidChange(() => this.drawSoon()));
    // The times in the rows are out of date.
    this.owned.add(host.tree.onDidChangeVisibility(() => this.drawSoon()));
  }

  dispose(): void {
    this.owned.dispose();
    this.drawing?.dispose();
  }

  children(row?: Row): Row[] {
    if (!row) {
      this.rows = this.rowsNow();
      this.forgetHandles();
    }
    this.treeRefresh.rowsFetched();
    return this.rows.filter(({ parent }) => parent === row?.id).map(({ id }) => this.handleOf(id));
  }

  parent({ id }: Row): Row | undefined {
    const parent = this.rows.find((each) => each.id === id)?.parent;
    return parent === undefined ? undefined : this.handleOf(parent);
  }

  item({ id }: Row): vscode.TreeItem {
    const row = this.rows.find((each) => each.id === id);
    if (!row) {
      return { id };
    }
    const { label, description, tooltip, icon, context, parent, rule } = row;
    const color = rule?.problem === undefined ? undefined : new vscode.ThemeColor('list.warningForeground');
    return treeItem({
      id,
      label,
      description,
      tooltip,
      contextValue: context,
      collapsibleState: parent === undefined ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None,
      ...(icon !== undefined && { iconPath: new vscode.ThemeIcon(icon, color) }),
    });
  }

  /** Shows the view and selects a rule. */
  async reveal(ruleId: string): Promise<void> {
    await focusView();
    this.draw();
    // A tree that is fetching its rows again does not find them.
    await this.treeRefresh.settled();
    const row = this.rows.find(({ rule }) => rule?.rule.id === ruleId);
    if (row) {
      await this.deps.host.tree.reveal(this.handleOf(row.id), { select: true, focus: true });
    } else {
      void window.showInformationMessage(t('This rule no longer exists.'));
    }
  }

  /** @param args VS Code's handle of the row, for a row's own command */
  async run(name: RuleCommandName, args: readonly unknown[]): Promise<void> {
    const { host, store } = this.deps;
    const { id } = (args[0] ?? host.tree.selection[0] ?? {}) as { readonly id?: string };
    const { rule: stored, denial } = this.rows.find((row) => row.id === id) ?? {};
    switch (name) {
      case 'showPermissionRules':
        return focusView();
      case 'openRuleSettings':
        return void (await vscode.commands.executeCommand('workbench.action.openSettings', settings.permissionsRules));
      case 'revokeRule':
        return stored && this.revoke(stored.rule);
      case 'confirmRule':
        return stored && this.confirm(stored.rule);
      case 'showDenyingRule':
        return denial?.ruleId === undefined ? undefined : this.reveal(denial.ruleId);
      case 'allowDenied':
        return denial && this.added(await store.allowDenied(denial.id, 'folder'));
      case 'denyDenied':
        return denial && this.added(await store.denyDenied(denial.id, 'folder'));
      case 'denyDeniedEverywhere':
        return denial && this.added(await store.denyDenied(denial.id, 'always'));
    }
  }

  private added(rule: UserRule | undefined): void {
    if (rule) {
      offerUndo(t('Permission rule added: {rule}', { rule: wordsOf(rule) }), async () => void (await this.deps.store.revoke(rule.id)));
    }
  }

  private async revoke(rule: UserRule): Promise<void> {
    const restore = await this.deps.store.revoke(rule.id);
    offerUndo(t('Permission rule revoked: {rule}', { rule: wordsOf(rule) }), restore);
  }

  /** Shows the whole content of the rule, because a remote machine has written it. */
  private async confirm(rule: UserRule): Promise<void> {
    const { activity, store } = this.deps;
    const confirm = t('Confirm Rule');
    const detail = inertLine(JSON.stringify(rule));
    const question = t('Let this rule of the remote machine hold? {rule}', { rule: wordsOf(rule) });
    if ((await activity.during(() => window.showWarningMessage(question, { modal: true, detail }, confirm))) === confirm) {
      await store.confirm([rule]);
    }
  }

  private rowsNow(): readonly RuleRow[] {
    const { store, clock, sessions } = this.deps;
    const rules = [...store.list(), ...sessions().flatMap(({ key, roots }) => store.list(key, roots.cwd))];
    return ruleRows({ rules, denials: store.denials, now: clock.now(), language: vscode.env.language }, t);
  }

  private drawSoon(): void {
    this.drawing ??= this.deps.clock.after(DRAW_MS, () => this.draw());
  }

  private draw(): void {
    this.drawing?.dispose();
    this.drawing = undefined;
    this.rows = this.rowsNow();
    this.treeRefresh.requested();
    this.deps.host.refresh.fire(undefined);
  }

  private handleOf(id: string): Row {
    const handle = this.handles.get(id) ?? { id };
    this.handles.set(id, handle);
    return handle;
  }

  private forgetHandles(): void {
    const ids = new Set(this.rows.map(({ id }) => id));
    [...this.handles.keys()].filter((id) => !ids.has(id)).forEach((id) => this.handles.delete(id));
  }
}

async function focusView(): Promise<void> {
  await vscode.commands.executeCommand(`${treeViews.permissionRules}.focus`);
}

function wordsOf(rule: UserRule): InertText {
  return inertLine(userRuleText(rule, t), MAX_RULE);
}

/** Does not wait for the notification, because the command is done. */
function offerUndo(message: InertText, undo: () => Promise<void>): void {
  const button = t('Undo');
  void window.showInformationMessage(message, button).then(async (answer) => {
    try {
      void (answer === button && (await undo()));
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  });
}
