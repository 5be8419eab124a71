/**
 * The MCP servers of the window's sessions: those of the user, and the editor's own. Part of the first load: everything that reads or asks is in
 * `serversFeature.ts`, which loads when there are servers.
 */
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { sourceFiles } from '../../application/mcp/sourceFiles';
import { settings } from '../../application/shared/ids';
import type { McpServer } from '../../core/mcp/mcpServer';
import type { ServerRequest, ServerSource, ServersOfSession } from '../../core/mcp/sessionServers';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { lazy } from '../../util/lazy';
import { workspaceFolders } from '../window/workspaceFolders';
import type { EditorServers } from '../../application/mcp/composeServers';
import { passedServers } from './passedServers';
import type { ServersFeature, ServersFeatureDependencies } from './serversFeature';

export interface WindowServersDependencies extends Omit<ServersFeatureDependencies, 'requests' | 'profileFolder'> {
  readonly clock: Clock;
  readonly editor?: EditorServers;
}

/** ms after the first session's start until files are watched, so that its page and its agent come first. */
const WATCH_AFTER_MS = 2000;

export class WindowServers implements ServerSource, Disposable {
  private readonly store = new DisposableStore();
  /** The newest request of each session. */
  private readonly requests = new Map<string, ServerRequest>();
  /** True when a file exists that may name servers, or the pending answer. */
  private hasFiles: boolean | Promise<boolean> = true;
  private watching: Disposable | undefined;
  private readonly profileFolder: string;

  /** The list, the questions and the resolution of the user's servers. */
  readonly feature = lazy(async (): Promise<ServersFeature> => {
    const { ServersFeature } = await import('./serversFeature');
    return new ServersFeature({ ...this.deps, requests: this.requests, profileFolder: this.profileFolder });
  });

  constructor(private readonly deps: WindowServersDependencies) {
    this.profileFolder = path.dirname(path.dirname(deps.context.globalStorageUri.fsPath));
  }

  prepare(): void {
    this.probe();
    this.watching ??= this.store.add(this.deps.clock.after(WATCH_AFTER_MS, () => void this.watch()));
  }

  isActive(request: ServerRequest): boolean {
    this.requests.set(request.key, request);
    return this.deps.editor?.isActive(request) === true || (passedServers() !== 'off' && (this.hasFiles !== false || hasSettings()));
  }

  async resolve(request: ServerRequest): Promise<ServersOfSession> {
    const hasUser = passedServers() !== 'off' && ((await this.hasFiles) || hasSettings());
    const user = hasUser ? this.feature().then((feature) => feature.resolve(request)) : undefined;
    return (await import('../../application/mcp/composeServers')).composeServers(request, this.deps.editor, user);
  }

  readonly addressOf = (key: string): McpServer | undefined => this.deps.editor?.addressOf(key);

  async continue(request: ServerRequest, earlier: McpServer): Promise<void> {
    await this.deps.editor?.declare(request, earlier);
  }

  ended(key: string, isLeft?: boolean): void {
    this.deps.editor?.ended(key, isLeft);
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Looks for the files. A newer look replaces the answer. */
  private probe(): void {
    const probing = (this.hasFiles = isNamed(sourceFiles(this.profileFolder, workspaceFolders())));
    void probing.then((found) => {
      if (this.hasFiles === probing) {
        this.hasFiles = found;
      }
    });
  }

  private async watch(): Promise<void> {
    const { watchServers } = await import('./watchServers');
    const changed = (): void => {
      this.probe();
      void this.feature().then((feature) => feature.changed());
    };
    if (!this.store.disposed) {
      this.store.add(watchServers(this.deps.clock, this.profileFolder, changed));
    }
  }
}

/** True when a setting may name servers. VS Code's own setting is that of versions before 1.102, and of workspace files. */
function hasSettings(): boolean {
  const scopes = [undefined, ...(vscode.workspace.workspaceFolders ?? [])];
  return [settings.mcpServers, 'mcp'].some((setting) =>
    scopes.some((scope) =>
      Object.entries(vscode.workspace.getConfiguration(undefined, scope?.uri).inspect(setting) ?? {}).some(
        // The value of any place, apart from the default.
        ([place, value]) => /^[gw].*Value$/.test(place) && Object.keys((value ?? {}) as object).length > 0,
      ),
    ),
  );
}

/** Resolves to true when one of these files exists, or the workspace file names servers. */
function isNamed(files: readonly string[], { workspaceFile } = vscode.workspace): Promise<boolean> {
  const named = workspaceFile && readFile(workspaceFile.fsPath, 'utf8').then((text) => text.includes('"mcp"') || Promise.reject());
  return Promise.any([...files.map((file) => access(file)), named ?? Promise.reject()]).then(
    () => true,
    () => false,
  );
}
