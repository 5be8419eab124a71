/** Finds the files of a folder that the user's rules protect. A sandbox can only hold back files that exist when it starts. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Place } from '../plan/plan';

/** Returns a text when a rule protects the path, by its names below the root. */
export type RuleFor = (names: readonly string[], access: 'read' | 'write') => string | undefined;

/** The limits of the search, so that a start stays fast in a large repository. */
export const MAX_ENTRIES = 20_000;
export const MAX_DEPTH = 6;
const MAX_PLACES = 400;
/** Folders with files of packages, which no rule is meant for. */
const SKIPPED = new Set(['node_modules', 'bower_components', 'venv', '.venv', 'site-packages', '__pycache__', 'target', 'dist', 'build']);

/**
 * @param root a real path
 * @param emptied names of files that are empty instead of unreadable
 */
export async function protectedPlaces(root: string, ruleFor: RuleFor, emptied: ReadonlySet<string>): Promise<readonly Place[]> {
  const places: Place[] = [];
  let left = MAX_ENTRIES;
  let level: (readonly string[])[] = [[]];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: (readonly string[])[] = [];
    for (const folder of level) {
      const entries: readonly Dirent[] = await readdir(path.join(root, ...folder), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (--left < 0 || places.length >= MAX_PLACES) {
          return places;
        }
        const names = [...folder, entry.name];
        const isFolder = entry.isDirectory();
        // Git's folder has rules of its own, because commits write it.
        if ((!isFolder && !entry.isFile()) || entry.name === '.git') {
          continue;
        }
        const file = path.join(root, ...names);
        const isSecret = ruleFor(names, 'read') !== undefined;
        if (isSecret) {
          places.push({ path: file, access: !isFolder && emptied.has(entry.name) ? 'empty' : 'none', isFolder });
        } else if (ruleFor(names, 'write') !== undefined) {
          places.push({ path: file, access: 'read', isFolder }, ...parents(root, folder));
          if (isFolder) {
            next.push(names);
          }
        } else if (isFolder && !SKIPPED.has(entry.name)) {
          next.push(names);
        }
      }
    }
    level = next;
  }
  return places;
}

/**
 * The hidden folders above a protected file. They are mounts of their own, which cannot be renamed. A rename would take the file out of its protected name. Other
 * folders are left alone, because tools move files between them.
 */
function parents(root: string, folder: readonly string[]): readonly Place[] {
  return folder.flatMap((name, index) =>
    name.startsWith('.') ? [{ path: path.join(root, ...folder.slice(0, index + 1)), access: 'write' as const, isFolder: true }] : [],
  );
}
