/** The tree of sessions in the side bar: its rows and their commands. Loaded when VS Code first requests a row, or by a command. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../util/disposable';
import type { Disposable } from '../../core/platform/disposable';
import { inertLine } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import { sessionCommands } from '../../application/shared/sessionCommandIds';
import { t } from '../shared/l10n';
import { treeItem } from '../shared/treeItem';
import { workspaceFolders } from '../window/workspaceFolders';
import { isSameFolder } from '../../application/window/workspacePaths';
import type { SessionPanels } from '../chat/panels';
import type { AgentLists } from '../../application/sessionsView/agentLists';
import { FocusedRow } from '../../application/sessionsView/focusedRow';
import { TreeRefresh } from '../../application/sessionsView/treeRefresh';
import { stateIcon } from '../../application/sessionsView/rowIcons';
import { rowStrings, type RowTextFacts } from '../../application/sessionsView/rowStrings';
import { SessionListModel, type SessionListModelDependencies } from '../../application/sessionsView/sessionListModel';
import { type GroupBy, ROOT, type TreeNode } from '../../application/sessionsView/tree';
import { userValue } from '../settings/userValue';

/** VS Code's handle of a row: the same object for the same row, as long as the row exists. */
export interface Row {
  readonly id: string;
}

/** The views registered at activation. They request rows, and are notified when to request them again. */
export interface TreeViews {
  readonly trees: readonly vscode.TreeView<Row>[];
  readonly refresh: vscode.EventEmitter<Row | Row[] | undefined>;
}

export interface SessionsViewDependencies
  extends Omit<SessionListModelDependencies, 'folders' | 'groupBy' | 'untitled' | 'drawn' | 'agents' | 'isShown'> {
  readonly host: TreeViews;
  readonly agents: AgentLists;
  /** The surfaces of this window. The row of the active session is selected. */
  readonly panels: Pick<SessionPanels, 'activeKey' | 'isShown' | 'onDidChangeActive' | 'hidden'>;
}

const MAX_ID = 12;

