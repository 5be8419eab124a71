/** Services of the window whose code is loaded on first use, because starting a session needs none of them. */
import { workingFolder } from '../core/agents/endpoint';
import type { DisposableStore } from '../util/disposable';
import { lazy } from '../util/lazy';
import type { AttachCommandsDependencies } from './attachments/attachCommands';
import type { ExportCommandsDependencies } from './export/exportCommands';
import type { MentionsDependencies } from './mentions/mentions';
import type { PermissionAuditDependencies } from './permission/permissionAudit';
import type { InspectorDependencies } from './inspector/inspector';
import type { ProtocolLogDependencies } from './export/protocolLog';

export type LateServicesDependencies = Omit<ExportCommandsDependencies, 'audit'> &
  PermissionAuditDependencies &
  Omit<ProtocolLogDependencies, 'active'> &
  Omit<InspectorDependencies, 'active'> &
  AttachCommandsDependencies &
  Omit<MentionsDependencies, 'openHandlers'>;

export type LateServices = ReturnType<typeof lateServices>;

/** @param store disposed with the window */
export function lateServices(store: DisposableStore, deps: LateServicesDependencies) {
  const { panels } = deps;
  const active = () => {
    const session = panels.active;
    return (
      session && { agentId: session.agentId, cwd: session.launch ? workingFolder(session.launch, session.roots.cwd) : session.roots.cwd }
    );
  };
  const openHandlers = lazy(async () => store.add(new (await import('./links/openHandlers')).OpenHandlers(deps.activity)));
  const permissionAudit = lazy(async () => store.add(new (await import('./permission/permissionAudit')).PermissionAudit(deps)));
  const audit = async (sessionKey: string) => (await permissionAudit()).read(sessionKey);
  return {
    /** The sources for the pages of agents. */
    agentSources: { traces: deps.traces, clock: deps.clock, version: deps.version, secretsOf: deps.secretsOf },
    /** Records and shows who has answered which question. */
    permissionAudit,
    /** The messages on the wire. Until the log is opened, traces are only collected. */
    protocolLog: lazy(async () => store.add(new (await import('./export/protocolLog')).ProtocolLog({ ...deps, active }))),
    /** The same as a page. */
    inspector: lazy(async () => {
      const { Inspector } = await import('./inspector/inspector');
      return store.add(new Inspector({ ...deps, active }));
    }),
    /** Copies and exports a conversation as text, file or document. */
    exportCommands: lazy(async () => store.add(new (await import('./export/exportCommands')).ExportCommands({ ...deps, audit }))),
    /** Opens the targets of links in an agent's text. */
    openHandlers,
    /** Attaches files and problems to the next message. */
    attachCommands: lazy(async () => new (await import('./attachments/attachCommands')).AttachCommands(deps)),
    /** Finds what can be mentioned in a message, and its content. */
    mentions: lazy(async () => store.add(new (await import('./mentions/mentions')).Mentions({ ...deps, openHandlers }))),
  };
}
