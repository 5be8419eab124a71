/** The arguments of ripgrep, as VS Code's own search gives them. Pure. */
import { RetryError } from '../retry';

/** The settings of VS Code that apply to a search in one folder. */
export interface SearchSettings {
  /** The globs of `files.exclude` and `search.exclude`. */
  readonly excluded: readonly string[];
  readonly useIgnoreFiles: boolean;
  readonly useParentIgnoreFiles: boolean;
  readonly useGlobalIgnoreFiles: boolean;
}

export interface FileFilter {
  /** Globs, separated by commas. */
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
}

export interface TextQuery extends FileFilter {
  readonly query: string;
  readonly isRegex?: boolean | undefined;
  readonly matchCase?: boolean | undefined;
  readonly wholeWord?: boolean | undefined;
}

/**
 * Returns the arguments for the files of a search. Links are not followed, because they may lead out of the session's folders.
 * @throws RetryError for a glob that ripgrep would read as something else
 */
export function fileArguments(settings: SearchSettings, { include, exclude }: FileFilter): string[] {
  const args = ['--no-config', '--hidden', '--no-require-git', '--sort', 'path'];
  if (!settings.useIgnoreFiles) {
    args.push('--no-ignore');
  } else {
    args.push(
      ...(settings.useParentIgnoreFiles ? [] : ['--no-ignore-parent']),
      ...(settings.useGlobalIgnoreFiles ? [] : ['--no-ignore-global']),
    );
  }
  // The last glob that matches wins.
  args.push(...globsOf(include, 'include').flatMap((glob) => ['-g', glob]));
  const excluded = [...settings.excluded, ...globsOf(exclude, 'exclude'), '**/.git'];
  args.push(...excluded.flatMap((glob) => ['-g', `!${glob}`]));
  return args;
}

/** Returns the arguments for the pattern. The engine is linear, unless the pattern needs what only PCRE2 has, which limits its backtracking. */
export function patternArguments({ query, isRegex, matchCase, wholeWord }: TextQuery): string[] {
  if (query.includes('\0')) {
    throw new RetryError('query must not contain the character U+0000.');
  }
  const isMultiline = isRegex ? /\\n|\n/.test(query) : query.includes('\n');
  return [
    '--json',
    '--crlf',
    matchCase ? '--case-sensitive' : '--ignore-case',
    ...(wholeWord ? ['--word-regexp'] : []),
    ...(isMultiline ? ['--multiline'] : []),
    ...(isRegex ? ['--engine', 'auto'] : ['--fixed-strings']),
    '--regexp',
    query,
  ];
}

/** Splits at the commas outside of braces. A plain name means a file, and a folder with all of its files. */
function globsOf(text: string | undefined, field: string): string[] {
  if (text === undefined) {
    return [];
  }
  if (text.includes('\0')) {
    throw new RetryError(`${field} must not contain the character U+0000.`);
  }
  return split(text).flatMap((part) => {
    const glob = part.trim().replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
    if (glob === '' || glob === '.' || glob === '**') {
      return [];
    }
    if (glob.startsWith('!')) {
      throw new RetryError(`${field} must not begin with "!". Use exclude to leave files out.`);
    }
    if (/^(?:\/|[a-z]:|\.\.(?:\/|$))/i.test(glob)) {
      throw new RetryError(`${field} is relative to the searched folder: ${part}. Name another folder with folder.`);
    }
    return /[*?{[]/.test(glob) ? [glob] : [glob, `${glob}/**`];
  });
}

function split(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const character = text[at];
    depth += character === '{' ? 1 : character === '}' ? -1 : 0;
    if (at === text.length || (character === ',' && depth <= 0)) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return parts;
}
