/** The rows of the question "which agent?". Pure. */
import { shownLaunch } from '../../acp/redaction/launchSecrets';
import type { CatalogEntry } from '../../agent/catalog';
import type { Failure } from '../../core/model/failure';
import { type InertText, visible } from '../shared/escape';
import type { Translate } from '../shared/translate';
import type { Availability } from './availability';
import { nameOf, problemReasons, problemsByAgent } from './brokenAgents';

export type AgentRow = { readonly separator: InertText } | AgentEntryRow | BrokenAgentRow;

interface AgentEntryRow {
  /** Begins with the agent's name. */
  readonly label: InertText;
  readonly description?: InertText;
  readonly detail: InertText;
  /** One of VS Code's icons. */
  readonly icon: string;
  readonly entry: CatalogEntry;
}

/** An entry of the setting that can't be used. */
interface BrokenAgentRow {
  readonly label: InertText;
  readonly description: InertText;
  /** The reasons. */
  readonly detail: InertText;
  readonly icon: string;
  readonly isBroken: true;
}

const MAX_NAME = 80;
const MAX_COMMAND = 120;
/** As many rows of two lines are in sight when a question opens in a small window: the demo agent is one of them. */
const MAX_BEFORE_DEMO = 4;

export interface AgentRowsOptions {
  /** The agent used last. */
  readonly last?: string | undefined;
  /** Agents that were used, by name, the one used last first. */
  readonly recent?: readonly string[];
  /** The mistakes in the user's setting; see `parseAgents`. */
  readonly problems?: readonly Failure[];
  /** What is known of those that are not the user's own, by name. */
  readonly availability?: ReadonlyMap<string, Availability>;
}

/** The one used last, the user's own, those that are installed, those that can be downloaded; the demo agent where it is seen at once. */
export function agentRows(
  entries: readonly CatalogEntry[],
  {
    last,
    recent: recentAgents = last === undefined ? [] : [last],
    problems = [],
    availability = new Map<string, Availability>(),
  }: AgentRowsOptions,
  t: Translate,
): AgentRow[] {
  const recent = recentAgents.flatMap((name) => entries.find(({ agentName }) => agentName === name) ?? []);
  const others = entries.filter((entry) => !recent.includes(entry));
  const of = (source: CatalogEntry['source']) => others.filter((entry) => entry.source === source);
  const isInstalled = ({ agentName }: CatalogEntry): boolean => availability.get(agentName) === 'installed';
  const demo = { heading: t('Built-in'), entries: of('demo') };
  const own = { heading: t('Custom'), entries: of('user') };
  const isFirst = own.entries.length === 0 || own.entries.length + recent.length > MAX_BEFORE_DEMO;
  const broken = brokenRows(problems, t);
  const usable = [
    { heading: recent.length > 1 ? t('Recently used') : t('Last used'), entries: recent },
    ...(isFirst ? [demo, own] : [own, demo]),
    { heading: t('Installed'), entries: of('predefined').filter(isInstalled) },
    { heading: t('Popular'), entries: of('predefined').filter((entry) => !isInstalled(entry)) },
    { heading: t('From extensions'), entries: of('extension') },
    { heading: t("From another extension's settings"), entries: of('other') },
  ].flatMap((group): AgentRow[] =>
    group.entries.length === 0
      ? []
      : [{ separator: group.heading }, ...group.entries.map((entry) => agentRow(entry, availability.get(entry.agentName), t))],
  );
  return broken.length === 0 ? usable : [...usable, { separator: t('Not valid') }, ...broken];
}

/** The entries that the user wrote and that can't be used. */
function brokenRows(problems: readonly Failure[], t: Translate): BrokenAgentRow[] {
  return problemsByAgent(problems)
    .filter(({ isBroken }) => isBroken)
    .map((each) => ({
      label: nameOf(each),
      description: t('Select to edit'),
      detail: problemReasons(each, t),
      icon: 'error',
      isBroken: true,
    }));
}

function agentRow(entry: CatalogEntry, availability: Availability | undefined, t: Translate): AgentEntryRow {
  const label = visible(entry.agentName, MAX_NAME);
  if (entry.source === 'demo') {
    return { label, detail: t('Try it without an account (works offline)'), icon: agentIcon(entry, availability), entry };
  }
  const description = availability && wordsOf(availability, entry, t);
  return {
    label,
    ...(description !== undefined && { description }),
    detail: visible(shownLaunch(entry.launch), MAX_COMMAND),
    icon: agentIcon(entry, availability),
    entry,
  };
}

/** '' would be shown as a space. */
function wordsOf(availability: Availability, { launch }: CatalogEntry, t: Translate): InertText | undefined {
  switch (availability) {
    case 'downloads':
      return t('Downloads on first use');
    case 'not_installed':
      return t('Not installed');
    case 'no_runner':
      return t('Needs {program}', { program: visible(launch.command, MAX_NAME) });
    case 'installed':
      return undefined;
  }
}

/** One of VS Code's icons. */
export function agentIcon({ source }: CatalogEntry, availability: Availability | undefined): string {
  switch (source) {
    case 'demo':
      return 'mortar-board';
    case 'user':
      return 'settings-gear';
    case 'extension':
    case 'other':
      return 'extensions';
    default:
      return availability === 'installed' ? 'terminal' : availability === 'downloads' ? 'cloud-download' : 'package';
  }
}
