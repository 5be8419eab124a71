/** The patterns of a file search, as VS Code's globs. Pure. */

/** Characters that are special in a glob. VS Code's globs have no escapes, so `?` matches them. */
const SPECIAL = /[*?[\]{}!,\\]/gu;

/** Returns the glob for files with `text` in their name, ignoring case, in any folder. An empty text matches all files. */
export function nameGlob(text: string): string {
  // Only the name of a path is searched.
  const name = text.trim().split(/[\\/]/).at(-1)!;
  return name === '' ? '**/*' : `**/*${[...name].map(eitherCase).join('')}*`;
}

function eitherCase(character: string): string {
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  return lower !== upper && lower.length === 1 && upper.length === 1 ? `[${lower}${upper}]` : character.replace(SPECIAL, '?');
}

/** Returns the patterns that a setting such as `search.exclude` enables. Patterns that depend on a file's siblings are left out. */
export function excludedBySetting(setting: unknown): string[] {
  return typeof setting === 'object' && setting !== null ? Object.entries(setting).flatMap(([glob, on]) => (on === true ? glob : [])) : [];
}

/**
 * Returns those of an ignore file's patterns that the search itself can exclude. The other patterns are applied to the results. Returns none if
 * the file re-includes something ("!"), since that may be inside an excluded folder.
 * @param folder the file's folder relative to the root of the search, "" or with a trailing "/"
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

/** Combines the globs into one; undefined for none. */
export function oneGlob(globs: readonly string[]): string | undefined {
  return globs.length > 1 ? `{${[...new Set(globs)].join(',')}}` : globs[0];
}

/**
 * Returns the index of the name that best matches `typed`: an equal name, or one that begins with it, contains it, or has its letters in this
 * order. Returns -1 when none matches.
 */
export function bestName(names: readonly string[], typed: string): number {
  const ranks = names.map((name) => rankOf(name, typed));
  const best = Math.max(0, ...ranks);
  return best === 0 ? -1 : ranks.indexOf(best);
}

/** Returns the rank of a match, or 0 when VS Code's list would hide the name. */
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
