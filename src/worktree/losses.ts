/** Finds all data that is deleted with a worktree and stored nowhere else. Data that Git could not report is listed as unknown, never left out. */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { failureOf } from '../core/model/failure';
import type { Git } from '../util/git';
import { linesOf, namedCommits } from './namedCommits';
import { Reader } from './reader';
import { isRealFolder, isRepository } from './realFolders';
import { flaggedFiles, gitlinks, statusOf, unflag } from './status';
import { ownCommits, type WorktreeModule } from './submoduleCommits';
import { copyIndex, withTemporaryStore } from './temporaryStore';
import type { Worktree } from './worktreeList';

/** An ignored file, or a folder whose whole content is ignored. */
export interface IgnoredEntry {
  /** Relative to the top of the worktree; a folder ends with a slash. */
  readonly path: string;
  /** Files in the folder; 1 for a file. */
  readonly files: number;
  /** True when the folder has more files than were counted. */
  readonly isAtLeast: boolean;
}

/** Commits of one repository. */
export interface CommitLoss {
  /** '' for the worktree, otherwise the submodule or nested repository. */
  readonly path: string;
  readonly count: number;
  /** True when removing copies the commits into the main tree's copy of the submodule. */
  readonly isKept: boolean;
}

export type UnknownPart = 'files' | 'commits' | 'stashes' | 'submodules';

export interface Losses {
  /** The number of uncommitted, untracked and ignored files, each counted once. Undefined when a part of them is unknown. */
  readonly files: number | undefined;
  /** The number of commits of the worktree that no other ref has. Undefined when it is unknown. */
  readonly commits: number | undefined;
  /** Tracked files with uncommitted changes, also in submodules and nested repositories. Paths are relative to the top of the worktree. */
  readonly uncommitted: readonly string[];
  /** New files, one by one. */
  readonly untracked: readonly string[];
  readonly ignored: readonly IgnoredEntry[];
  /** Nested repositories that are not submodules. Their folders are deleted with the worktree. */
  readonly nested: readonly string[];
  /** Per repository. */
  readonly commitsIn: readonly CommitLoss[];
  /** Ids of commits that only Git's own folder of the worktree names, for example amended ones and those of an unfinished rebase. */
  readonly loggedCommits: readonly string[];
  /** Messages of stashes that survive: those of the branch stay in the repository's list, and those of submodules are copied as commits. */
  readonly stashes: readonly string[];
  /** Messages of stashes in nested repositories, and in submodules without a copy in the main tree. */
  readonly lostStashes: readonly string[];
  /** Checks that failed, each with the repository and Git's message. */
  readonly unknown: readonly { readonly path: string; readonly what: UnknownPart; readonly detail: string }[];
  /** Differs when any of the data above has changed, including the content of a listed file. */
  readonly fingerprint: string;
}

/** The most files that are counted in an ignored folder. */
const MAX_COUNTED = 100_000;
/** Refs that keep a commit. The stash may be dropped, and this extension's own refs are not branches. */
const OTHER_REFS = ['--exclude=refs/stash', '--exclude=refs/acp-host/*', '--glob=refs/*'];

interface Draft {
  readonly uncommitted: string[];
  readonly untracked: string[];
  readonly ignored: IgnoredEntry[];
  readonly nested: string[];
  readonly commitsIn: CommitLoss[];
  readonly stashes: string[];
  readonly lostStashes: string[];
  readonly unknown: { path: string; what: UnknownPart; detail: string }[];
  readonly loggedCommits: string[];
}

/** The parts that belong only to the worktree. A part that cannot be read is listed as unknown. */
interface OwnParts {
  /** Git's own folder of the worktree. */
  adminFolder(): Promise<string>;
  /** The worktree's submodule repositories. */
  modules(): Promise<readonly WorktreeModule[]>;
}

