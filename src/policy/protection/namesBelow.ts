/** The names of a path below the folders of a session. Folders above them do not count for a pattern, because the user has chosen the folders. */
import path from 'node:path';

/** Returns the names below each root that contains the path, or all names when no root does. @param separator `/`, or `\\` for both */
export function namesBelow(file: string, roots: readonly string[], separator: string = path.sep): readonly (readonly string[])[] {
  const names = namesOf(file, separator);
  const below = roots
    .map((root) => namesOf(root, separator))
    .filter((root) => root.length <= names.length && root.every((name, index) => name === names[index]));
  return below.length > 0 ? below.map((root) => names.slice(root.length)) : [names];
}

export function namesOf(file: string, separator: string): string[] {
  return file.split(separator === '\\' ? /[\\/]+/ : /\/+/).filter(Boolean);
}
