/** The state of an agent's page, from everything that the window knows about the agent. */
import type { AgentTrace } from '../../../acp/trace/traces';
import type { AgentPageState, TestState } from '../../../core/agents/agentsPage';
import type { SessionCapabilities } from '../../../core/model/content';
import type { TranslateVerbatim } from '../../shared/translate';
import { detailSections, logLines, pageLinks, testSections, versionRows } from './agentDetails';
import type { AgentFacts } from './agentFacts';
import { featureSections } from './agentFeatures';
import { type AgentSettingsFacts, settingSections } from './agentSettings';
import type { TestFindings } from './agentTest';
import { type AgentWork, browseRow } from './browseRows';
import type { PastTest } from './pastTests';

export interface AgentPageFacts {
  readonly facts: AgentFacts;
  readonly work: AgentWork;
  readonly readme?: string | undefined;
  readonly traces: readonly AgentTrace[];
  /** The capabilities that the agent had last time, from the cache. */
  readonly capabilities?: SessionCapabilities | undefined;
  /** The last handshake of a test or a session in this window. */
  readonly dialect?: TestFindings['dialect'];
  readonly settings: AgentSettingsFacts;
  readonly test?: TestState | undefined;
  /** The results of earlier tests, the newest first. */
  readonly pastTests?: readonly PastTest[];
}

/** @param platform the name of this platform for people @param language a BCP 47 tag */
export function agentPageState(page: AgentPageFacts, platform: string, language: string, t: TranslateVerbatim): AgentPageState {
  const { facts, work, readme, traces, capabilities, dialect, settings, test } = page;
  const row = browseRow(facts, work, platform, t);
  const session = dialect?.sessionCapabilities ?? capabilities;
  return {
    type: 'agent',
    agent: facts.entry && !work.progress ? { ...row, actions: [...row.actions, 'test'] } : row,
    ...(readme !== undefined && { readme }),
    links: pageLinks(facts, t),
    details: [...detailSections(facts, language, t), ...testSections(page.pastTests ?? [], language, t)],
    log: logLines(traces, language, t),
    versions: versionRows(facts, language, t),
    features: session ? featureSections({ session, prompt: dialect?.promptCapabilities, mcp: dialect?.mcpCapabilities }, t) : [],
    settings: facts.entry ? settingSections(dialect ? { ...settings, methods: dialect.authMethods } : settings, t) : [],
    ...(test && { test }),
  };
}
