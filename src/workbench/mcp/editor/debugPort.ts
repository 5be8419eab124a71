/** VS Code's debugger for the tools. It is followed from the first use on, because a tracker costs every debug session. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../core/platform/disposable';
import type { Breakpoint, DebugConfiguration, DebugPort, NewBreakpoint, OwnConfiguration } from '../../../mcp/editor/debugging/debugPort';
import { DebugSessions } from '../../../mcp/editor/debugging/debugSessions';
import { DisposableStore } from '../../../util/disposable';
import type { FileAccess } from './fileAccess';

export class DebuggerOfWindow implements DebugPort, Disposable {
  readonly textOf: FileAccess['textOf'];
  readonly mayRead: FileAccess['mayRead'];
  private readonly store = new DisposableStore();
  private readonly objects = new Map<string, vscode.DebugSession>();
  private followed: DebugSessions | undefined;

  constructor({ textOf, mayRead }: FileAccess) {
    this.textOf = textOf;
    this.mayRead = mayRead;
  }

  sessions(): DebugSessions {
    if (this.followed) {
      return this.followed;
    }
    const sessions = (this.followed = new DebugSessions());
    const add = (session: vscode.DebugSession, state: 'unknown' | 'running'): void => {
      const { id, name, type, parentSession } = session;
      this.objects.set(id, session);
      sessions.add(id, name, type, parentSession?.id, state);
    };
    if (vscode.debug.activeDebugSession) {
      add(vscode.debug.activeDebugSession, 'unknown');
    }
    this.store.add(
      vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: (session) => {
          add(session, 'running');
          return {
            onWillReceiveMessage: (message) => sessions.sent(session.id, message),
            onDidSendMessage: (message) => sessions.received(session.id, message),
          };
        },
      }),
    );
    this.store.add(vscode.debug.onDidStartDebugSession((session) => add(session, 'running')));
    this.store.add(
      vscode.debug.onDidTerminateDebugSession(({ id }) => {
        this.objects.delete(id);
        sessions.end(id);
      }),
    );
    return sessions;
  }

  activeKey(): string | undefined {
    return vscode.debug.activeDebugSession?.id;
  }

  async request(key: string, command: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    const session = this.objects.get(key);
    if (!session) {
      throw new Error('The session has ended.');
    }
    return session.customRequest(command, args);
  }

  localPath(source: string): string | undefined {
    if (path.isAbsolute(source)) {
      return source;
    }
    // In a remote window, adapters get and give URIs of that machine.
    const isHere = /^file:/i.test(source) || (vscode.env.remoteName !== undefined && /^vscode-remote:/i.test(source));
    return isHere ? vscode.Uri.parse(source).with({ scheme: 'file', authority: '' }).fsPath : undefined;
  }

  configurations(): readonly DebugConfiguration[] {
    const found = new Map<string, DebugConfiguration>();
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const launch = vscode.workspace.getConfiguration('launch', folder);
      for (const each of [...listOf(launch.get('configurations')), ...listOf(launch.get('compounds'))]) {
        const { name, type, request } = each;
        if (typeof name === 'string' && name !== '' && !found.has(name)) {
          found.set(name, { name, type: textOrNone(type), request: textOrNone(request), folder: folder.uri.fsPath });
        }
      }
    }
    return [...found.values()];
  }

  async start(folder: string | undefined, configuration: string | OwnConfiguration): Promise<boolean> {
    const owner = folder === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder));
    return vscode.debug.startDebugging(owner, configuration);
  }

  async stop(key: string | undefined): Promise<void> {
    await vscode.debug.stopDebugging(key === undefined ? undefined : this.objects.get(key));
  }

  breakpoints(): readonly Breakpoint[] {
    return vscode.debug.breakpoints.flatMap((each): Breakpoint[] => {
      const { id, enabled: isEnabled, condition, hitCondition, logMessage } = each;
      const rest = { id, isEnabled, condition, hitCondition, logMessage };
      if (each instanceof vscode.SourceBreakpoint) {
        const { uri, range } = each.location;
        const file = uri.scheme === 'file' ? uri.fsPath : uri.toString();
        return [{ ...rest, path: file, line: range.start.line + 1, functionName: undefined }];
      }
      return each instanceof vscode.FunctionBreakpoint
        ? [{ ...rest, path: undefined, line: undefined, functionName: each.functionName }]
        : [];
    });
  }

  add({ path: file, line, condition, hitCondition, logMessage }: NewBreakpoint): void {
    const location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location, true, condition, hitCondition, logMessage)]);
  }

  remove(ids: readonly string[]): void {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints.filter(({ id }) => ids.includes(id)));
  }

  dispose(): void {
    this.store.dispose();
    this.objects.clear();
  }
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null) : [];
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
