/** Reads the state of a working tree from `git status`, and the flags that hide a file from it. */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Reader } from './reader';

export interface ChangedEntry {
  /** Relative, with slashes. */
  readonly path: string;
  /** True when the index differs from the last commit. */
  readonly isStaged: boolean;
  /** True when the file differs from the index, or has a merge conflict. */
  readonly isEdited: boolean;
  /** True when the file does not exist. */
  readonly isDeleted: boolean;
  readonly isSubmodule: boolean;
}

export interface TreeStatus {
  readonly changed: readonly ChangedEntry[];
  /** New files, one by one. */
  readonly untracked: readonly string[];
  /** Folders of nested repositories that are not submodules, without a final slash. */
  readonly nested: readonly string[];
  /** Ignored files, and whole ignored folders with a slash at the end. */
  readonly ignored: readonly string[];
}

/** ms that Git may take, because it reads each file whose times have changed. */
export const STATUS_MS = 5 * 60_000;

/**
 * Returns the status. A submodule is compared only by its checked out commit, because it is a repository with a configuration of its own.
 * @throws Fault
 */
export async function statusOf(
  reader: Reader,
  { env = {}, ignored = false }: { readonly env?: Readonly<Record<string, string>>; readonly ignored?: boolean } = {},
): Promise<TreeStatus> {
  const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty'];
  const parts = await reader.parts([...args, `--ignored=${ignored ? 'matching' : 'no'}`], { env, timeoutMs: STATUS_MS });
  const changed: ChangedEntry[] = [];
  const untracked: string[] = [];
  const nested: string[] = [];
  const found: string[] = [];
  for (const part of parts) {
    const name = part.slice(2);
    if (part.startsWith('? ')) {
      (name.endsWith('/') ? nested : untracked).push(name.replace(/\/$/, ''));
    } else if (part.startsWith('! ')) {
      found.push(name);
    } else {
      const [, kind, x, y, submodule] = /^([1u]) (.)(.) (\S{4}) /.exec(part) ?? [];
      if (submodule !== undefined) {
        changed.push({
          path: kind === 'u' ? pathBehind(part, 10) : pathBehind(part, 8),
          isStaged: x !== '.',
          isEdited: y !== '.' || kind === 'u',
          // The letters of a conflict describe the two sides, not the file.
          isDeleted: kind === '1' && (y === 'D' || (x === 'D' && y === '.')),
          isSubmodule: submodule.startsWith('S'),
        });
      }
    }
  }
  return { changed, untracked, nested, ignored: found };
}

function pathBehind(line: string, fields: number): string {
  let at = 0;
  for (let field = 0; field < fields; field++) {
    at = line.indexOf(' ', at) + 1;
  }
  return line.slice(at);
}

/** Existing files that `git status` does not compare, because they are marked `assume-unchanged` or `skip-worktree`. @throws Fault */
export async function flaggedFiles(reader: Reader): Promise<string[]> {
  const found: string[] = [];
  for (const part of await reader.parts(['ls-files', '-v', '-z'])) {
    if (/^[a-zS] /.test(part)) {
      const name = part.slice(2);
      if (await lstat(path.join(reader.folder, name)).catch(() => undefined)) {
        found.push(name);
      }
    }
  }
  return found;
}

/** Clears the flags of these files in the index that `env` names, so that Git compares them again. @throws Fault */
export async function unflag(reader: Reader, files: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  if (files.length > 0) {
    const input = files.join('\0');
    await reader.run(['update-index', '-z', '--no-assume-unchanged', '--stdin'], { env, input });
    await reader.run(['update-index', '-z', '--no-skip-worktree', '--stdin'], { env, input });
  }
}

/** The paths of submodules and other repositories whose commit the index names. @throws Fault */
export async function gitlinks(reader: Reader, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const parts = await reader.parts(['ls-files', '--stage', '-z'], { env });
  return parts.filter((part) => part.startsWith('160000 ')).map((part) => part.slice(part.indexOf('\t') + 1));
}
