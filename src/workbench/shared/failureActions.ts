/** What a notification of a failure offers to do about it. Pure; loaded with the first failure. */
import type { Failure, FailureCode } from '../../core/model/failure';
import { type CauseAction, causeAction, causeIn } from '../../text/messages/causes';

export type NotificationAction = CauseAction | 'show_log' | 'manage_trust';

export const NODE_DOWNLOAD = 'https://nodejs.org/en/download';

/** More buttons than these make a notification hard to read. */
const MOST = 3;
/** Nobody did anything wrong, or only other words help. */
const WITHOUT: ReadonlySet<FailureCode> = new Set(['agent.start_cancelled', 'connection.disposed', 'request.cancelled']);

/**
 * At most three, the one that helps most first: what the cause asks for, then what helps with failures of the kind. None where the sentence says it all.
 * @param canRetry whether what failed can be done again
 */
export function notificationActions({ code, params }: Failure, canRetry: boolean): NotificationAction[] {
  const cause = causeIn(params);
  const first: readonly NotificationAction[] = cause ? [causeAction(cause)] : code === 'auth.required' ? ['sign_in'] : [];
  const actions = new Set([...first, ...(WITHOUT.has(code) ? [] : actionsOfKind(code))]);
  return [...actions].filter((action) => canRetry || action !== 'retry').slice(0, MOST);
}

function actionsOfKind(code: FailureCode): readonly NotificationAction[] {
  switch (code) {
    case 'internal':
    case 'config.invalid':
      return ['show_log'];
    case 'session.restricted_mode':
      return ['manage_trust'];
    case 'request.failed':
    case 'request.timeout':
      return ['retry', 'show_log'];
    default:
      return code.startsWith('agent.')
        ? ['retry', 'open_settings', 'show_log']
        : /^(?:connection|protocol)\./.test(code)
          ? ['retry', 'show_log']
          : [];
  }
}
