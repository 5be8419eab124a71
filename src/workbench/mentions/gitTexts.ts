/** What git knows, as texts that go to an agent: changes that are not committed, and commits. Nothing of the repository's runs. Knows nothing of VS Code. */
import { lstat, readFile, readlink, stat } from 'node:fs/promises';
import path from 'node:path';
import { gitStatus, type RunGit, topOf } from '../../changes/disk/git';

export interface Commit {
  readonly hash: string;
  readonly subject: string;
  readonly author: string;
  /** ms since the epoch */
  readonly at: number;
}

/** A diff comes as text, by git alone. */
const AS_TEXT = ['--no-color', '--no-ext-diff', '--no-textconv'];
/** Bytes of a new file that are shown, and new files. */
const MAX_NEW_FILE = 64 * 1024;
const MAX_NEW_FILES = 20;
/** Commits that are looked through. */
const MAX_COMMITS = 500;
const HASH = /^[0-9a-f]{4,64}$/;

/** What a folder, or a file, has that the last commit has not; empty when there is nothing. Rejects where there is no repository. */
export async function changesOf(git: RunGit, place: string): Promise<string> {
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
  const tracked = await git(folder, ['diff', ...AS_TEXT, ...head, '--', `:(literal)${scope}`]);
  const inFolder = path.relative(await realTop(top), await realTop(folder)).replaceAll(path.sep, '/');
  const added = status.entries.filter((entry) => entry.untracked && (isFolder || path.posix.relative(inFolder, entry.path) === scope));
  const news = await Promise.all(added.slice(0, MAX_NEW_FILES).map((entry) => newFile(top, entry.path)));
  const rest = added.slice(MAX_NEW_FILES).map((entry) => `new file: ${entry.path}\n`);
  return [tracked?.toString() ?? '', ...news, ...rest].join('');
}

/** The files of which {@link changesOf} tells, and the names that they had before; absolute. Empty where there is no repository. */
export async function changedFiles(git: RunGit, place: string): Promise<readonly string[]> {
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder) {
    return [place];
  }
  const [top, status] = await Promise.all([topOf(git, place), gitStatus(git, place)]);
  const names = status?.entries.flatMap((entry) => [entry.path, ...(entry.oldPath === undefined ? [] : [entry.oldPath])]) ?? [];
  return top === undefined ? [] : names.map((name) => path.join(top, name));
}

/** What was deleted may have been the last of its folder, and a file may be in that one's place. */
async function folderThere(folder: string): Promise<string> {
  const isThere = (await stat(folder).catch(() => undefined))?.isDirectory() === true || path.dirname(folder) === folder;
  return isThere ? folder : folderThere(path.dirname(folder));
}

async function realTop(folder: string): Promise<string> {
  return (await import('../../util/realPath')).realPathOf(folder).catch(() => folder);
}

/** As git would show it, were it added: of a link where it leads, and nothing of what is there. */
async function newFile(top: string, file: string): Promise<string> {
  const absolute = path.join(top, file);
  const facts = await lstat(absolute).catch(() => undefined);
  const isLink = facts?.isSymbolicLink() === true;
  const isShort = facts?.isFile() === true && facts.size <= MAX_NEW_FILE;
  const head = `diff --git a/${file} b/${file}\nnew file mode ${isLink ? '120000' : '100644'}\n`;
  const read = isLink ? readlink(absolute, 'buffer') : isShort ? readFile(absolute) : undefined;
  const bytes = await read?.catch(() => undefined);
  const text = bytes && !bytes.includes(0) ? bytes.toString() : undefined;
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

/** A commit with what it changed. Rejects when there is none of this name. */
export async function commitText(git: RunGit, folder: string, hash: string): Promise<string> {
  const output = HASH.test(hash) ? await git(folder, ['show', ...AS_TEXT, '--format=fuller', hash, '--']) : undefined;
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
  const output = await git(folder, ['show', '--no-renames', '--name-only', '--format=', '-z', hash, '--']);
  const names = output?.toString().split('\0') ?? [];
  return names.filter(Boolean).map((name) => path.join(top, name));
}