export async function lossesOf(git: Git, root: string, worktree: Worktree, { adminFolder, modules }: OwnParts): Promise<Losses> {
  const draft: Draft = {
    uncommitted: [],
    untracked: [],
    ignored: [],
    nested: [],
    commitsIn: [],
    stashes: [],
    lostStashes: [],
    unknown: [],
    loggedCommits: [],
  };
  const attempt = attemptIn(draft);
  const folder = worktree.path;
  const seen = new Set<string>();
  if (!worktree.isGone) {
    await inspect(git, folder, '', draft, seen);
  }
  let unique: ReadonlySet<string> = new Set();
  await attempt('', 'commits', async () => {
    unique = await worktreeCommits(git, root, worktree, draft);
    draft.loggedCommits.push(...(await forgottenCommits(git, root, await adminFolder(), unique)));
  });
  await attempt('', 'stashes', async () => {
    draft.stashes.push(...(await branchStashes(git, root, worktree, unique)));
  });
  await attempt('', 'submodules', async () => {
    for (const each of await modules()) {
      await attempt(each.label, 'commits', async () => {
        const { commits } = await ownCommits(git, each);
        const isKept = (each.main ?? each.place) !== undefined;
        if (commits.length > 0 && !draft.commitsIn.some((other) => other.path === each.label)) {
          draft.commitsIn.push({ path: each.label, count: commits.length, isKept });
        }
        (isKept ? draft.stashes : draft.lostStashes).push(...(await stashesIn(git, each.gitFolder, each.label)));
      });
    }
  });
  const { uncommitted, untracked, ignored } = draft;
  [uncommitted, untracked, draft.nested].forEach((names) => names.sort());
  const isUnknown = (part: UnknownPart) => draft.unknown.some(({ path: at, what }) => what === part && (part === 'files' || at === ''));
  const count = uncommitted.length + untracked.length + ignored.reduce((sum, each) => sum + each.files, 0);
  const files = isUnknown('files') ? undefined : count;
  const commits = isUnknown('commits') ? undefined : (draft.commitsIn.find((each) => each.path === '')?.count ?? 0);
  return { ...draft, files, commits, fingerprint: await fingerprintOf(worktree, draft) };
}

function attemptIn(draft: Draft): (at: string, what: UnknownPart, read: () => Promise<void>) => Promise<void> {
  return async (at, what, read) => {
    try {
      await read();
    } catch (error) {
      const { code, detail } = failureOf(error);
      if (code === 'request.cancelled') {
        throw error;
      }
      draft.unknown.push({ path: at, what, detail: detail ?? code });
    }
  };
}

/** Lists the files of one repository and of the repositories in it. @param above '' or a path with a slash at the end */
async function inspect(git: Git, folder: string, above: string, draft: Draft, seen: Set<string>): Promise<void> {
  const attempt = attemptIn(draft);
  const label = above.replace(/\/$/, '');
  seen.add(folder);
  await attempt(label, 'files', async () => {
    const reader = await Reader.in(git, folder);
    const hidden = await flaggedFiles(reader);
    const status = await withTemporaryStore(git, folder, async (store) => {
      const env = { ...store.env, GIT_INDEX_FILE: store.file('index') };
      await copyIndex(reader, env.GIT_INDEX_FILE);
      await unflag(reader, hidden, env);
      return statusOf(reader, { env, ignored: true });
    });
    const { changed, untracked, nested, ignored } = status;
    draft.uncommitted.push(...changed.map((entry) => above + entry.path));
    draft.untracked.push(...untracked.map((name) => above + name));
    for (const name of nested) {
      await nestedRepository(git, folder, name, above, draft, seen);
    }
    for (const name of ignored) {
      await ignoredEntry(git, folder, name, above, draft, seen);
    }
  });
  await attempt(label, 'submodules', async () => {
    for (const name of await gitlinks(await Reader.in(git, folder))) {
      const inside = path.join(folder, name);
      if (seen.has(inside)) {
        continue;
      }
      if (await isRepository(folder, name)) {
        await inspect(git, inside, `${above}${name}/`, draft, seen);
      } else if (await isRealFolder(folder, name)) {
        // Git reads nothing in a submodule's folder while its repository is missing.
        const { files, isAtLeast } = await countFiles(inside);
        if (files > 0) {
          draft.ignored.push({ path: `${above}${name}/`, files, isAtLeast });
        }
      }
    }
  });
}

async function nestedRepository(git: Git, folder: string, name: string, above: string, draft: Draft, seen: Set<string>): Promise<void> {
  const inside = path.join(folder, name);
  if (seen.has(inside)) {
    return;
  }
  draft.nested.push(above + name);
  await inspect(git, inside, `${above}${name}/`, draft, seen);
  await attemptIn(draft)(above + name, 'commits', async () => {
    const gitFolder = path.join(inside, '.git');
    if (await isRealFolder(inside, '.git')) {
      const { commits } = await ownCommits(git, { gitFolder });
      if (commits.length > 0) {
        draft.commitsIn.push({ path: above + name, count: commits.length, isKept: false });
      }
      draft.lostStashes.push(...(await stashesIn(git, gitFolder, above + name)));
    }
  });
}

/** An ignored file or folder. Repositories in an ignored folder may have commits that exist nowhere else. */
async function ignoredEntry(git: Git, folder: string, name: string, above: string, draft: Draft, seen: Set<string>): Promise<void> {
  if (!name.endsWith('/')) {
    draft.ignored.push({ path: above + name, files: 1, isAtLeast: false });
    return;
  }
  const { files, isAtLeast, repositories } = await countFiles(path.join(folder, name));
  draft.ignored.push({ path: above + name, files, isAtLeast });
  for (const inside of repositories) {
    const repository = path.posix.join(name, inside).replace(/\/$/, '');
    const found: Draft = { ...draft, uncommitted: [], untracked: [], ignored: [] };
    // The count of the ignored folder includes the repository's files.
    await nestedRepository(git, folder, repository, above, found, seen);
  }
}

