/** Reads a theme with all included files. Pure, over a port that reads the extension's files. */
import path from 'node:path';
import type { CodeRule } from '../../core/model/theme';
import { parseLooseJson } from './themeJson';
import { rulesOf } from './themeRules';

/** The maximum number of files that one theme may include. */
const MAX_FILES = 16;

/** Reads a file's text by its path relative to the extension's folder, with slashes. Rejects when it cannot be read. */
export type ReadFile = (path: string) => Promise<string>;

/**
 * Returns the rules of the theme in `file`. Included rules come before its own, as in VS Code. Rejects when one of its files cannot be read, is
 * not JSON (a `.tmTheme` is XML), is outside of the extension, or includes itself.
 */
export async function readTheme(file: string, read: ReadFile): Promise<CodeRule[]> {
  return rulesIn(path.posix.normalize(file), read, []);
}

async function rulesIn(file: string, read: ReadFile, including: readonly string[]): Promise<CodeRule[]> {
  if (file.startsWith('../') || including.includes(file) || including.length >= MAX_FILES) {
    throw new Error(`A theme may not include ${file}.`);
  }
  const content = parseLooseJson(await read(file));
  if (Array.isArray(content)) {
    return rulesOf(content); // The file that a path in `tokenColors` refers to.
  }
  const { include, tokenColors, settings } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const follow = (target: string) => rulesIn(path.posix.join(path.posix.dirname(file), target), read, [...including, file]);
  const included = typeof include === 'string' ? await follow(include) : [];
  // A converted `.tmTheme` uses the name `settings`.
  const own = typeof tokenColors === 'string' ? await follow(tokenColors) : rulesOf(tokenColors ?? settings);
  return [...included, ...own];
}
