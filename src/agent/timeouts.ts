/** How long to wait for an agent. */
import type { AgentLaunch } from '../core/model/ports';
import { packageRunnerOf } from './packageRunner';

/** ms for the answer to a request, when the entry says nothing. */
export const DEFAULT_TIMEOUT_MS = 60_000;
/** ms for `initialize` of an agent that is first downloaded. */
export const DOWNLOAD_TIMEOUT_MS = 600_000;

/** ms for any request but `initialize`. */
export function requestTimeoutOf(launch: Pick<AgentLaunch, 'timeoutMs'>): number {
  return launch.timeoutMs ?? DEFAULT_TIMEOUT_MS;
}

/** ms for `initialize`. */
export function initializeTimeoutOf(launch: Pick<AgentLaunch, 'command' | 'args' | 'timeoutMs'>): number {
  return launch.timeoutMs ?? (packageRunnerOf(launch) ? DOWNLOAD_TIMEOUT_MS : DEFAULT_TIMEOUT_MS);
}
