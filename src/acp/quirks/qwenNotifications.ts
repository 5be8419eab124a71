/**
 * Qwen Code tells its own clients things of its own as `qwen/notify/session/…`, without the underscore that the protocol wants for extensions
 * (protocol page "Extensibility"): a suggestion after every turn, for one. They concern nobody else, so they are kept with the session,
 * in `extra` under the method's name, but are no entry of the conversation.
 */
import type { UnstampedEvent } from '../../core/model/event';

export function isQwenNotification(method: string): boolean {
  return method.startsWith('qwen/notify/');
}

export function qwenNotification(method: string, params: unknown): UnstampedEvent {
  return { type: 'session_info', extra: { [method]: params } };
}
