/** The rows of the question "which agent?". Pure. */
import { shownEndpoint } from '../../acp/redaction/launchSecrets';
import type { CatalogEntry } from '../../agent/catalog';
import { isProcess } from '../../core/agents/endpoint';
import { agentWithId } from '../../core/agents/agentIds';
import type { Failure } from '../../core/model/failure';
import { inert, type InertText, joined, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';
import type { Availability } from './availability';
import { nameOf, problemReasons, problemsByAgent } from './brokenAgents';

export type AgentRow = { readonly separator: InertText } | AgentEntryRow | BrokenAgentRow;

interface AgentEntryRow {
  /** Begins with the agent's name. */
  readonly label: InertText;
  readonly description?: InertText;
  readonly detail: InertText;
  /** The name of a VS Code icon. */
  readonly icon: string;
  /** A monochrome SVG of the agent, shown in place of the icon. */
  readonly svg?: string;
  readonly entry: CatalogEntry;
}

/** An entry of the setting that can't be used. */
interface BrokenAgentRow {
  readonly label: InertText;
  readonly description: InertText;
  /** The reasons why it can't be used. */
  readonly detail: InertText;
  readonly icon: string;
  readonly isBroken: true;
  /** The entry's name in the setting; absent where the setting is wrong as a whole. */
  readonly agentName?: string;
}

const MAX_NAME = 80;
const MAX_COMMAND = 120;
/** The makers of the agents that are offered without a setting, by the agent's id. */
const VENDORS: Readonly<Record<string, string>> = {
  'Claude Code': 'Anthropic',
  'Codex CLI': 'OpenAI',
  'Gemini CLI': 'Google',
  'GitHub Copilot CLI': 'GitHub',
  OpenCode: 'Anomaly',
  'Qwen Code': 'Alibaba Cloud',
  'Auggie CLI': 'Augment Code',
  Cline: 'Cline',
  'Kilo Code': 'Kilo',
  Pi: 'Earendil',
  'Factory Droid': 'Factory',
  Goose: 'Block',
  'Cursor CLI': 'Anysphere',
  'Kimi CLI': 'Moonshot AI',
  'Mistral Vibe': 'Mistral AI',
};

/** Returns the maker of a predefined agent. */
export function vendorOf(agentId: string): string | undefined {
  return Object.hasOwn(VENDORS, agentId) ? VENDORS[agentId] : undefined;
}

export interface AgentRowsOptions {
  /** The agent used last. */
  readonly last?: string | undefined;
  /** Agents that were used, by stored id, the one used last first. */
  readonly recent?: readonly string[];
  /** The mistakes in the user's setting; see `parseAgents`. */
  readonly problems?: readonly Failure[];
  /** The availability of the predefined agents, by id. */
  readonly availability?: ReadonlyMap<string, Availability>;
  /** The paths of predefined agents' programs on this machine, by id. */
  readonly installed?: ReadonlyMap<string, string> | undefined;
}

/**
 * Returns the agent used last, the user's own, the installed ones and those that can be downloaded. The demo agent comes first for a user who has
 * configured none, and last for the others: it is neither on top nor selected when the question opens.
 */
export function agentRows(
  entries: readonly CatalogEntry[],
  {
    last,
    recent: recentAgents = last === undefined ? [] : [last],
    problems = [],
    availability = new Map<string, Availability>(),
    installed = new Map<string, string>(),
  }: AgentRowsOptions,
  t: Translate,
): AgentRow[] {
  const hasOwn = entries.some(({ source }) => source === 'user');
  const recent = recentAgents
    .flatMap((storedId) => agentWithId(entries, storedId) ?? [])
    .filter(({ source }) => !hasOwn || source !== 'demo');
  const others = entries.filter((entry) => !recent.includes(entry));
  const of = (source: CatalogEntry['source']) => others.filter((entry) => entry.source === source);
  const isInstalled = ({ agentId }: CatalogEntry): boolean => availability.get(agentId) === 'installed';
  const demo = { heading: t('Built-in'), entries: of('demo') };
  // The user looks for an entry that can't be used among the others of the setting.
  const own = { heading: t('Custom'), entries: of('user'), broken: brokenRows(problems, t) };
  return [
    { heading: recent.length > 1 ? t('Recently used') : t('Last used'), entries: recent },
    ...(hasOwn ? [own] : [demo, own]),
    { heading: t('Installed'), entries: [...of('registry'), ...of('predefined').filter(isInstalled)] },
    { heading: t('Popular'), entries: of('predefined').filter((entry) => !isInstalled(entry)) },
    { heading: t('From extensions'), entries: of('extension') },
    { heading: t("From another extension's settings"), entries: of('other') },
    { heading: t('From this workspace'), entries: of('workspace') },
    ...(hasOwn ? [demo] : []),
  ].flatMap((group): AgentRow[] => {
    const rows = [
      ...group.entries.map((entry) => agentRow(entry, availability.get(entry.agentId), installed.get(entry.agentId), t)),
      ...(group === own ? own.broken : []),
    ];
    return rows.length === 0 ? [] : [{ separator: group.heading }, ...rows];
  });
}

/** The entries that the user wrote and that can't be used. */
function brokenRows(problems: readonly Failure[], t: Translate): BrokenAgentRow[] {
  return problemsByAgent(problems)
    .filter(({ isBroken }) => isBroken)
    .map((each) => ({
      label: nameOf(each),
      description: joined([t('Not valid'), t('Select to edit')], ' · '),
      detail: problemReasons(each, t),
      icon: 'error',
      isBroken: true,
      ...(each.agentName !== undefined && { agentName: each.agentName }),
    }));
}

function agentRow(entry: CatalogEntry, availability: Availability | undefined, file: string | undefined, t: Translate): AgentEntryRow {
  const label = inertLine(entry.agentName, MAX_NAME);
  if (entry.source === 'demo') {
    return { label, detail: t('Try it without an account (works offline)'), icon: agentIcon(entry, availability), entry };
  }
  const vendor = entry.source === 'predefined' || entry.source === 'registry' ? vendorOf(entry.agentId) : undefined;
  const text = availability && statusText(availability, entry, t);
  const description = joined(
    [...(vendor === undefined ? [] : [t('Coding agent by {vendor}', { vendor: inert(vendor) })]), ...(text ? [text] : [])],
    ' · ',
  );
  return {
    label,
    ...(description !== '' && { description }),
    detail: detailOf(entry, file, t),
    icon: agentIcon(entry, availability),
    ...(entry.icon !== undefined && { svg: entry.icon }),
    entry,
  };
}

/** The command line, and the program on this machine. A program that is started itself is named once. */
function detailOf({ launch, source }: CatalogEntry, file: string | undefined, t: Translate): InertText {
  const command = inertLine(shownEndpoint(launch), MAX_COMMAND);
  const installed =
    file !== undefined && source === 'predefined' ? t('Installed: {file}', { file: inertLine(file, MAX_COMMAND) }) : undefined;
  return installed ? (isProcess(launch) && launch.command === file ? installed : joined([installed, command], ' · ')) : command;
}

/** Returns undefined rather than `''`, which VS Code would show as a space. */
function statusText(availability: Availability, { launch }: CatalogEntry, t: Translate): InertText | undefined {
  switch (availability) {
    case 'downloads':
      return t('Downloads on first use');
    case 'not_installed':
      return t('Not installed');
    case 'no_runner':
      return isProcess(launch) ? t('Needs {program}', { program: inertLine(launch.command, MAX_NAME) }) : undefined;
    case 'installed':
      return undefined;
  }
}

/** Returns the name of a VS Code icon. */
export function agentIcon({ source }: CatalogEntry, availability: Availability | undefined): string {
  switch (source) {
    case 'demo':
      return 'mortar-board';
    case 'user':
      return 'settings-gear';
    case 'registry':
      return 'terminal';
    case 'extension':
    case 'other':
      return 'extensions';
    case 'workspace':
      return 'root-folder';
    default:
      return availability === 'installed' ? 'terminal' : availability === 'downloads' ? 'cloud-download' : 'package';
  }
}
