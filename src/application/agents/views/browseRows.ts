/** The rows of the list of agents. Pure. */
import { packageRunnerOf } from '../../../agent/packageRunner';
import { shownEndpoint } from '../../../acp/redaction/launchSecrets';
import type { AgentAction, AgentProblem, AgentProgress, AgentRow, AgentState } from '../../../core/agents/agentsPage';
import { isProcess } from '../../../core/agents/endpoint';
import type { Failure } from '../../../core/model/failure';
import type { InstallProgress, RegistryState } from '../../../registry/types';
import { oneLine } from '../../../text/characters/textSafety';
import { vendorOf } from '../agentRows';
import type { Availability } from '../availability';
import { relativeTime } from '../../shared/relativeTime';
import type { TranslateVerbatim } from '../../shared/translate';
import { type AgentFacts, hasUpdate, newerVersion } from './agentFacts';
import { problemOf } from './pageWords';

const MAX_NAME = 80;
const MAX_DESCRIPTION = 400;
const MAX_COMMAND = 120;

/** The work on an agent, and the last failure of one. */
export interface AgentWork {
  readonly progress?: InstallProgress | 'start';
  readonly failure?: Failure;
  /** Whether the program of a predefined agent is on this machine; undefined until that is known. */
  readonly availability?: Availability | undefined;
}

/** @param platform the name of this platform for people */
export function browseRow(facts: AgentFacts, work: AgentWork, platform: string, t: TranslateVerbatim): AgentRow {
  const { key, name, registry, installed, entry } = facts;
  const version = installed?.current.version ?? registry?.version;
  const description = registry?.description || (entry && ownDescription(facts, t)) || '';
  const maker = registry?.authors.map((author) => oneLine(author, MAX_NAME)).join(', ');
  const icon = registry?.icon ?? installed?.icon;
  const problem = work.failure ?? registry?.problem;
  return {
    key,
    name: oneLine(name, MAX_NAME),
    description: oneLine(description, MAX_DESCRIPTION),
    ...(version !== undefined && { version: oneLine(version, MAX_NAME) }),
    ...(registry?.license !== undefined && { license: oneLine(registry.license, MAX_NAME) }),
    ...(maker !== undefined && maker !== '' && { maker }),
    runs: runsText(facts, work.availability, platform, t),
    states: statesOf(facts, t),
    ...(icon !== undefined && { icon }),
    actions: work.progress === undefined ? [...actionsOf(facts), ...correctionsOf(work.failure)] : ['cancel'],
    ...(installed?.earlier && { earlier: oneLine(installed.earlier.version, MAX_NAME) }),
    ...(work.progress !== undefined && { progress: progressOf(work.progress, t) }),
    ...(problem && { problem: problemOf(problem, t) }),
  };
}

/** The sentence for an agent without a registry entry. */
function ownDescription({ entry }: AgentFacts, t: TranslateVerbatim): string {
  switch (entry!.source) {
    case 'demo':
      return t('Try it without an account (works offline)');
    case 'extension':
      return t('From another extension.');
    case 'predefined':
      return t('Coding agent by {vendor}', { vendor: vendorOf(entry!.agentId) ?? entry!.agentName });
    default:
      return shownEndpoint(entry!.launch);
  }
}

/** How the agent runs on this machine. */
function runsText(
  { registry, installed, entry }: AgentFacts,
  availability: Availability | undefined,
  platform: string,
  t: TranslateVerbatim,
): string {
  const kind = installed?.current.way ?? registry?.ways[0]?.kind;
  if (kind !== undefined) {
    return {
      npx: t('npm package, runs on Node.js'),
      uvx: t('Python package, runs with uv'),
      binary: t('Program for {platform}', { platform }),
    }[kind];
  }
  if (entry) {
    const { launch } = entry;
    if (entry.source === 'demo') {
      return t('Runs in VS Code');
    }
    if (!isProcess(launch)) {
      return t('Connection to {address}', { address: oneLine(shownEndpoint(launch), MAX_COMMAND) });
    }
    const program = oneLine(launch.command, MAX_NAME);
    switch (availability) {
      case 'not_installed':
        return t('{program} was not found on this machine', { program });
      case 'no_runner':
        return t('Needs {program}, which was not found on this machine', { program });
      default:
        return packageRunnerOf(launch) === undefined
          ? t('Runs {program}', { program })
          : t('Fetched by {program} at each start', { program });
    }
  }
  return registry?.problem ? '' : t('Not available for {platform}', { platform });
}

