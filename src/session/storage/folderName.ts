/** The name of the directory that holds the stored sessions of one working folder. */
import { createHash } from 'node:crypto';
import path from 'node:path';

/** UTF-16 units of the readable part. */
const MAX_READABLE = 24;
const HASH = 12;

/** A readable name that is unique for each folder: `my-project-1f8a0c22d9e3`. @param cwd absolute */
export function folderNameOf(cwd: string, platform: NodeJS.Platform = process.platform): string {
  const { normalize, basename, parse, sep } = platform === 'win32' ? path.win32 : path.posix;
  const normal = normalize(cwd);
  const { root } = parse(normal);
  const folder = normal.length > root.length && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
  const identity = platform === 'win32' ? folder.toLowerCase() : folder;
  const readable = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_READABLE)
    .replace(/^-+|-+$/g, '');
  return `${readable || 'folder'}-${createHash('sha256').update(identity).digest('hex').slice(0, HASH)}`;
}
