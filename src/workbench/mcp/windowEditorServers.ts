/**
 * The editor as an MCP server for the sessions of the window. Part of the first load: the listeners, the tools and the SDK are in
 * `editor/editorServers.ts`, which loads with the first session that gets them.
 */
import type { McpChannel } from '../../acp/connect';
import { editorToolsModeOf } from '../../application/mcp/editorToolsSetting';
import type { EditorServers } from '../../application/mcp/editorServers';
import { settings } from '../../application/shared/ids';
import { Fault, failureOf } from '../../core/model/failure';
import type { Disposable } from '../../core/platform/disposable';
import { readUserValue } from '../settings/agentSettings';
import type { EditorServersDependencies } from './editor/editorServers';
import type { EditorServers as DeclaredServers } from '../../application/mcp/composeServers';

const METHOD_NOT_FOUND = -32601;

export class WindowEditorServers implements DeclaredServers, Disposable {
  /** Undefined until the first session declares the server. */
  private loading: Promise<EditorServers> | undefined;
  private loaded: EditorServers | undefined;
  private isDisposed = false;

  constructor(private readonly deps: EditorServersDependencies) {}

  readonly isActive: DeclaredServers['isActive'] = ({ agentId, agentName }) =>
    editorToolsModeOf(readUserValue(settings.editorTools, 'readOnly').value, agentId, agentName) !== 'off';

  readonly declare: DeclaredServers['declare'] = async (request, earlier) => {
    if (!this.loading) {
      const loading = import('./editor/editorServers').then(({ editorServers }) => (this.loaded = editorServers(this.deps)));
      this.loading = loading;
      loading.catch(() => (this.loading = undefined));
    }
    const servers = await this.loading;
    return this.isDisposed ? undefined : servers.declare(request, earlier);
  };

  readonly addressOf: DeclaredServers['addressOf'] = (key) => this.loaded?.addressOf(key);

  ended(key: string, isLeft?: boolean): void {
    this.whenLoaded((servers) => servers.ended(key, isLeft));
  }

  toolsChanged(): void {
    this.whenLoaded((servers) => servers.toolsChanged());
  }

  /** The channel of an agent's connection, for MCP over ACP. */
  readonly channel = (agentId: string): McpChannel => ({
    request: (link, method, params, respond, signal) => {
      if (!this.loading) {
        respond.error(new Fault({ code: 'internal' }, METHOD_NOT_FOUND, `Method not found: ${method}`));
        return;
      }
      this.loading.then(
        (servers) => servers.channel(agentId).request(link, method, params, respond, signal),
        (error: unknown) => respond.error(new Fault(failureOf(error))),
      );
    },
    notification: (link, method, params) => this.whenLoaded((servers) => servers.channel(agentId).notification(link, method, params)),
    ended: (link) => this.whenLoaded((servers) => servers.channel(agentId).ended(link)),
  });

  dispose(): void {
    this.isDisposed = true;
    this.whenLoaded((servers) => servers.dispose());
  }

  private whenLoaded(use: (servers: EditorServers) => void): void {
    void this.loading?.then(use, () => undefined);
  }
}
