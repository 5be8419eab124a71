/**
 * Uncommitted changes and commits as texts for an agent. No program that the repository configures is run, except its filters: without them, each filtered
 * file would count as changed. Knows nothing of VS Code.
 */
import { readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { gitStatus, type RunGit, topOf } from '../../changes/disk/git';
import { diskBytes } from '../../util/checkedBytes';

export interface Commit {
  readonly hash: string;
  readonly subject: string;
  readonly author: string;
  /** ms since the epoch */
  readonly at: number;
}

/** A text for an agent, and the files that it has text of. */
export interface ToldText {
  readonly text: string;
  /** Absolute. */
  readonly files: readonly string[];
}

/** A diff comes as text, by git alone, and without what is inside submodules. */
const AS_TEXT = ['--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short'];
/** Names in the list of a diff are from the repository's top, whatever the user's configuration says. */
const FROM_TOP = ['-c', 'diff.relative=false'];
/** Bytes of a new file that are shown, and new files. */
const MAX_NEW_FILE = 64 * 1024;
const MAX_NEW_FILES = 20;
/** Commits that are looked through. */
const MAX_COMMITS = 500;
const HASH = /^[0-9a-f]{4,64}$/;

/**
 * Returns what a folder or a file has that the last commit has not; empty when there is nothing. The files are those of this very text, absolute, each with
 * the name that it had before. Rejects where there is no repository.
 */
export async function changesOf(git: RunGit, place: string): Promise<ToldText> {
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() ?? false;
  const folder = isFolder ? place : await folderThere(path.dirname(place));
  const top = await topOf(git, folder);
  const status = await gitStatus(git, folder);
  if (top === undefined || !status) {
    throw new Error('not a git repository');
  }
  const scope = isFolder ? '.' : path.relative(folder, place).replaceAll(path.sep, '/');
  // Before the first commit everything is new.
  const head = status.head === undefined ? ['--cached'] : ['HEAD'];
  const output = await git(folder, [...FROM_TOP, 'diff', ...AS_TEXT, '--raw', '--patch', '-z', ...head, '--', `:(literal)${scope}`]);
  const tracked = namesAndPatch(output?.toString() ?? '');
  const absoluteTop = await realTop(top);
  const inFolder = path.relative(absoluteTop, await realTop(folder)).replaceAll(path.sep, '/');
  const added = status.entries.filter((entry) => entry.untracked && (isFolder || path.posix.relative(inFolder, entry.path) === scope));
  const shown = added.slice(0, MAX_NEW_FILES);
  const news = await Promise.all(shown.map((entry) => newFile(absoluteTop, entry.path)));
  const rest = added.slice(MAX_NEW_FILES).map((entry) => `new file: ${entry.path}\n`);
  const moved = await movedInto(git, top, head, new Set(tracked.names));
  const names = [...tracked.names, ...moved, ...shown.map((entry) => entry.path)];
  return { text: [tracked.patch, ...news, ...rest].join(''), files: [...new Set(names)].map((name) => path.join(top, name)) };
}

/** Returns the earlier names of files that came from elsewhere in the repository: a diff of one folder shows such a file as a new one. */
async function movedInto(git: RunGit, top: string, head: readonly string[], names: ReadonlySet<string>): Promise<string[]> {
  if (names.size === 0) {
    return [];
  }
  const output = await git(top, ['diff', ...AS_TEXT, '--raw', '--find-renames', '-z', ...head, '--']);
  if (!output) {
    throw new Error('no list of moved files');
  }
  return rawEntries(output.toString()).entries.flatMap(([oldName = '', name]) => (name !== undefined && names.has(name) ? [oldName] : []));
}

/** Splits the output of `git diff --raw --patch -z`: one process lists the names and makes the patch, so no change in between can add a file. */
function namesAndPatch(output: string): { readonly names: readonly string[]; readonly patch: string } {
  const { entries, end } = rawEntries(output);
  return { names: entries.flat(), patch: output.slice(output[end] === '\0' ? end + 1 : end) };
}

/** Reads the raw entries in front of a patch: each has one name, or the old and the new one. `end` is the offset behind them. */
function rawEntries(output: string): { readonly entries: readonly (readonly string[])[]; readonly end: number } {
  const entries: string[][] = [];
  let at = 0;
  const field = (): string => {
    const end = output.indexOf('\0', at);
    const text = output.slice(at, end < 0 ? output.length : end);
    at = end < 0 ? output.length : end + 1;
    return text;
  };
  while (output[at] === ':') {
    const isMove = /^[RC]/.test(field().split(' ').at(-1)!);
    entries.push([field(), ...(isMove ? [field()] : [])]);
  }
  return { entries, end: at };
}

/** Returns the nearest existing folder: the folder of a deleted file may be gone, or be a file now. */
async function folderThere(folder: string): Promise<string> {
  const isThere = (await stat(folder).catch(() => undefined))?.isDirectory() === true || path.dirname(folder) === folder;
  return isThere ? folder : folderThere(path.dirname(folder));
}

async function realTop(folder: string): Promise<string> {
  return (await import('../../util/realPath')).realPathOf(folder).catch(() => folder);
}

/** Returns a new file as git would show it after `git add`: of a link its target, without what is there. @param top a real path */
async function newFile(top: string, file: string): Promise<string> {
  const absolute = path.join(top, file);
  const target = await readlink(absolute, 'buffer').catch(() => undefined);
  const head = `diff --git a/${file} b/${file}\nnew file mode ${target ? '120000' : '100644'}\n`;
  // A folder on the way may have become a link since git listed the file.
  const bytes = target ?? (await diskBytes.read(absolute, MAX_NEW_FILE).catch(() => undefined));
  const text = bytes && !bytes.includes(0) ? Buffer.from(bytes).toString() : undefined;
  if (text === undefined || text === '') {
    return head;
  }
  const lines = text.replace(/\n$/, '').split('\n');
  const end = text.endsWith('\n') ? '' : '\\ No newline at end of file\n';
  return `${head}--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}${end}`;
}

/** The newest first; of all of them those that hold `text`. */
export async function commitsOf(git: RunGit, folder: string, text: string, limit: number): Promise<readonly Commit[]> {
  const output = await git(folder, ['log', `--max-count=${MAX_COMMITS}`, '--format=%H%x00%s%x00%an%x00%ct', '-z']);
  const fields = output?.toString().split('\0') ?? [];
  const wanted = text.toLowerCase();
  const commits: Commit[] = [];
  for (let at = 0; at + 3 < fields.length && commits.length < limit; at += 4) {
    const [hash, subject, author, seconds] = fields.slice(at, at + 4) as [string, string, string, string];
    if (hash.startsWith(wanted) || subject.toLowerCase().includes(wanted) || author.toLowerCase().includes(wanted)) {
      commits.push({ hash, subject, author, at: Number(seconds) * 1000 });
    }
  }
  return commits;
}

/** The name means a commit only: the text of a file, which has a hash too, would be sent unchecked. */
function commitOf(hash: string): string {
  return `${hash}^{commit}`;
}

/** A commit with what it changed. Rejects when there is none of this name. */
export async function commitText(git: RunGit, folder: string, hash: string): Promise<string> {
  const output = HASH.test(hash) ? await git(folder, ['show', ...AS_TEXT, '--format=fuller', commitOf(hash), '--']) : undefined;
  if (!output) {
    throw new Error('no such commit');
  }
  return output.toString();
}

/** The files that a commit changed, absolute, as if all of them were there. Empty when there is no such commit. */
export async function commitFiles(git: RunGit, folder: string, hash: string): Promise<readonly string[]> {
  const top = HASH.test(hash) ? await topOf(git, folder) : undefined;
  if (top === undefined) {
    return [];
  }
  const output = await git(folder, ['show', '--no-renames', '--name-only', '--format=', '-z', commitOf(hash), '--']);
  const names = output?.toString().split('\0') ?? [];
  return names.filter(Boolean).map((name) => path.join(top, name));
}
