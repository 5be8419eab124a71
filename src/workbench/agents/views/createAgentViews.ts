/** Creates the pages of agents with the parts of the window that they show. Loaded with the first of their commands. */
import type * as vscode from 'vscode';
import type { Catalog } from '../../../agent/catalog';
import type { Session } from '../../../session/session';
import type { AccountCommands } from '../../signIn/accountCommands';
import type { SessionCommands } from '../../sessions/sessionCommands';
import { AgentViews, type AgentViewsDependencies } from './agentViews';

export interface AgentViewsSources
  extends Pick<AgentViewsDependencies, 'log' | 'sessions' | 'preferences' | 'servers' | 'rules' | 'configureEndpoints' | 'installNode'> {
  readonly context: vscode.ExtensionContext;
  readonly panels: { open(session: Session): void };
  readonly sessionCommands: SessionCommands;
  readonly lazy: {
    readonly agentSources: Pick<AgentViewsDependencies, 'traces' | 'clock' | 'version' | 'secretsOf'>;
    openHandlers(): Promise<{ openPage(url: string): Promise<unknown> }>;
  };
  readonly registryAgents: { window(): ReturnType<AgentViewsDependencies['registry']> };
  accountCommands(): Promise<Pick<AccountCommands, 'forget' | 'signIn' | 'signOut'>>;
  agentCatalog(): { readonly catalog: Catalog; readonly settings: { readonly defaultAgent: string | undefined } };
}

export function createAgentViews(sources: AgentViewsSources): AgentViews {
  const {
    context,
    log,
    sessionCommands,
    lazy,
    panels,
    sessions,
    preferences,
    servers,
    rules,
    accountCommands,
    agentCatalog,
    registryAgents,
  } = sources;
  const { account, capabilityCache } = sessionCommands.deps;
  return new AgentViews({
    ...lazy.agentSources,
    extensionUri: context.extensionUri,
    globalState: context.globalState,
    storage: context.globalStorageUri.fsPath,
    log,
    sessions,
    account,
    capabilityCache,
    preferences,
    servers,
    rules,
    registry: () => registryAgents.window(),
    entries: () => agentCatalog().catalog.entries,
    defaultAgent: () => agentCatalog().settings.defaultAgent,
    userAgents: () => new Set(agentCatalog().catalog.entries.flatMap(({ agentId, source }) => (source === 'user' ? [agentId] : []))),
    showSession: (key) => {
      const session = sessions.get(key);
      void (session && panels.open(session));
    },
    openPage: async (url) => (await lazy.openHandlers()).openPage(url),
    newSession: (agentId) => sessionCommands.create({ agentName: agentId }),
    signIn: async (agentId) => {
      if (!(await (await accountCommands()).signIn(agentId))) {
        await sessionCommands.create({ agentName: agentId });
      }
    },
    signOut: async (agentId) => (await accountCommands()).signOut(agentId),
    clearCredentials: async (agentId) => (await accountCommands()).forget(agentId),
    installNode: () => sources.installNode(),
    configureEndpoints: (agentId) => sources.configureEndpoints(agentId),
  });
}
