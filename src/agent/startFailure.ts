/** A start that failed, so that the message can say what was run and what the agent said last. Pure. */
import type { Failure, FailureCode } from '../core/model/failure';

/** Before the agent is ready the end of its process, or its silence, means something else than afterwards. */
const AT_START: { readonly [Code in FailureCode]?: FailureCode } = {
  'agent.exited': 'agent.exited_at_start',
  'connection.closed': 'agent.exited_at_start',
  'request.timeout': 'agent.start_timeout',
};

/**
 * @param failure why `initialize` has no answer, or none that will do
 * @param commandLine for people; no value of the environment
 * @param stderr the agent's last lines, which may be none; they never replace what the failure itself quotes
 */
export function startFailure(failure: Failure, commandLine: string, stderr: string): Failure {
  const detail = failure.detail?.trim() ? failure.detail : stderr;
  return {
    code: AT_START[failure.code] ?? failure.code,
    params: { ...failure.params, commandLine },
    ...(detail.trim() !== '' && { detail }),
  };
}
