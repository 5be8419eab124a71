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
import type { LeftOut, ServerRequest, ServerSource, ServersOfSession } from '../../core/mcp/sessionServers';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { lazy } from '../../util/lazy';
import { workspaceFolders } from '../window/workspaceFolders';
import { passedServers } from './passedServers';
import type { ServersFeature, ServersFeatureDependencies } from './serversFeature';

/** The editor as an MCP server. */
export interface EditorServers {
  isActive(agent: Pick<ServerRequest, 'agentId' | 'agentName'>): boolean;
  declare(request: ServerRequest): Promise<McpServer | undefined>;
  ended(key: string): void;
  toolsChanged(): void;
}

export interface WindowServersDependencies extends Omit<ServersFeatureDependencies, 'requests' | 'profileFolder'> {
  readonly clock: Clock;
  readonly globalStorageUri: vscode.Uri;
  readonly editor?: EditorServers;
}

/** ms after the first session's start until files are watched, so that its page and its agent come first. */
const WATCH_AFTER_MS = 2000;
/** ms in which changes of files and settings are handled together. */
const CHANGES_MS = 500;
const MAX_REQUESTS = 500;

const NONE: ServersOfSession = { servers: [], leftOut: [] };

export class WindowServers implements ServerSource, Disposable {
  private readonly store = new DisposableStore();
  /** The newest request of each session. */
  private readonly requests = new Map<string, ServerRequest>();
  /** Resolves to true when a file exists that may name servers. */
  private probing: Promise<boolean> | undefined;
  private hasFiles: boolean | undefined;
  private watching: Disposable | undefined;
  private pending: Disposable | undefined;
  private readonly profileFolder: string;

  /** The list, the questions and the resolution of the user's servers. */
  readonly feature = lazy(async (): Promise<ServersFeature> => {
    const { ServersFeature } = await import('./serversFeature');
    return new ServersFeature({ ...this.deps, requests: this.requests, profileFolder: this.profileFolder });
  });

  constructor(private readonly deps: WindowServersDependencies) {
    this.profileFolder = path.dirname(path.dirname(deps.globalStorageUri.fsPath));
  }

  readonly prepare = (): void => {
    this.probe();
    this.watching ??= this.store.add(this.deps.clock.after(WATCH_AFTER_MS, () => this.watch()));
  };

  isActive(request: ServerRequest): boolean {
    this.requests.delete(request.key);
    this.requests.set(request.key, request);
    if (this.requests.size > MAX_REQUESTS) {
      this.requests.delete(this.requests.keys().next().value!);
    }
    return this.deps.editor?.isActive(request) === true || this.hasUserServers();
  }

  async resolve(request: ServerRequest): Promise<ServersOfSession> {
    const failed = (error: unknown): ServersOfSession => {
      const leftOut: LeftOut = { name: '', reason: 'failed', detail: String(error) };
      return { servers: [], leftOut: [leftOut] };
    };
    const [editor, user] = await Promise.all([this.editorServer(request).catch(failed), this.userServers(request).catch(failed)]);
    // The editor's comes first: no other server takes its name.
    return { servers: [...editor.servers, ...user.servers], leftOut: [...editor.leftOut, ...user.leftOut] };
  }

  ended(key: string): void {
    this.deps.editor?.ended(key);
  }

  dispose(): void {
    this.store.dispose();
    this.pending?.dispose();
  }

  private hasUserServers(): boolean {
    return passedServers() !== 'off' && (this.hasFiles !== false || hasServerSettings());
  }

  private async editorServer(request: ServerRequest): Promise<ServersOfSession> {
    const { editor } = this.deps;
    const server = editor?.isActive(request) ? await editor.declare(request) : undefined;
    return server ? { servers: [server], leftOut: [] } : NONE;
  }

  private async userServers(request: ServerRequest): Promise<ServersOfSession> {
    if (passedServers() === 'off' || !((await (this.probing ?? this.probe())) || hasServerSettings())) {
      return NONE;
    }
    return (await this.feature()).resolve(request);
  }

  /** Looks for the files. An answer that a newer look has replaced is ignored. */
  private probe(): Promise<boolean> {
    this.hasFiles = undefined;
    const probing = someExist(sourceFiles(this.profileFolder, workspaceFolders()), vscode.workspace.workspaceFile);
    this.probing = probing;
    void probing.then((found) => {
      if (this.probing === probing) {
        this.hasFiles = found;
      }
    });
    return probing;
  }

  private watch(): void {
    const changed = (): void => {
      this.pending ??= this.deps.clock.after(CHANGES_MS, () => {
        this.pending = undefined;
        this.probe();
        void this.feature().then((feature) => feature.changed());
      });
    };
    const files = [
      new vscode.RelativePattern(vscode.Uri.file(this.profileFolder), 'mcp.json'),
      ...workspaceFolders().map((folder) => new vscode.RelativePattern(vscode.Uri.file(folder), '{.mcp.json,.vscode/mcp.json}')),
    ];
    for (const pattern of files) {
      const watcher = this.store.add(vscode.workspace.createFileSystemWatcher(pattern));
      [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete].forEach((event) => this.store.add(event(changed)));
    }
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if ([...SETTINGS, settings.passMcpServers].some((setting) => event.affectsConfiguration(setting))) {
          changed();
        }
      }),
    );
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(changed));
  }
}

/** VS Code's own setting is that of versions before 1.102, and of workspace files. */
const SETTINGS = [settings.mcpServers, 'mcp'];

/** True when a setting may name servers. */
function hasServerSettings(): boolean {
  const folders = [undefined, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  return SETTINGS.some((setting) =>
    folders.some((folder) => {
      const { globalValue, workspaceValue, workspaceFolderValue } =
        vscode.workspace.getConfiguration(undefined, folder).inspect(setting) ?? {};
      return [globalValue, workspaceValue, workspaceFolderValue].some(
        (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
      );
    }),
  );
}

async function someExist(files: readonly string[], workspaceFile: vscode.Uri | undefined): Promise<boolean> {
  const exists = (file: string): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    );
  const named = workspaceFile?.scheme === 'file' ? [readFile(workspaceFile.fsPath, 'utf8').then(namesServers, () => false)] : [];
  return (await Promise.all([...files.map(exists), ...named])).includes(true);
}

/** The settings in a workspace file are settings of the window already. */
function namesServers(text: string): boolean {
  return /"mcp"\s*:/.test(text);
}
