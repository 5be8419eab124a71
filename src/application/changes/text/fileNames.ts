/** Names of files for a message. Pure. */
import path from 'node:path';
import { type InertText, joined, inertLine } from '../../shared/escape';
import type { Translate } from '../../shared/translate';

/** Limits of a list of names. `max`: files. `maxName`: UTF-16 units of a name. */
export interface NameLimits {
  readonly max: number;
  readonly maxName: number;
}

/** UTF-16 units of a file's name in a tab. */
const MAX_DIFF_NAME = 200;

/** The names of the first files, separated by commas, and the number of the others. Files of the same name have their folder's name in front. */
export function fileNames(paths: readonly string[], { max, maxName }: NameLimits, t: Translate): InertText {
  const times = new Map<string, number>();
  paths.forEach((each) => times.set(path.basename(each), (times.get(path.basename(each)) ?? 0) + 1));
  const names = paths.slice(0, max).map((each) => {
    const name = path.basename(each);
    return inertLine(times.get(name)! > 1 ? `${path.basename(path.dirname(each))}/${name}` : name, maxName);
  });
  const more = paths.length - names.length;
  return joined(more > 0 ? [...names, t('{count} more', { count: more })] : names, ', ');
}

/** Returns the title of a file's diff. @param session the name of its session, where another session has changes of the file too */
export function diffTitle(file: string, session: InertText | undefined, t: Translate): InertText {
  const name = inertLine(path.basename(file), MAX_DIFF_NAME);
  return session === undefined
    ? t('{file} (Changes to Review)', { file: name })
    : t('{file} (Changes to Review: {session})', { file: name, session });
}