/**
 * Counts the files below a folder, without those of Git folders, and lists the repositories there. Links are not followed.
 * @throws when a folder can't be read
 */
async function countFiles(top: string): Promise<{ files: number; isAtLeast: boolean; repositories: readonly string[] }> {
  const repositories: string[] = [];
  const folders = [''];
  let files = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of await readdir(path.join(top, at), { withFileTypes: true })) {
      if (entry.name === '.git') {
        repositories.push(at);
      } else if (entry.isDirectory()) {
        folders.push(path.posix.join(at, entry.name));
      } else if (++files >= MAX_COUNTED) {
        return { files, isAtLeast: true, repositories };
      }
    }
  }
  return { files, isAtLeast: false, repositories };
}

/** The commits of the worktree's branch or HEAD that no other ref has. */
async function worktreeCommits(git: Git, root: string, { branch, head }: Worktree, draft: Draft): Promise<ReadonlySet<string>> {
  const own = branch === undefined ? [] : [`--exclude=refs/heads/${branch}`];
  const tips = [...(branch === undefined ? [] : [`refs/heads/${branch}`]), ...(head === undefined ? [] : [head])];
  const unique = new Set(tips.length === 0 ? [] : await missingFrom(await Reader.in(git, root), tips, [...own, ...OTHER_REFS]));
  if (unique.size > 0) {
    draft.commitsIn.push({ path: '', count: unique.size, isKept: false });
  }
  return unique;
}

/** The commits that only Git's own folder of the worktree names. @param unique the commits of its branch or HEAD, which are left out */
async function forgottenCommits(git: Git, root: string, adminFolder: string, unique: ReadonlySet<string>): Promise<string[]> {
  const named = await namedCommits(git, adminFolder);
  const others = named.length === 0 ? [] : await missingFrom(await Reader.in(git, root), named, OTHER_REFS);
  return others.filter((commit) => !unique.has(commit));
}

function missingFrom(reader: Reader, tips: readonly string[], others: readonly string[]): Promise<string[]> {
  return reader.lines(['rev-list', '--stdin', '--not', ...others], { input: linesOf(tips) });
}

/** Messages of the repository's stashes that were made on this branch, or on a commit that only this worktree has. */
async function branchStashes(git: Git, root: string, { branch, head }: Worktree, unique: ReadonlySet<string>): Promise<string[]> {
  const stashes = await stashList(await Reader.in(git, root));
  return stashes.flatMap(({ message, subject, parent }) => {
    const named = [message, subject].flatMap((text) => /^(?:WIP on|On) ([^:]+): /.exec(text)?.[1] ?? []);
    const isOnBranch = branch !== undefined && named.includes(branch);
    // The message of a stash on a detached HEAD, or one that the user wrote, names no branch.
    const isOnHead = parent === head && named.every((name) => name === '(no branch)');
    return isOnBranch || isOnHead || unique.has(parent) ? [message] : [];
  });
}

async function stashesIn(git: Git, gitFolder: string, label: string): Promise<string[]> {
  const stashes = await stashList(await Reader.in(git, gitFolder, { isGitFolder: true }));
  return stashes.map(({ message }) => `${label}: ${message}`);
}

interface Stash {
  /** The message in the list. */
  readonly message: string;
  /** The message of the stash's commit. */
  readonly subject: string;
  /** The commit on which the stash was made. */
  readonly parent: string;
}

async function stashList(reader: Reader): Promise<Stash[]> {
  const found = await reader.run(['rev-parse', '--verify', '--quiet', 'refs/stash'], { codes: [1] });
  if (found.code !== 0) {
    return [];
  }
  const parts = await reader.parts(['log', '-z', '--no-show-signature', '--walk-reflogs', '--format=%P%n%s%n%gs', 'refs/stash', '--']);
  return parts.map((part) => {
    const [parents = '', subject = '', ...message] = part.split('\n');
    return { message: message.join('\n').trim(), subject, parent: parents.split(' ')[0]! };
  });
}

async function fingerprintOf({ head, branch, path: folder }: Worktree, draft: Draft): Promise<string> {
  const commitsIn = draft.commitsIn.filter(({ isKept }) => !isKept);
  const hash = createHash('sha256').update(JSON.stringify([head, branch, { ...draft, commitsIn }]));
  const listed = [...draft.uncommitted, ...draft.untracked, ...draft.ignored.map((each) => each.path)];
  for (const name of listed) {
    const found = await lstat(path.join(folder, name)).catch(() => undefined);
    const stamp = found && (found.isDirectory() ? 'folder' : [found.size, found.mtimeMs, found.mode, found.ino]);
    hash.update(JSON.stringify([name, stamp ?? null]));
  }
  return hash.digest('hex');
}
