/** The folder after a change of it in a line. Pure. */
import path from 'node:path';
import type { LineFolders } from './reading';

type Words = readonly (string | undefined)[];

/** Returns the folder after a command. Only a plain change to a folder below, or to one of the session, is certain. */
export function folderAfter([program, ...rest]: Words, folder: string | undefined, folders: LineFolders): string | undefined {
  if (program !== 'cd') {
    return program === 'pushd' || program === 'popd' || program === 'chdir' ? undefined : folder;
  }
  const [target] = rest[0] === '--' ? rest.slice(1) : rest;
  const known = target === undefined ? undefined : fromStart(target, folders);
  if (known !== undefined) {
    return known;
  }
  return folder === undefined || target === undefined || !isBelow(target) ? undefined : [folder, target].filter(Boolean).join('/');
}

/** Returns an absolute path in the session's folder relative to the folder of the line. Undefined for another path. */
function fromStart(target: string, { cwd, session }: LineFolders): string | undefined {
  const start = cwd ?? session;
  if (start === undefined || !path.posix.isAbsolute(target) || /[*?[\]]/.test(target)) {
    return undefined;
  }
  const file = path.posix.normalize(target).replace(/(.)\/$/, '$1');
  const isInside = [cwd, session].some((each) => each !== undefined && each !== '/' && (file === each || file.startsWith(`${each}/`)));
  return isInside ? path.posix.relative(start, file) : undefined;
}

/** True for a path to a folder below, by its text. */
function isBelow(target: string): boolean {
  return target !== '' && !/^[/~-]/.test(target) && target.split('/').every((name) => name !== '..') && !/[*?[\]]/.test(target);
}
