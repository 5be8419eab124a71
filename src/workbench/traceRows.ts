/** Traces in a list. Pure. */
import type { AgentTrace } from '../acp/traces';
import { visible } from './escape';
import type { Translate } from './translate';

export interface TraceRow {
  readonly label: string;
  /** Since when, or until when. */
  readonly description: string;
  /** What runs, and where. */
  readonly detail: string;
}

/** @param language as `Date.toLocaleString` takes it */
export function traceRow({ agentName, commandLine, cwd, startedAt, endedAt }: Omit<AgentTrace, 'trace' | 'redaction'>, t: Translate, language: string): TraceRow {
  const time = (at: number): string => new Date(at).toLocaleTimeString(language);
  return {
    label: visible(agentName, 100),
    description: endedAt === undefined ? t('runs since {time}', { time: time(startedAt) }) : t('ended at {time}', { time: time(endedAt) }),
    detail: t('{command} in {folder}', { command: visible(commandLine, 200), folder: visible(cwd, 120) }),
  };
}
