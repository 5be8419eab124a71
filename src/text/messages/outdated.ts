/** The warning about files that changed while a permission request waits, for the card and the quick pick. Pure. */
import type { ShowValue } from './failures';
import type { Values } from './translate';

/** Files that are named. */
const MAX_NAMES = 3;

/** @param paths as the agent named the files */
export function outdatedNames(paths: readonly string[], show: ShowValue): string {
  const names = paths.slice(0, MAX_NAMES).map((path) => show(path.split(/[\\/]/).at(-1) ?? path));
  return names.join(', ') + (paths.length > MAX_NAMES ? ', …' : '');
}

export function outdatedText<Text extends string>(files: string, agent: string, t: (message: string, args: Values) => Text): Text {
  return t('{files} changed after {agent} had prepared this change. Allowing it may overwrite what was saved.', { files, agent });
}
