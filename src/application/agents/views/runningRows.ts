/** The rows of the agents that run. Pure. */
import type { RunningRow, RunningState } from '../../../core/agents/agentsPage';
import { oneLine } from '../../../text/characters/textSafety';
import { durationText } from '../../../text/messages/durations';
import type { TranslateVerbatim } from '../../shared/translate';
import { sizeText } from './browseRows';

const MAX_NAME = 80;
const MAX_FOLDER = 200;

export interface RunningAgentFacts {
  readonly key: string;
  readonly name: string;
  readonly icon?: string | undefined;
  readonly folder: string;
  /** The machine of an agent that runs elsewhere. */
  readonly host?: string | undefined;
  readonly startedAt: number;
  readonly pid?: number | undefined;
  /** The process of its keeper. */
  readonly keeperPid?: number | undefined;
  /** The names of the programs that its messages pass. */
  readonly proxies?: readonly string[] | undefined;
  readonly isReady: boolean;
  /** True while a turn runs in one of its sessions. */
  readonly isWorking?: boolean;
  /** Bytes of the agent's processes together; undefined where the system does not say it. */
  readonly memory?: number | undefined;
  readonly sessions: readonly { readonly key: string; readonly title: string }[];
}

/** @param now ms since the epoch */
export function runningState(agents: readonly RunningAgentFacts[], now: number, t: TranslateVerbatim): RunningState {
  const rows = agents.map((agent): RunningRow => {
    const { key, name, icon, folder, host, startedAt, pid, keeperPid, proxies = [], isReady, isWorking, memory, sessions } = agent;
    return {
      key,
      name: oneLine(name, MAX_NAME),
      ...(icon !== undefined && { icon }),
      status: [
        isWorking === true ? t('Working') : isReady ? t('Ready') : t('Starting'),
        host === undefined ? '' : t('on {host}', { host: oneLine(host, MAX_NAME) }),
        pid === undefined ? '' : t('process {pid}', { pid: String(pid) }),
        keeperPid === undefined ? '' : t('kept by process {pid}', { pid: String(keeperPid) }),
        proxies.length === 0 ? '' : t('through {proxies}', { proxies: oneLine(proxies.join(', '), MAX_NAME) }),
      ]
        .filter(Boolean)
        .join(' · '),
      folder: oneLine(folder, MAX_FOLDER),
      memory: memory === undefined ? t('Not known') : sizeText(memory, t),
      uptime: durationText(Math.max(0, now - startedAt), t),
      sessions: sessions.map((session) => ({ key: session.key, title: oneLine(session.title, MAX_NAME) })),
      actions: sessions.length > 0 ? ['stop', 'restart'] : ['stop'],
    };
  });
  return { type: 'running', agents: rows, total: totalText(agents, t) };
}

function totalText(agents: readonly RunningAgentFacts[], t: TranslateVerbatim): string {
  const count = agents.length === 1 ? t('1 agent') : t('{count} agents', { count: agents.length });
  const known = agents.flatMap(({ memory }) => memory ?? []);
  return known.length === 0
    ? count
    : `${count} · ${sizeText(
        known.reduce((sum, each) => sum + each, 0),
        t,
      )}`;
}
