/** Reads a theme with all it includes. Pure, over a port that reads the extension's files. */
import path from 'node:path';
import type { CodeRule } from '../../core/model/theme';
import { parseLooseJson } from './themeJson';
import { rulesOf } from './themeRules';

/** Files that may make one theme. */
const MAX_FILES = 16;

/** A file's text, by its path from the extension's folder, with slashes. Rejects when it cannot be read. */
export type ReadFile = (path: string) => Promise<string>;

/**
 * The rules of the theme in `file`, what it includes before its own, as VS Code orders them. Rejects when one of its files cannot be read, is no
 * JSON (a `.tmTheme` is XML), lies outside the extension, or includes itself.
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
    return rulesOf(content); // What a path in `tokenColors` leads to.
  }
  const { include, tokenColors, settings } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const follow = (target: string) => rulesIn(path.posix.join(path.posix.dirname(file), target), read, [...including, file]);
  const included = typeof include === 'string' ? await follow(include) : [];
  // `settings` is what a converted `.tmTheme` calls them.
  const own = typeof tokenColors === 'string' ? await follow(tokenColors) : rulesOf(tokenColors ?? settings);
  return [...included, ...own];
}