export class SessionsView implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly rows = new Map<string, Row>();
  readonly model: SessionListModel;
  /** One per tree. VS Code offers only one of the trees. */
  private readonly focused: readonly FocusedRow<Row>[];
  private readonly treeRefresh: TreeRefresh;
  /** The row that {@link follow} last selected, with its group. */
  private followed: string | undefined;
  private following: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SessionsViewDependencies) {
    const { host, agents, clock } = deps;
    const { owned } = this;
    this.treeRefresh = new TreeRefresh(clock);
    this.model = owned.add(
      new SessionListModel({
        ...deps,
        isShown: (key) => deps.panels.isShown(key),
        folders: workspaceFolders,
        groupBy: groupBySetting,
        untitled: (sessionId) => t('Untitled session {id}', { id: inertLine(sessionId, MAX_ID) }),
        drawn: (node) => this.drawn(node),
      }),
    );
    owned.add(this.model.onDidChange((ids) => this.refresh(ids)));
    const isVisible = (): boolean => host.trees.some((tree) => tree.visible);
    const showOrHide = (): void => {
      this.model.setVisible(isVisible());
      if (isVisible()) {
        agents.loadRunning();
      }
      this.followed = undefined;
      this.follow();
    };
    host.trees.forEach((tree) => owned.add(tree.onDidChangeVisibility(showOrHide)));
    this.focused = host.trees.map((tree) => {
      const focused = new FocusedRow<Row>(clock, this.treeRefresh, tree.selection);
      owned.add(tree.onDidChangeSelection(({ selection }) => focused.selected(selection)));
      return focused;
    });
    showOrHide();
    owned.add(
      deps.panels.onDidChangeActive(() => {
        this.model.changed();
        this.follow();
      }),
    );
    owned.add(deps.panels.hidden.add(() => this.model.changed()));
    owned.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settings.groupSessionsBy) || change.affectsConfiguration(settings.agents)) {
          void this.model.reset();
        }
      }),
    );
    owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.model.reset()));
  }

  dispose(): void {
    this.owned.dispose();
  }

  async children(row?: Row): Promise<Row[]> {
    const ids = await this.model.children(row?.id ?? ROOT);
    this.treeRefresh.rowsFetched();
    if (!row) {
      this.follow();
    }
    return ids.map((id) => this.rowOf(id));
  }

  item({ id }: Row): vscode.TreeItem {
    const node = this.model.node(id);
    if (!node) {
      return { id };
    }
    const { context, ...strings } = this.strings(node);
    const collapsible =
      node.kind !== 'group'
        ? vscode.TreeItemCollapsibleState.None
        : node.collapsed
          ? vscode.TreeItemCollapsibleState.Collapsed
          : vscode.TreeItemCollapsibleState.Expanded;
    const icon = this.icon(node);
    return treeItem({
      ...strings,
      id,
      contextValue: context,
      collapsibleState: collapsible,
      ...(icon && { iconPath: icon }),
      ...(node.kind !== 'group' && { command: { command: sessionCommands.openSessionRow, title: '', arguments: [this.rowOf(id)] } }),
    });
  }

  /** Returns the group of a row, or undefined at the root. VS Code needs it to reveal a row. */
  parent({ id }: Row): Row | undefined {
    const parentId = this.model.parentOf(id);
    return parentId === undefined ? undefined : this.rowOf(parentId);
  }

  /** Returns the node of a row, or undefined when it is not shown. */
  nodeOf(row: Row): TreeNode | undefined {
    return this.model.node(row.id);
  }

  /** Returns the row with the focus, for a keybinding that has toggled its selection twice. */
  takeFocused(): Row | undefined {
    return this.focused.map((each) => each.take()).find((row) => row !== undefined);
  }

  /**
   * Returns the row of a menu whose command received none, because VS Code was fetching the rows again. It is the focused row, because a menu
   * gives its row the focus.
   */
  async menuRow(): Promise<Row | undefined> {
    if (!(await this.treeRefresh.settled())) {
      return undefined;
    }
    await vscode.commands.executeCommand('list.toggleSelection');
    await vscode.commands.executeCommand('list.toggleSelection');
    return this.takeFocused();
  }

  /**
   * Selects the row of the active session, without focusing it. Runs when another session becomes active, when the view appears, and when the row
   * has moved. Until then a selection that the user makes in the list stays.
   */
  private follow(): void {
    this.following = this.following.then(async () => {
      const tree = this.deps.host.trees.find(({ visible }) => visible);
      const id = this.deps.panels.activeKey;
      if (!tree || id === undefined || !this.model.node(id)) {
        return;
      }
      const followed = `${this.model.parentOf(id) ?? ROOT} ${id}`;
      if (followed === this.followed) {
        return;
      }
      // A tree that is fetching its rows again does not find them.
      if (!(await this.treeRefresh.settled()) || !tree.visible || this.deps.panels.activeKey !== id || !this.model.node(id)) {
        return;
      }
      this.followed = followed;
      if (tree.selection[0]?.id !== id) {
        // VS Code rejects the call when the tree was hidden meanwhile. Another attempt would fetch the rows again, and so never end.
        await tree.reveal(this.rowOf(id), { select: true, focus: false }).then(undefined, () => undefined);
      }
    });
  }

  private rowOf(id: string): Row {
    const row = this.rows.get(id) ?? { id };
    this.rows.set(id, row);
    return row;
  }

  private refresh(ids: readonly string[]): void {
    for (const id of this.rows.keys()) {
      if (!this.model.node(id)) {
        this.rows.delete(id);
      }
    }
    if (ids.some((id) => id === ROOT || this.model.node(id)?.kind === 'group')) {
      this.treeRefresh.requested();
    }
    this.deps.host.refresh.fire(ids.includes(ROOT) ? undefined : ids.map((id) => this.rowOf(id)));
    this.follow();
  }

  private strings(node: TreeNode) {
    return rowStrings(node, rowTextFacts(this.deps.clock.now()), t);
  }

  /** Returns everything visible of a row, for comparison. */
  private drawn(node: TreeNode): string {
    return JSON.stringify([this.strings(node), node.kind === 'session' && stateIcon(node.facts)]);
  }

  private icon(node: TreeNode): vscode.ThemeIcon | undefined {
    switch (node.kind) {
      case 'session': {
        const { icon, color } = stateIcon(node.facts);
        return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
      }
      case 'agent':
        return new vscode.ThemeIcon(node.state === 'loading' ? 'loading~spin' : 'history');
      case 'more':
        return new vscode.ThemeIcon('ellipsis');
      case 'group':
        return undefined;
    }
  }
}

export function groupBySetting(): GroupBy {
  const value = userValue<string>(settings.groupSessionsBy);
  return value === 'folder' || value === 'agent' ? value : 'state';
}

function rowTextFacts(now: number): RowTextFacts {
  const folders = workspaceFolders();
  const most = groupBySetting() === 'folder' ? Infinity : 1;
  return {
    now,
    language: vscode.env.language,
    folderName: (folder) => vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === folder)?.name,
    namesFolder: (folder) => folders.length > most || !folders.some((each) => isSameFolder(each, folder)),
  };
}
