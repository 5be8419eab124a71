/** Describes a start that failed, with the command line and the agent's last output. Pure. */
import type { Failure, FailureCode } from '../core/model/failure';

/** Codes that have another meaning before the agent is ready. */
const AT_START: { readonly [Code in FailureCode]?: FailureCode } = {
  'agent.exited': 'agent.exited_at_start',
  'connection.closed': 'agent.exited_at_start',
  'request.timeout': 'agent.start_timeout',
};

/**
 * @param failure the reason why `initialize` has no response, or none that can be used
 * @param commandLine for display; no value of the environment
 * @param stderr the agent's last lines, may be empty; used only when the failure has no detail
 */
export function startFailure(failure: Failure, commandLine: string, stderr: string): Failure {
  const detail = failure.detail?.trim() ? failure.detail : stderr;
  return {
    code: AT_START[failure.code] ?? failure.code,
    params: { ...failure.params, commandLine },
    ...(detail.trim() !== '' && { detail }),
  };
}