function statesOf(facts: AgentFacts, t: TranslateVerbatim): readonly AgentState[] {
  const { registry, installed, entry } = facts;
  const states: AgentState[] = [];
  if (installed) {
    states.push({ kind: 'installed', text: t('Installed') });
  }
  if (hasUpdate(facts)) {
    states.push({ kind: 'update', text: t('Update: {version}', { version: oneLine(registry!.version, MAX_NAME) }) });
  }
  if (installed?.pinned) {
    const newer = newerVersion(facts);
    const text = newer === undefined ? t('Pinned') : t('Pinned; {version} is available', { version: oneLine(newer, MAX_NAME) });
    states.push({ kind: 'pinned', text });
  }
  switch (entry?.source) {
    case 'predefined':
      states.push({ kind: 'predefined', text: t('Predefined') });
      break;
    case 'user':
      states.push({ kind: 'settings', text: t('From your settings') });
      break;
    case 'extension':
      states.push({ kind: 'extension', text: t('From an extension') });
      break;
    case 'other':
      states.push({ kind: 'other', text: t("From another extension's settings") });
      break;
    case 'workspace':
      states.push({ kind: 'settings', text: t('From the workspace') });
      break;
    case 'demo':
      states.push({ kind: 'builtin', text: t('Built-in') });
      break;
  }
  if (registry && !installed && (registry.problem || registry.ways.length === 0)) {
    states.push({ kind: 'unavailable', text: registry.problem ? t('Refused') : t('Not available') });
  }
  return states;
}

/** The actions that help after this failure. */
function correctionsOf(failure: Failure | undefined): readonly AgentAction[] {
  switch (failure?.params?.['reason']) {
    case 'in_use':
      return ['show_running'];
    case 'no_node':
    case 'no_npm':
      return ['install_node'];
    default:
      return [];
  }
}

/** The actions of an agent, the most useful first. */
export function actionsOf(facts: AgentFacts): readonly AgentAction[] {
  const { registry, installed, entry } = facts;
  const canInstall = registry !== undefined && registry.problem === undefined && registry.ways.length > 0;
  if (!installed) {
    return [...(canInstall ? (['install'] as const) : []), ...(entry ? (['new_session'] as const) : [])];
  }
  return [
    ...(hasUpdate(facts) ? (['update'] as const) : []),
    'new_session',
    ...(installed.earlier ? (['roll_back'] as const) : []),
    installed.pinned ? 'unpin' : 'pin',
    'uninstall',
  ];
}

export function progressOf(progress: InstallProgress | 'start', t: TranslateVerbatim): AgentProgress {
  if (progress === 'start') {
    return { text: t('Starting…') };
  }
  const { step, done, total } = progress;
  const share = done !== undefined && total !== undefined && total > 0 ? { share: Math.min(1, done / total) } : {};
  switch (step) {
    case 'download':
      return { text: downloadText(done, total, t), ...share };
    case 'verify':
      return { text: t('Verifying…'), ...share };
    case 'unpack':
      return { text: t('Unpacking…'), ...share };
    case 'finish':
      return { text: t('Finishing…'), ...share };
  }
}

function downloadText(done: number | undefined, total: number | undefined, t: TranslateVerbatim): string {
  if (done === undefined) {
    return t('Downloading…');
  }
  return total === undefined
    ? t('Downloading… {done}', { done: sizeText(done, t) })
    : t('Downloading… {done} of {total}', { done: sizeText(done, t), total: sizeText(total, t) });
}

/** A number of bytes for people. */
export function sizeText(bytes: number, t: TranslateVerbatim): string {
  const megabytes = bytes / 1024 / 1024;
  if (megabytes >= 1024) {
    return t('{size} GB', { size: (megabytes / 1024).toFixed(1) });
  }
  return megabytes >= 10 ? t('{size} MB', { size: Math.round(megabytes) }) : t('{size} MB', { size: megabytes.toFixed(1) });
}

/** The registries that could not be reached, with the age of the list. @param now ms since the epoch */
export function registryNotes(
  { registries }: Pick<RegistryState, 'registries'>,
  now: number,
  language: string,
  t: TranslateVerbatim,
): readonly AgentProblem[] {
  return registries.flatMap(({ url, checkedAt, problem }) => {
    if (!problem) {
      return [];
    }
    const host = oneLine(URL.canParse(url) ? new URL(url).host : url, MAX_COMMAND);
    const { text, detail } = problemOf(problem, t);
    const about =
      checkedAt === undefined
        ? t('No list of {host} is stored.', { host })
        : t('This list of {host} is from {time}.', { host, time: relativeTime(checkedAt, now, language) });
    return [{ text: `${text} ${about}`, ...(detail !== undefined && { detail }) }];
  });
}
