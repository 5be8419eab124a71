/** The advice about each failure that a start of an agent can end with: one sentence that names the next step. Pure. */
import type { Failure, FailureCode } from '../../../core/model/failure';
import { failureAdvice } from '../../../text/messages/advice';
import { causeIn } from '../../../text/messages/causes';
import type { TranslateVerbatim } from '../../shared/translate';

/** The failures that a start can end with, from the choice of the folder to the first session. */
export const START_CODES = [
  'agent.not_found',
  'agent.not_executable',
  'agent.spawn_failed',
  'agent.exited_at_start',
  'agent.start_timeout',
  'agent.start_cancelled',
  'agent.restarted',
  'agent.stopped',
  'agent.idle',
  'agent.ends_too_often',
  'agent.endpoint_refused',
  'agent.bad_cwd',
  'agent.line_break_in_argument',
  'agent.exited',
  'connection.closed',
  'connection.disposed',
  'connection.unsupported',
  'protocol.version',
  'protocol.bad_answer',
  'protocol.echo',
  'request.failed',
  'request.timeout',
  'request.cancelled',
  'auth.required',
  'session.folder_untrusted',
  'session.restricted_mode',
  'sandbox.unsupported',
  'sandbox.not_installed',
  'sandbox.no_namespaces',
  'sandbox.restricted',
  'sandbox.no_proc',
  'sandbox.not_a_process',
  'sandbox.failed',
  'proxy.not_started',
  'proxy.exited_at_start',
  'proxy.exited',
  'proxy.start_timeout',
  'proxy.not_a_proxy',
  'proxy.not_reading',
  'remote.unreachable',
  'remote.certificate',
  'remote.other_user',
  'remote.denied',
  'remote.not_found',
  'remote.conflict',
  'remote.busy',
  'remote.error',
  'remote.redirected',
  'remote.not_acp',
  'remote.too_large',
  'remote.closed',
  'remote.disconnected',
  'remote.no_secret',
  'internal',
] as const satisfies readonly FailureCode[];

/** @returns '' when the failure's own sentence has the advice, because its cause is known */
export function startAdvice(failure: Failure, t: TranslateVerbatim): string {
  if (causeIn(failure.params) !== undefined) {
    return '';
  }
  return failureAdvice(failure, t) || adviceAtStart(failure.code, t);
}

function adviceAtStart(code: FailureCode, t: TranslateVerbatim): string {
  switch (code) {
    case 'agent.start_cancelled':
    case 'agent.restarted':
    case 'agent.stopped':
    case 'agent.idle':
    case 'connection.disposed':
    case 'request.cancelled':
      return t('Test the agent again when you are ready.');
    case 'agent.endpoint_refused':
      return t('Check the address and the key of the endpoint, or use those of the agent.');
    case 'agent.ends_too_often':
    case 'agent.exited':
    case 'connection.closed':
      return t("Check the agent's log for the reason, then retry.");
    case 'connection.unsupported':
      return t('Configure the agent as a program that ACP Host starts.');
    case 'protocol.bad_answer':
      return t("Check that the command starts the agent's ACP mode, or update the agent.");
    case 'request.failed':
    case 'request.timeout':
      return t("Check the agent's log and its account, or update the agent.");
    case 'remote.conflict':
      return t('Close the other connection to the agent, then retry.');
    case 'remote.busy':
    case 'remote.error':
    case 'remote.closed':
    case 'remote.disconnected':
      return t('Retry in a while, or ask the people who run the server.');
    case 'remote.no_secret':
      return t('Set the value, or remove it from the settings of the agent.');
    case 'session.folder_untrusted':
      return t('Trust the folder, then retry.');
    case 'session.restricted_mode':
      return t('Trust the workspace, then retry.');
    default:
      return '';
  }
}
