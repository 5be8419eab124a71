/**
 * The messages between the extension host and the page of agents, which shows the agents to browse, one agent, or those that run. The host makes
 * the words of each row and sends the whole state after each change. The page decides only its own looks.
 */
import { type Infer, literal, object, optional, string, variant } from '../schema/schema';
import { fromSharePage, type ShareState } from '../share/sharePage';

/** The actions of a row or of a part of the page. The page has their labels. */
const ACTIONS = [
  'install',
  'update',
  'roll_back',
  'use_version',
  'pin',
  'unpin',
  'uninstall',
  'cancel',
  'new_session',
  'test',
  'copy_report',
  'sign_in',
  'sign_out',
  'clear_credentials',
  'endpoints',
  'mcp_servers',
  'rules',
  'default_agent',
  'settings',
  'show_log',
  'protocol_log',
  'show_running',
  'stop',
  'restart',
  'install_node',
] as const;
export type AgentAction = (typeof ACTIONS)[number];

/** An action that changes the installation of an agent. */
export type AgentOperation = Extract<AgentAction, 'install' | 'update' | 'roll_back' | 'use_version' | 'pin' | 'unpin' | 'uninstall'>;

export const AGENT_TABS = ['details', 'log', 'versions', 'features', 'settings', 'test'] as const;
export type AgentTab = (typeof AGENT_TABS)[number];

/** A state of an agent that a row shows as a badge. The text is for people. */
export interface AgentState {
  readonly kind: 'installed' | 'update' | 'pinned' | 'predefined' | 'settings' | 'extension' | 'other' | 'builtin' | 'unavailable';
  readonly text: string;
}

/** A failure in words. `detail` is external text. */
export interface AgentProblem {
  readonly text: string;
  readonly detail?: string;
}

/** A running operation on an agent. */
export interface AgentProgress {
  readonly text: string;
  /** From 0 to 1. Absent while the end is unknown. */
  readonly share?: number;
}

/** An agent in the list and in the header of its page. All texts are on one line and safe to display. */
export interface AgentRow {
  /** The agent's id in the catalog, also before it is installed. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** The version that starts; the newest one where none is installed. */
  readonly version?: string;
  readonly license?: string;
  readonly maker?: string;
  /** How the agent runs on this machine. */
  readonly runs: string;
  readonly states: readonly AgentState[];
  /** An SVG of allowed shapes. The page uses it as a mask only. */
  readonly icon?: string;
  readonly actions: readonly AgentAction[];
  /** The version that `roll_back` starts. */
  readonly earlier?: string;
  readonly progress?: AgentProgress;
  readonly problem?: AgentProblem;
}

export interface BrowseState {
  readonly type: 'browse';
  readonly agents: readonly AgentRow[];
  /** True until the cache is read. */
  readonly isLoading: boolean;
  /** True while the registries are asked. */
  readonly isRefreshing: boolean;
  /** The age of the list, and the registries that could not be reached. */
  readonly notes: readonly AgentProblem[];
}

export interface PageLink {
  readonly label: string;
  /** An http or https address. */
  readonly href: string;
}

/** A fact with its label. `mark`: a capability that the agent has or lacks. */
export interface PageFact {
  readonly label: string;
  readonly value: string;
  readonly mark?: 'yes' | 'no';
}

export interface PageSection {
  readonly title: string;
  readonly facts: readonly PageFact[];
  readonly note?: string;
  readonly actions?: readonly AgentAction[];
}

export interface LogLine {
  readonly time: string;
  readonly text: string;
  /** A remark of the extension, as opposed to a line of the agent. */
  readonly isNote?: boolean;
}

export interface VersionRow {
  readonly version: string;
  readonly about: string;
  readonly isCurrent: boolean;
  readonly actions: readonly AgentAction[];
}

/** A step of the test of an agent. */
export interface TestStep {
  readonly state: 'running' | 'passed' | 'failed' | 'skipped' | 'attention';
  readonly title: string;
  readonly result?: string;
  /** The advice after a failure. */
  readonly advice?: string;
  /** External text, such as the end of the agent's output. */
  readonly detail?: string;
}

export interface TestState {
  readonly isRunning: boolean;
  /** The result in one sentence, once the test has ended. */
  readonly summary?: string;
  readonly steps: readonly TestStep[];
  readonly sections: readonly PageSection[];
  /** Actions that correct the failure. */
  readonly actions: readonly AgentAction[];
}

export interface AgentPageState {
  readonly type: 'agent';
  readonly agent: AgentRow;
  /** Markdown of the readme. Absent: the description is all there is. */
  readonly readme?: string;
  readonly links: readonly PageLink[];
  readonly details: readonly PageSection[];
  readonly log: readonly LogLine[];
  readonly versions: readonly VersionRow[];
  readonly features: readonly PageSection[];
  readonly settings: readonly PageSection[];
  readonly test?: TestState;
}

export interface RunningRow {
  readonly key: string;
  readonly name: string;
  readonly icon?: string;
  readonly status: string;
  readonly folder: string;
  readonly memory: string;
  readonly uptime: string;
  readonly sessions: readonly { readonly key: string; readonly title: string }[];
  readonly actions: readonly AgentAction[];
}

export interface RunningState {
  readonly type: 'running';
  readonly agents: readonly RunningRow[];
  readonly total: string;
}

export type ToAgentsPage =
  | BrowseState
  | AgentPageState
  | RunningState
  | ShareState
  /** Selects a tab. */
  | { readonly type: 'tab'; readonly tab: AgentTab }
  /** Shows a sentence for a moment, and announces it to screen readers. */
  | { readonly type: 'say'; readonly text: string }
  /** Confirms a ping. */
  | { readonly type: 'pong' };

const key = string({ min: 1, max: 1000 });

export const fromAgentsPage = variant('type', {
  /** The page listens. */
  ready: object({}),
  /** Asks the panel for a pong, which shows that the extension host is alive. */
  ping: object({}),
  refresh: object({}),
  /** `version`: a row of the versions. */
  act: object({ key, action: literal(...ACTIONS), version: optional(string({ max: 200 })) }),
  /** Opens the agent's page. */
  open: object({ key, tab: optional(literal(...AGENT_TABS)) }),
  show_session: object({ key }),
  link: object({ href: string({ max: 4000 }) }),
  /** A button of the page of a sharing. */
  share: object({ message: fromSharePage }),
});
export type FromAgentsPage = Infer<typeof fromAgentsPage>;

/** The page that a panel shows, as its document saves it. */
export type SavedView =
  | { readonly kind: 'browse' }
  | { readonly kind: 'running' }
  | { readonly kind: 'agent'; readonly key: string }
  /** The page of shared sessions. */
  | { readonly kind: 'share' };

/** Reads the page from the saved state of a document. */
export function savedView(state: unknown): SavedView | undefined {
  const { view } = (typeof state === 'object' && state !== null ? state : {}) as { readonly view?: unknown };
  const { kind, key } = (typeof view === 'object' && view !== null ? view : {}) as { readonly kind?: unknown; readonly key?: unknown };
  if (kind === 'browse' || kind === 'running' || kind === 'share') {
    return { kind };
  }
  return kind === 'agent' && typeof key === 'string' && key !== '' ? { kind, key } : undefined;
}
