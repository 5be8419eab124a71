/** The rows of traces in a list. Pure. */
import type { AgentTrace } from '../../acp/trace/traces';
import { type InertText, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';

export interface TraceRow {
  readonly label: InertText;
  /** The time since when, or until when, the agent runs. */
  readonly description: InertText;
  /** The command line or the address, where the agent has one, and the folder. */
  readonly detail: InertText;
}

/** @param language a locale for `Date.toLocaleString` */
export function traceRow(
  { agentName, commandLine, address, cwd, startedAt, endedAt }: Omit<AgentTrace, 'trace' | 'hops' | 'redaction'>,
  t: Translate,
  language: string,
): TraceRow {
  const shown = commandLine ?? address;
  const folder = inertLine(cwd, 120);
  const time = (at: number): string => new Date(at).toLocaleTimeString(language);
  return {
    label: inertLine(agentName, 100),
    description:
      endedAt === undefined ? t('Running since {time}', { time: time(startedAt) }) : t('Ended at {time}', { time: time(endedAt) }),
    detail: shown === undefined ? folder : t('{command} in {folder}', { command: inertLine(shown, 200), folder }),
  };
}

/** Sorts the agents of the session in front first. Within both groups the newest comes first. */
export function inOrder<T extends Pick<AgentTrace, 'agentId' | 'cwd'>>(
  traces: readonly T[],
  active: Pick<AgentTrace, 'agentId' | 'cwd'> | undefined,
): T[] {
  const isActive = ({ agentId, cwd }: T): boolean => agentId === active?.agentId && cwd === active.cwd;
  const newest = traces.toReversed();
  return [...newest.filter(isActive), ...newest.filter((trace) => !isActive(trace))];
}
