/** Decides which file the content belongs to that a link, or one of several names, leads to. */
import path from 'node:path';
import type { ReviewFile } from '../../../../src/changes/review/reviewFile';
import { realOf } from './documents';
import { statsOf } from './fileSteps';
import type { World } from './world';

/** Returns the name of the file behind a link, and otherwise `name`. */
export function placeOf(world: World, name: string): string {
  const file = world.at(name);
  return path.relative(world.root, realOf(file) ?? file);
}

/**
 * Returns the files of which Keep also keeps the lines. A kept link is only a link, and the lines behind it belong to the row of its target. The
 * lines of a file with several names belong to the row that had an earlier version. While that row waits, they can be undone in it.
 * @param files the files that wait
 */
export function ownContents(kept: readonly string[], files: readonly Pick<ReviewFile, 'path' | 'before'>[]): readonly string[] {
  const waiting = files.filter(({ path: file, before }) => before.kind === 'file' && !kept.includes(file));
  const inodes = new Set(waiting.map(({ path: file }) => statsOf(file)?.ino));
  return kept.filter((file) => {
    const stats = statsOf(file);
    return stats?.isFile() === true && !inodes.has(stats.ino);
  });
}
