/** The texts about mistakes in the entries of `acpHost.agents`. Pure. */
import type { Failure } from '../../core/model/failure';
import { type InertText, joined, inertLine } from '../shared/escape';
import { settings } from '../shared/ids';
import type { Translate } from '../shared/translate';

/** The problems of one agent. */
export interface AgentProblems {
  /** Undefined for the setting as a whole. */
  readonly agentName: string | undefined;
  /** True when the agent can't be used. */
  readonly isBroken: boolean;
  readonly problems: readonly Failure[];
}

/** The number of agents that the notice names with their reasons. */
const MAX_NAMED = 2;
const MAX_NAME = 80;
/** The number of problems of one agent that are named. */
const MAX_PROBLEMS = 3;

/** Groups the problems by agent, in the order of the setting. @param problems see `parseAgents` */
export function problemsByAgent(problems: readonly Failure[]): readonly AgentProblems[] {
  const byAgent = new Map<string | undefined, Failure[]>();
  for (const problem of problems) {
    const name = problem.params?.['agentName'];
    const agentName = name === undefined ? undefined : String(name);
    byAgent.set(agentName, [...(byAgent.get(agentName) ?? []), problem]);
  }
  return [...byAgent].map(([agentName, all]) => ({
    agentName,
    isBroken: all.some(({ params }) => params?.['expected'] !== 'spelling'),
    problems: all,
  }));
}

/** One notice about all problems. `rest`: the number of agents that it does not name. Undefined without problems. */
export function brokenAgentsNotice(
  problems: readonly Failure[],
  t: Translate,
): { readonly text: InertText; readonly rest: number } | undefined {
  const all = problemsByAgent(problems);
  if (all.length === 0) {
    return undefined;
  }
  const named = all.slice(0, MAX_NAMED).map((each) => t('{agent}: {reasons}.', { agent: nameOf(each), reasons: problemReasons(each, t) }));
  const rest = all.length - named.length;
  const more = rest === 0 ? [] : [rest === 1 ? t('And 1 more.') : t('And {count} more.', { count: rest })];
  return { text: joined([t('Check the agents in your settings.'), ...named, ...more], ' '), rest };
}

/** Each reason as part of a sentence: "`command` is missing". */
export function problemReasons({ problems }: AgentProblems, t: Translate): InertText {
  const reasons = problems.slice(0, MAX_PROBLEMS).map(({ params = {} }) => reasonOf(params, t));
  return joined(reasons, ', ');
}

/** Returns the agent's name, or the setting's name when the setting as a whole is wrong. */
export function nameOf({ agentName }: AgentProblems): InertText {
  return inertLine(agentName?.trim() || settings.agents, MAX_NAME);
}

function reasonOf(params: NonNullable<Failure['params']>, t: Translate): InertText {
  const field = inertLine(String(params['field'] ?? ''), MAX_NAME);
  const written = params['written'] === undefined ? undefined : inertLine(String(params['written']), MAX_NAME);
  if (params['agentName'] === undefined) {
    return t('must be an object with one entry per agent');
  }
  if (field === '') {
    return params['expected'] === 'name' ? t('the name is empty') : t('must be an object with a `command`');
  }
  switch (params['expected']) {
    case 'present':
      return written === undefined ? t('`{field}` is missing', { field }) : t('`{written}` should be `{field}`', { field, written });
    case 'spelling':
      // Short, because VS Code cuts the detail of a row at the end of its only line.
      return t('`{written}` should be `{field}`', { field, written: written ?? '' });
    case 'string':
      return t('`{field}` must be a string', { field });
    case 'object':
      return t('`{field}` must be an object', { field });
    case 'array':
      return t('`{field}` must be an array', { field });
    case 'program':
      return t('`{field}` must be a program name or an absolute path', { field });
    case 'absolutePath':
      return t('`{field}` must be an absolute path', { field });
    case 'positiveNumber':
      return t('`{field}` must be a number greater than 0', { field });
    case 'protocol':
      return t('`{field}` must be "auto", 1, or 2', { field });
    case 'address':
      return t('`{field}` must start with wss:// or https://, without a user name', { field });
    case 'tls':
      return t('`{field}` must start with wss:// or https://, or set `allowInsecure`', { field });
    case 'fingerprint':
      return t('`{field}` must be a SHA-256 fingerprint, and `url` must start with wss://', { field });
    case 'process':
      return t("`{field}` can't be used together with `url`", { field });
    case 'alone':
      return t("`{field}` can't be used together with `agent`", { field });
    case 'known':
      return t('`{field}` must be the id of another agent, which is a program', { field });
    case 'host':
      return t('`{field}` must be a host of your SSH configuration, such as user@build', { field });
    case 'sshFolder':
      return t('`{field}` belongs into `ssh`', { field });
    case 'ports':
      return t('`{field}` must be a list of ports from 1024 to 65535', { field });
    case 'boolean':
      return t('`{field}` must be true or false', { field });
    default:
      return t("`{field}` isn't valid", { field });
  }
}
