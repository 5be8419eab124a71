/** The actions that a failure's notification offers. Pure; loaded with the first failure. */
import type { Failure, FailureCode } from '../../core/model/failure';
import { type CauseAction, causeAction, causeIn } from '../../text/messages/causes';

export type NotificationAction = CauseAction | 'show_log' | 'manage_trust';

export const NODE_DOWNLOAD = 'https://nodejs.org/en/download';

/** The maximum number of buttons: more make a notification hard to read. */
const MAX_BUTTONS = 3;
/** Failures without general actions: the user caused them, or only the text can help. */
const WITHOUT: ReadonlySet<FailureCode> = new Set(['agent.start_cancelled', 'connection.disposed', 'request.cancelled']);

/**
 * Returns at most three actions, the most useful first: the cause's action, then those for failures of this kind. Empty when the sentence is
 * enough.
 * @param canRetry true when the failed action can be repeated
 */
export function notificationActions({ code, params }: Failure, canRetry: boolean): NotificationAction[] {
  const cause = causeIn(params);
  const first: readonly NotificationAction[] = cause ? [causeAction(cause)] : code === 'auth.required' ? ['sign_in'] : [];
  const actions = new Set([...first, ...(WITHOUT.has(code) ? [] : actionsOfKind(code, params?.['isInstalled'] === 'yes'))]);
  return [...actions].filter((action) => canRetry || action !== 'retry').slice(0, MAX_BUTTONS);
}

function actionsOfKind(code: FailureCode, isInstalled: boolean): readonly NotificationAction[] {
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
      return code.startsWith('agent.') || code.startsWith('sandbox.')
        ? ['retry', ...(isInstalled ? [] : (['open_settings'] as const)), 'show_log']
        : /^(?:connection|protocol)\./.test(code)
          ? ['retry', 'show_log']
          : [];
  }
}
