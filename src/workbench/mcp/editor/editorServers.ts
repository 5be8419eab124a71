/** The editor's MCP servers, bound to this window: its settings, its sessions and its tools. */
import path from 'node:path';
import * as vscode from 'vscode';
import { EditorServers } from '../../../application/mcp/editorServers';
import { settings } from '../../../application/shared/ids';
import type { Log } from '../../../core/platform/log';
import type { Sessions } from '../../../session/sessions';
import { lazy } from '../../../util/lazy';
import { readUserValue } from '../../settings/agentSettings';
import { affectsSetting } from '../../settings/userValue';
import type { EditorToolsDependencies, WindowEditorTools } from './tools';

/** UTF-16 units of an error in the log. */
const MAX_LOGGED = 500;

export interface EditorServersDependencies extends Omit<EditorToolsDependencies, 'session' | 'toolsChanged'> {
  readonly log: Log;
  readonly version: string;
  readonly extensionPath: string;
  /** The extension's own folder for data of this machine. */
  readonly storagePath: string;
  sessions(): Sessions;
}

export function editorServers(deps: EditorServersDependencies): EditorServers {
  const session = (key: string) => deps.sessions().get(key);
  const tools = lazy(async (): Promise<WindowEditorTools> => {
    const { windowEditorTools } = await import('./tools');
    return windowEditorTools({ ...deps, session, toolsChanged: () => servers.toolsChanged() });
  });
  let loaded: WindowEditorTools | undefined;
  const configuration = vscode.workspace.onDidChangeConfiguration((event) => {
    if (affectsSetting(event, settings.editorTools) || affectsSetting(event, settings.editorToolCategories)) {
      servers.toolsChanged();
    }
  });
  const servers = new EditorServers({
    version: deps.version,
    bridge: { command: process.execPath, file: path.join(deps.extensionPath, 'dist', 'mcp-bridge.js') },
    socketFolder: deps.storagePath,
    tools: async () => (loaded = await tools()).all(),
    settings: () => ({
      mode: readUserValue(settings.editorTools, 'readOnly').value,
      categories: readUserValue(settings.editorToolCategories, {}).value,
    }),
    observer: async (key) => {
      const found = session(key);
      if (!found) {
        return undefined;
      }
      const { follow } = await tools();
      follow(found);
      return found.editorCalls();
    },
    ended: (key) => loaded?.ended(key),
    disposed: () => {
      configuration.dispose();
      loaded?.dispose();
    },
    isSandboxed: (key) => session(key)?.sandbox.mode === 'agent',
    // The SDK quotes whole messages of an agent.
    onError: (error) => deps.log.warn(`The editor's MCP server: ${error.message.slice(0, MAX_LOGGED)}`),
  });
  return servers;
}
