/** Finds commits that a Git folder names besides its branches and tags: in its log of HEAD, in an unfinished operation, and in refs of its own. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Git } from '../util/git';
import { Reader } from './reader';

/** Refs that are separate for each worktree. */
const OWN_REFS = ['refs/bisect', 'refs/rewritten', 'refs/worktree'];
/** Folders of unfinished operations. A rebase stores uncommitted changes as a commit that only a file in this folder names. */
const OPERATIONS = ['rebase-merge', 'rebase-apply', 'sequencer'];
/** The commits in this file can be downloaded again. */
const DOWNLOADED = 'FETCH_HEAD';

/**
 * The commits that Git's folder of a worktree or repository names besides its branches, tags and stashes. A branch may contain some of them.
 * @param gitFolder absolute
 * @throws Fault, and the system's error for a file that can't be read
 */
export async function namedCommits(git: Git, gitFolder: string): Promise<string[]> {
  const reader = await Reader.in(git, gitFolder, { isGitFolder: true });
  const refs = await reader.lines(['for-each-ref', '--format=%(objectname)', ...OWN_REFS]);
  const mentioned = await mentionedIn(gitFolder);
  return [...new Set([...(await loggedCommits(reader, 'HEAD')), ...(await existing(reader, [...refs, ...mentioned]))])];
}

/** The Git folders of a repository's linked worktrees; absolute. */
export async function linkedGitFolders(gitFolder: string): Promise<string[]> {
  const all = path.join(gitFolder, 'worktrees');
  const entries = await readdir(all, { withFileTypes: true }).catch(unlessMissing);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(all, name));
}

/** The commits in the log of a ref; none when there is no log. @throws Fault */
export async function loggedCommits(reader: Reader, ref: string): Promise<string[]> {
  const found = await reader.run(['rev-parse', '--verify', '--quiet', ref], { codes: [1] });
  if (found.code !== 0) {
    return [];
  }
  return reader.lines(['rev-list', '--walk-reflogs', '--ignore-missing', ref]);
}

/** The objects that are commits of the repository. @throws Fault */
export async function existing(reader: Reader, objects: readonly string[]): Promise<ReadonlySet<string>> {
  const input = linesOf(objects);
  const lines = input === '' ? [] : await reader.lines(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  return new Set(lines.flatMap((line) => (line.endsWith(' commit') ? [line.split(' ')[0]!] : [])));
}

/** The ids, one per line, as Git's input. */
export function linesOf(commits: readonly string[]): string {
  return commits.map((commit) => `${commit}\n`).join('');
}

/** All object ids in `HEAD`, `ORIG_HEAD` and similar files, and in the files of unfinished operations. */
async function mentionedIn(gitFolder: string): Promise<string[]> {
  const found: string[] = [];
  for (const inside of ['', ...OPERATIONS]) {
    const folder = path.join(gitFolder, inside);
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(unlessMissing)) {
      if (entry.isFile() && entry.name !== DOWNLOADED && (inside !== '' || /^[A-Z_]+$/.test(entry.name))) {
        const text = await readFile(path.join(folder, entry.name), 'latin1');
        found.push(...(text.match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? []));
      }
    }
  }
  return [...new Set(found)];
}

function unlessMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return [];
  }
  throw error;
}
