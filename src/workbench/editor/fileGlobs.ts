/** What a search for files looks for and leaves out, as VS Code's globs. Pure. */

/** Characters that mean something in a glob. VS Code's globs have no way to write them as they are; one that may be any character will do. */
const SPECIAL = /[*?[\]{}!,\\]/gu;

/** Files with `text` in their name, in upper or lower case, in any folder; all of them for no text. */
export function nameGlob(text: string): string {
  // Of a path, the name.
  const name = text.trim().split(/[\\/]/).at(-1)!;
  return name === '' ? '**/*' : `**/*${[...name].map(eitherCase).join('')}*`;
}

function eitherCase(character: string): string {
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  return lower !== upper && lower.length === 1 && upper.length === 1 ? `[${lower}${upper}]` : character.replace(SPECIAL, '?');
}

/** The patterns that a setting such as `search.exclude` turns on; one that depends on a file's siblings is left out. */
export function excludedBySetting(setting: unknown): string[] {
  return typeof setting === 'object' && setting !== null ? Object.entries(setting).flatMap(([glob, on]) => (on === true ? glob : [])) : [];
}

/**
 * Of an ignore file's patterns, those that a search need not go into at all; what is not among them is sorted out afterwards. None where the file
 * takes something back ("!"), since that may be inside.
 * @param folder where the file is, from the root of the search, "" or with a "/" at its end
 */
export function excludedByIgnoreFile(text: string, folder = ''): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines.some((line) => line.startsWith('!')) || SPECIAL_IN_FOLDER.test(folder)) {
    return [];
  }
  return lines.flatMap((line) => {
    if (line === '' || line.startsWith('#') || /[?[\]{},\\]/u.test(line)) {
      return [];
    }
    const body = line.replace(/\/+$/, '');
    const path = body.replace(/^\/+/, '');
    if (path === '' || /^\*+$/.test(path)) {
      return [];
    }
    return body.includes('/') ? `${folder}${path}` : `${folder}**/${path}`;
  });
}

const SPECIAL_IN_FOLDER = /[*?[\]{}!,\\]/u;

/** All of them as one; undefined for none. */
export function oneGlob(globs: readonly string[]): string | undefined {
  return globs.length > 1 ? `{${[...new Set(globs)].join(',')}}` : globs[0];
}

/** Which of these names `typed` means: the same one, else one that begins with it, holds it, or has its letters in this order. -1: none. */
export function bestName(names: readonly string[], typed: string): number {
  const ranks = names.map((name) => rankOf(name, typed));
  const best = Math.max(0, ...ranks);
  return best === 0 ? -1 : ranks.indexOf(best);
}

/** 0: VS Code's list would not show it. */
export function rankOf(name: string, typed: string): number {
  const text = name.toLowerCase();
  const wanted = typed.trim().toLowerCase();
  if (text === wanted) {
    return 4;
  }
  if (text.includes(wanted)) {
    return text.startsWith(wanted) ? 3 : 2;
  }
  let at = 0;
  for (const letter of text) {
    at += letter === wanted[at] ? 1 : 0;
  }
  return at === wanted.length ? 1 : 0;
}
