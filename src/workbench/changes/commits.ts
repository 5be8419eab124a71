/** A commit keeps what it contains: hears of commits from VS Code's Git extension, where that is on. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunGit } from '../../changes/disk/git';
import { DisposableStore } from '../../util/disposable';
import { inPool } from '../../util/pool';
import { realPathOf } from '../../util/realPath';
import { readAutoKeep } from './changeSettings';
import type { PendingFiles } from './pendingFiles';

/** Of the Git extension's API, version 1, what is used here. */
interface GitApi {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: { readonly HEAD?: { readonly commit?: string }; readonly onDidChange: vscode.Event<void> };
}

const AT_ONCE = 4;

export function followCommits(changes: Pick<PendingFiles, 'pending'>, git: RunGit): DisposableStore {
  const store = new DisposableStore();
  void follow(store, changes, git).catch(() => undefined);
  return store;
}

async function follow(store: DisposableStore, changes: Pick<PendingFiles, 'pending'>, git: RunGit): Promise<void> {
  const extension = vscode.extensions.getExtension<{ readonly enabled: boolean; getAPI(version: 1): GitApi }>('vscode.git');
  const exported = await extension?.activate();
  if (!exported?.enabled) {
    return;
  }
  const api = exported.getAPI(1);
  const watch = (repository: Repository): void => {
    let head = repository.state.HEAD?.commit;
    store.add(
      repository.state.onDidChange(() => {
        const now = repository.state.HEAD?.commit;
        if (now !== head) {
          const before = head;
          head = now;
          void (now !== undefined && keepCommitted(changes, git, repository.rootUri.fsPath, now, before).catch(() => undefined));
        }
      }),
    );
  };
  api.repositories.forEach(watch);
  store.add(api.onDidOpenRepository(watch));
}

async function keepCommitted(
  changes: Pick<PendingFiles, 'pending'>,
  git: RunGit,
  folder: string,
  commit: string,
  before: string | undefined,
): Promise<void> {
  const top = await realPathOf(folder);
  const inRepository = changes.pending.filter(({ file }) => file.path.startsWith(top + path.sep));
  if (readAutoKeep().when === 'onCommit' && (await isCommitOn(git, top, commit, before))) {
    inRepository.forEach(({ changes: { review }, file }) => review?.keep(file.path));
    return;
  }
  const files = inRepository.filter(({ file }) => file.hunks);
  await inPool(files, AT_ONCE, async ({ changes: { review }, file }) => {
    const name = path.relative(top, file.path).split(path.sep).join('/');
    const text = await git(top, ['cat-file', 'blob', `${commit}:${name}`]);
    if (text) {
      review?.committed(file.path, text.toString());
    }
  });
}

/** Somebody has committed, or amended the last commit; else another branch was checked out, or commits came from elsewhere. */
async function isCommitOn(run: RunGit, top: string, commit: string, before: string | undefined): Promise<boolean> {
  const parentsOf = async (each: string): Promise<readonly string[]> =>
    (await run(top, ['rev-list', '--parents', '-n', '1', each]))?.toString().trim().split(' ').slice(1) ?? [];
  const parents = await parentsOf(commit);
  if (before === undefined || parents.length === 0) {
    return before === undefined && parents.length === 0;
  }
  return parents.includes(before) || (parents.join() === (await parentsOf(before)).join() && !(await isOnBranch(run, top, before)));
}

/** What was amended is on no branch any more; where another one was checked out that branch has it. */
async function isOnBranch(run: RunGit, top: string, commit: string): Promise<boolean> {
  return ((await run(top, ['for-each-ref', '--contains', commit, '--count=1', 'refs/heads', 'refs/remotes']))?.length ?? 0) > 0;
}
