/** The locations that a tool call's card lists, the same for the page and for searches in conversations. */
import type { Location } from '../model/content';
import type { ToolCallEntry } from '../model/state';

/** Omits the locations that a shown change links to anyway, and the session's own folder, which adds nothing. @param folder the session's */
export function shownLocations({ content, locations }: Pick<ToolCallEntry, 'content' | 'locations'>, folder: string): readonly Location[] {
  const changes = content.flatMap((each) => (each.type === 'diff' ? each.changes : []));
  return locations.filter(({ path, line }) => {
    const own = changes.filter((change) => change.path === path);
    return !isSameFolder(path, folder) && (own.length === 0 || (line !== undefined && own.every((change) => change.line === undefined)));
  });
}

/** True when both name one folder, with or without a separator at the end. */
export function isSameFolder(path: string, other: string): boolean {
  return withoutEnd(path) === withoutEnd(other);
}

/** True for a location that is a folder as far as its path and the locations beside it show. @param folders known folders, such as the session's */
export function isFolderPath(path: string, folders: readonly string[], beside: readonly Location[]): boolean {
  return (
    /[\\/]$/.test(path) ||
    folders.some((folder) => folder !== '' && (isSameFolder(path, folder) || isInside(folder, path))) ||
    beside.some((other) => isInside(other.path, path))
  );
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(withoutEnd(folder)) && /^[\\/]./.test(path.slice(withoutEnd(folder).length));
}

function withoutEnd(path: string): string {
  return path.length > 1 && /[\\/]$/.test(path) ? path.slice(0, -1) : path;
}
