/** The tree of sessions in the side bar: what is drawn, and what its commands do. Loaded when VS Code first asks for a row, or by a command. */
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { DisposableStore } from '../../util/disposable';
import type { Disposable } from '../../core/model/ports';
import { agentIcon } from '../agents/agentRows';
import { visible } from '../shared/escape';
import { settings } from '../shared/ids';
import { sessionCommands } from '../shared/sessionCommandIds';
import { t } from '../shared/l10n';
import { treeItem } from '../shared/treeItem';
import { workspaceFolders } from '../sessions/workspaceFolders';
import type { AgentLists } from './agentLists';
import { FocusedRow } from './focusedRow';
import { Redraw } from './redraw';
import { rowWords, type WordFacts } from './rowWords';
import type { Standing } from './sessionFacts';
import { SessionListModel, type SessionListModelDependencies } from './sessionListModel';
import { type GroupBy, ROOT, type TreeNode } from './tree';
import { userValue } from '../agents/userValue';

/** What VS Code holds of a row: the same object for the same row, as long as there is one. */
export interface Row {
  readonly id: string;
}

/** The views as they were registered at activation: they ask for rows, and are told when to ask again. */
export interface TreeViews {
  readonly trees: readonly vscode.TreeView<Row>[];
  readonly refresh: vscode.EventEmitter<Row | Row[] | undefined>;
}

export interface SessionsViewDependencies
  extends Omit<SessionListModelDependencies, 'folders' | 'groupBy' | 'untitled' | 'same' | 'agents'> {
  readonly host: TreeViews;
  readonly agents: AgentLists;
  /** Read at each use: settings change. */
  entries(): readonly CatalogEntry[];
}

const MINUTE_MS = 60_000;
const MAX_ID = 12;

export class SessionsView implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly rows = new Map<string, Row>();
  readonly model: SessionListModel;
  /** By tree: of those only one is ever offered. */
  private readonly focused: readonly FocusedRow<Row>[];
  private readonly redraw: Redraw;

  constructor(private readonly ports: SessionsViewDependencies) {
    const { host, agents, clock } = ports;
    const { owned } = this;
    this.redraw = new Redraw(clock);
    this.model = owned.add(
      new SessionListModel({
        ...ports,
        folders: workspaceFolders,
        groupBy: groupBySetting,
        untitled: (sessionId) => t('Untitled session {id}', { id: visible(sessionId, MAX_ID) }),
        same: (a, b) => this.drawn(a) === this.drawn(b),
      }),
    );
    owned.add(this.model.onDidChange((ids) => this.refresh(ids)));
    const isVisible = (): boolean => host.trees.some((tree) => tree.visible);
    const showOrHide = (): void => {
      this.model.setVisible(isVisible());
      if (isVisible()) {
        agents.loadRunning();
      }
    };
    host.trees.forEach((tree) => owned.add(tree.onDidChangeVisibility(showOrHide)));
    this.focused = host.trees.map((tree) => {
      const focused = new FocusedRow<Row>(clock, this.redraw, tree.selection);
      owned.add(tree.onDidChangeSelection(({ selection }) => focused.selected(selection)));
      return focused;
    });
    showOrHide();
    owned.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settings.groupSessionsBy) || change.affectsConfiguration(settings.agents)) {
          void this.model.reset();
        }
      }),
    );
    owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.model.reset()));
    // "5m ago" goes on.
    const tick = (): void => {
      this.model.changed();
      minute = clock.after(MINUTE_MS, tick);
    };
    let minute = clock.after(MINUTE_MS, tick);
    owned.add({ dispose: () => minute.dispose() });
  }

  dispose(): void {
    this.owned.dispose();
  }

  async children(row?: Row): Promise<Row[]> {
    const ids = await this.model.children(row?.id ?? ROOT);
    this.redraw.asked();
    return ids.map((id) => this.rowOf(id));
  }

  item({ id }: Row): vscode.TreeItem {
    const node = this.model.node(id);
    if (!node) {
      return { id };
    }
    const { context, ...words } = this.words(node);
    const collapsible =
      node.kind !== 'group'
        ? vscode.TreeItemCollapsibleState.None
        : node.collapsed
          ? vscode.TreeItemCollapsibleState.Collapsed
          : vscode.TreeItemCollapsibleState.Expanded;
    const icon = this.icon(node);
    return treeItem({
      ...words,
      id,
      contextValue: context,
      collapsibleState: collapsible,
      ...(icon && { iconPath: icon }),
      ...(node.kind !== 'group' && { command: { command: sessionCommands.openSessionRow, title: '', arguments: [this.rowOf(id)] } }),
    });
  }

  /** The row of a session; undefined while it is not shown. */
  nodeOf(row: Row): TreeNode | undefined {
    return this.model.node(row.id);
  }

  /** The row with the focus, for a keybinding that has toggled its selection twice. */
  takeFocused(): Row | undefined {
    return this.focused.map((each) => each.take()).find((row) => row !== undefined);
  }

  /** The row of a menu whose command came without it, because VS Code had just forgotten it: a menu gives its row the focus. */
  async menuRow(): Promise<Row | undefined> {
    if (!(await this.redraw.over())) {
      return undefined;
    }
    await vscode.commands.executeCommand('list.toggleSelection');
    await vscode.commands.executeCommand('list.toggleSelection');
    return this.takeFocused();
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
      this.redraw.begun();
    }
    this.ports.host.refresh.fire(ids.includes(ROOT) ? undefined : ids.map((id) => this.rowOf(id)));
  }

  private words(node: TreeNode) {
    return rowWords(node, wordFacts(this.ports.clock.now()), t);
  }

  /** All that one sees of it. */
  private drawn(node: TreeNode): string {
    return JSON.stringify([this.words(node), node.kind === 'session' && [node.facts.standing, node.facts.agentName]]);
  }

  private icon(node: TreeNode): vscode.ThemeIcon | undefined {
    switch (node.kind) {
      case 'session': {
        const { agentName, standing } = node.facts;
        const color = COLORS[standing];
        const entry = this.ports.entries().find((each) => each.agentName === agentName);
        return new vscode.ThemeIcon(
          entry ? agentIcon(entry, 'installed') : 'comment-discussion',
          color ? new vscode.ThemeColor(color) : undefined,
        );
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

/** What words say, again for the eye. */
const COLORS: Readonly<Record<Standing, string | undefined>> = {
  needsYou: 'list.warningForeground',
  working: 'charts.blue',
  done: 'charts.green',
  failed: 'list.errorForeground',
  resting: undefined,
};

export function groupBySetting(): GroupBy {
  const value = userValue<string>(settings.groupSessionsBy);
  return value === 'folder' || value === 'agent' ? value : 'state';
}

function wordFacts(now: number): WordFacts {
  return {
    groupBy: groupBySetting(),
    now,
    language: vscode.env.language,
    folderName: (folder) => vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === folder)?.name,
  };
}
