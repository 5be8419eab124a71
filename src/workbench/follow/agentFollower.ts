/**
 * Shows the file that the agent of the session in front reads or edits, in one preview tab. The focus does not move, the user's own editors stay
 * open and visible, and there is never more than one such tab.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Session } from '../../session/session';
import { RootCheck } from '../../util/roots';
import { followColumn } from './followColumn';
import { type FollowedLocation, followedLocation } from '../../application/follow/followedLocation';

export interface FollowedSessions {
  readonly all: readonly Session[];
  onChange(listener: () => void): Disposable;
}

export interface FollowedPanels {
  readonly active: Session | undefined;
  onDidChangeActive(listener: () => void): Disposable;
}

/** The minimum time in ms between two files, because an agent reads faster than the user can look. */
const PACE_MS = 400;
const MAX_BYTES = 20 * 1024 * 1024;

export class AgentFollower implements Disposable {
  private session: Session | undefined;
  private watch: Disposable | undefined;
  private readonly subscriptions: readonly Disposable[];
  /** The newest file that was not shown yet. */
  private next: (FollowedLocation & { readonly session: Session }) | undefined;
  private showing: Promise<void> | undefined;
  private shown: string | undefined;
  /** The file in the tab that was opened last. */
  private opened: vscode.Uri | undefined;
  private disposed = false;

  constructor(
    private readonly sessions: FollowedSessions,
    private readonly panels: FollowedPanels,
  ) {
    this.subscriptions = [panels.onDidChangeActive(() => this.attach()), sessions.onChange(() => this.attach())];
    this.attach();
  }

  dispose(): void {
    this.disposed = true;
    this.subscriptions.forEach((each) => each.dispose());
    this.watch?.dispose();
  }

  /** Follows the session in front, or the newest one when none is in front. */
  private attach(): void {
    const session = this.panels.active ?? this.sessions.all.at(-1);
    if (session === this.session) {
      return;
    }
    this.session = session;
    this.watch?.dispose();
    this.watch = session?.store.onEvents((_, events, whole) => {
      const { state } = session.store;
      // Replayed events of an earlier conversation are not followed.
      const location = whole || !state.turn ? undefined : followedLocation(state, events);
      if (location) {
        this.next = { ...location, session };
        this.showing ??= this.show();
      }
    });
  }

  private async show(): Promise<void> {
    while (this.next && !this.disposed) {
      const { session, ...location } = this.next;
      this.next = undefined;
      const key = `${location.path}:${location.line ?? ''}`;
      if (key !== this.shown) {
        this.shown = key;
        await this.open(session, location).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, PACE_MS));
      }
    }
    this.showing = undefined;
  }

  /** Opens only files in the session's folders, because others would need the user's consent. */
  private async open({ roots }: Session, location: FollowedLocation): Promise<void> {
    const file = path.resolve(roots.cwd, location.path);
    await new RootCheck(roots).resolve(file);
    const uri = vscode.Uri.file(file);
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if (!(type & vscode.FileType.File) || size > MAX_BYTES) {
      return;
    }
    const line = location.line === undefined ? undefined : new vscode.Position(location.line - 1, 0);
    const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    if (visible) {
      // The active editor belongs to the user, so it is not scrolled.
      if (line && visible !== vscode.window.activeTextEditor) {
        visible.revealRange(new vscode.Range(line, line), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
      return;
    }
    const before = this.opened;
    const wasOpen = tabsOf(uri).length > 0;
    await vscode.window.showTextDocument(uri, {
      viewColumn: followColumn(vscode.window.tabGroups, before && tabsOf(before)[0]),
      preview: true,
      preserveFocus: true,
      ...(line && { selection: new vscode.Range(line, line) }),
    });
    this.opened = wasOpen ? undefined : uri;
    if (before && before.toString() !== uri.toString()) {
      await closeUnused(before);
    }
  }
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}

/** Closes the previous tab. It is still open when `workbench.editor.enablePreview` is off, or when the next file opened in another group. */
async function closeUnused(uri: vscode.Uri): Promise<void> {
  for (const tab of tabsOf(uri)) {
    if (!tab.isDirty && !tab.isPinned && !(tab.isActive && tab.group.isActive)) {
      await vscode.window.tabGroups.close(tab, true);
    }
  }
}
