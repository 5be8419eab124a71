/** The timeouts of requests to an agent. */
import { type Endpoint, isProcess } from '../core/agents/endpoint';
import type { AgentLaunch } from '../core/model/agentLaunch';
import { packageRunnerOf } from './packageRunner';

/** ms for the response to a request, unless the entry sets `timeoutMs`. */
export const DEFAULT_TIMEOUT_MS = 60_000;
/** ms for the response to `initialize` of an agent that is downloaded first, or whose host asks for a password. */
export const DOWNLOAD_TIMEOUT_MS = 600_000;

/** ms for each request except `initialize`. */
export function requestTimeoutOf({ timeoutMs }: Pick<AgentLaunch, 'timeoutMs'>): number {
  return timeoutMs ?? DEFAULT_TIMEOUT_MS;
}

/** ms for `initialize`. */
export function initializeTimeoutOf(launch: Endpoint & Pick<AgentLaunch, 'timeoutMs'>): number {
  // The user may have to look up a password first.
  const isSlow = launch.kind === 'ssh' || (isProcess(launch) && packageRunnerOf(launch));
  return launch.timeoutMs ?? (isSlow ? DOWNLOAD_TIMEOUT_MS : DEFAULT_TIMEOUT_MS);
}
