/** Finds the files of a folder that the user's rules protect. A sandbox can only hold back files that exist when it starts. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
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
        // The names of a link count for its target. A link itself cannot be held.
        const file = await targetOf(path.join(root, ...names), entry);
        const isFolder = file !== undefined && (entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(file))));
        // Git's folder has rules of its own, because commits write it.
        if (file === undefined || entry.name === '.git') {
          continue;
        }
        const isSecret = ruleFor(names, 'read') !== undefined;
        if (isSecret) {
          places.push({ path: file, access: !isFolder && emptied.has(entry.name) ? 'empty' : 'none', isFolder });
        } else if (ruleFor(names, 'write') !== undefined) {
          places.push({ path: file, access: 'read', isFolder }, ...parents(root, folder));
          if (entry.isDirectory()) {
            next.push(names);
          }
        } else if (entry.isDirectory() && !SKIPPED.has(entry.name)) {
          next.push(names);
        }
      }
    }
    level = next;
  }
  return places;
}

/** Returns the real path of an entry; undefined for sockets, devices and links that lead nowhere. */
async function targetOf(file: string, entry: Dirent): Promise<string | undefined> {
  return entry.isSymbolicLink() ? realpath(file).catch(() => undefined) : entry.isFile() || entry.isDirectory() ? file : undefined;
}

async function isDirectory(file: string): Promise<boolean> {
  return (await stat(file)).isDirectory();
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
