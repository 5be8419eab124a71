/** The keys that send a message at once. Pure. */
import type { SendNow } from '../../src/core/queue/rules';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/**
 * Returns how this key sends: with Ctrl the least disruptive way available, with Ctrl+Shift instead of the running turn. Undefined for another key,
 * and while a question waits, which uses Ctrl+Enter itself.
 */
export function sendNowOf(
  { key, ctrlKey, metaKey, shiftKey, altKey }: Key,
  ways: readonly SendNow[],
  isAsked: boolean,
): SendNow | undefined {
  if (key !== 'Enter' || altKey || !(ctrlKey || metaKey) || isAsked) {
    return undefined;
  }
  return shiftKey ? ways.at(-1) : ways[0];
}

/** The keys of a way, for display. */
export function sendNowKeys(way: SendNow, ways: readonly SendNow[]): string {
  const isMac = navigator.platform.startsWith('Mac');
  return way === ways[0] ? (isMac ? '⌘Enter' : 'Ctrl+Enter') : isMac ? '⇧⌘Enter' : 'Ctrl+Shift+Enter';
}
