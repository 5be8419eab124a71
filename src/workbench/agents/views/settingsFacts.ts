/** Collects the account and the settings of one agent from the parts of the window that know them. */
import type { CatalogEntry } from '../../../agent/catalog';
import type { AgentSettingsFacts } from '../../../application/agents/views/agentSettings';
import { serversOf } from '../../../application/mcp/userServers';
import { userRuleText } from '../../../text/messages/userRules';
import { verbatim } from '../../shared/l10n';
import type { Session } from '../../../session/session';
import type { Account } from '../../signIn/account';
import type { WindowServers } from '../../mcp/windowServers';
import type { WindowRules } from '../../permission/rules/windowRules';
import type { AgentPreferencesStore } from '../../preferences/agentPreferences';

export interface SettingsSources {
  readonly account: Account;
  readonly preferences: AgentPreferencesStore;
  readonly servers: WindowServers;
  readonly rules: WindowRules;
  readonly sessions: { readonly all: readonly Session[] };
  /** The id of the user's default agent. */
  defaultAgent(): string | undefined;
  /** The ids of the agents in the user's settings. */
  userAgents(): ReadonlySet<string>;
}

export async function settingsFactsOf(
  sources: SettingsSources,
  agentId: string,
  entry: CatalogEntry | undefined,
): Promise<AgentSettingsFacts> {
  const { account, preferences } = sources;
  const sessions = sources.sessions.all.filter((session) => session.agentId === agentId && !session.isRecorded);
  return {
    sessions: sessions.map(({ store }) => store.state),
    hasSavedValues: account.agentsWithValues.some((id) => id === agentId || id === entry?.earlierId),
    endpoints: entry ? account.endpointsOf(entry.launch) : [],
    isDefault: sources.defaultAgent() === agentId,
    options: preferences.of(agentId).values,
    servers: await serversFor(sources.servers, sessions.at(-1)),
    rules: await rulesFor(sources.rules, agentId, entry?.agentName),
  };
}

async function serversFor(servers: WindowServers, session: Session | undefined): Promise<AgentSettingsFacts['servers']> {
  const plan = session && (await (await servers.feature()).planOf(session));
  if (!plan) {
    return undefined;
  }
  const { servers: passed, leftOut } = serversOf(plan);
  return { passed: passed.map(({ name }) => name), leftOut: leftOut.map(({ name }) => name) };
}

/** The rules that name this agent, or none. */
async function rulesFor(rules: WindowRules, agentId: string, agentName: string | undefined): Promise<readonly string[]> {
  const all = (await rules.store()).list();
  return all
    .filter(
      ({ rule, problem }) => problem === undefined && (rule.agent === undefined || rule.agent === agentId || rule.agent === agentName),
    )
    .map(({ rule }) => userRuleText(rule, verbatim));
}
