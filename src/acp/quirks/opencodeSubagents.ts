/** OpenCode and related agents show a subagent only as the call of a tool named `task`. Its title is that name until the call is over. */
import type { Fields } from '../json/fields';

/** True for an open call of that tool. */
export function isOpencodeTask({ title }: Fields): boolean {
  return title === 'task';
}
