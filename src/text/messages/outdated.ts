/** The warning about files that changed while a permission request waits, for the card and the quick pick. Pure. */
import type { ShowValue } from './failures';
import type { Values } from './translate';

/** Files that are named. */
const MAX_NAMES = 3;

/** @param paths as the agent named the files */
export function outdatedText<Text extends string>(
  paths: readonly string[],
  agent: string,
  t: (message: string, args: Values) => Text,
  show: ShowValue,
): Text {
  const names = paths.slice(0, MAX_NAMES).map((path) => show(path.split(/[\\/]/).at(-1) ?? path));
  const files = names.join(', ') + (paths.length > MAX_NAMES ? ', …' : '');
  return paths.length === 1
    ? t('{file} has changed since {agent} prepared this change. Allowing it may overwrite what was saved.', { file: files, agent })
    : t('{files} have changed since {agent} prepared this change. Allowing it may overwrite what was saved.', { files, agent });
}
