/**
 * Qwen Code sends its own clients notifications named `qwen/notify/session/…`, without the underscore that the protocol requires for extensions
 * (protocol page "Extensibility"), for example a suggestion after every turn. Other clients have no use for them. They are stored with the session,
 * in `extra` under the method's name, but are not entries of the conversation.
 */
import type { EventInput } from '../../core/model/event';

export function isQwenNotification(method: string): boolean {
  return method.startsWith('qwen/notify/');
}

export function qwenNotification(method: string, params: unknown): EventInput {
  return { type: 'session_info', extra: { [method]: params } };
}
