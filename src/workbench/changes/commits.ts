/** A commit keeps what it contains: hears of commits from VS Code's Git extension, where that is on. */
import path from 'node:path';
import { type RunGit, topOf } from '../../changes/disk/git';
import { type HeadMove, isCommitted } from '../../changes/disk/gitCommits';
import { DisposableStore } from '../../util/disposable';
import { inPool } from '../../util/pool';
import { realPathOf } from '../../util/realPath';
import { readAutoKeep } from '../settings/changeSettings';
import { gitApi, type Head, type Repository } from '../git/gitExtension';
import type { PendingFiles } from './session/pendingFiles';

type FollowedChanges = Pick<PendingFiles, 'pending' | 'sessions'>;

const MAX_PARALLEL = 4;

/** Keeps what commits contain, and reports the user's Git operations to the turns that run. */
export function followCommits(changes: FollowedChanges, git: RunGit): DisposableStore {
  const store = new DisposableStore();
  void follow(store, changes, git).catch(() => undefined);
  return store;
}

async function follow(store: DisposableStore, changes: FollowedChanges, git: RunGit): Promise<void> {
  const api = await gitApi();
  if (!api) {
    return;
  }
  const watch = (repository: Repository): void => {
    let head = headOf(repository);
    const byUser = (): void => void reportGit(changes, repository.rootUri.fsPath);
    [repository.onDidCommit?.(byUser), repository.onDidCheckout?.(byUser)].forEach((each) => each && store.add(each));
    store.add(
      repository.state.onDidChange(() => {
        const now = headOf(repository);
        const before = head;
        head = now;
        if (now.commit !== undefined && now.commit !== before.commit) {
          const move = { before: before.commit, now: now.commit, sameBranch: now.name === before.name };
          void keepCommitted(changes, git, repository.rootUri.fsPath, move).catch(() => undefined);
        }
      }),
    );
  };
  api.repositories.forEach(watch);
  store.add(api.onDidOpenRepository(watch));
}

async function reportGit({ sessions }: FollowedChanges, folder: string): Promise<void> {
  const at = Date.now();
  const top = await realPathOf(folder);
  sessions.filter(({ turnId }) => turnId !== undefined).forEach(({ observer }) => observer.userGit(top, at));
}

/** Copies HEAD, since the extension may change the object. */
function headOf({ state }: Repository): Head {
  return { ...state.HEAD };
}

async function keepCommitted(changes: Pick<PendingFiles, 'pending'>, git: RunGit, folder: string, move: HeadMove): Promise<void> {
  const top = await realPathOf(folder);
  const inRepository = changes.pending.filter(({ file }) => file.path.startsWith(top + path.sep));
  if (readAutoKeep().when === 'onCommit' && (await isCommitted(git, top, move))) {
    await inPool(inRepository, MAX_PARALLEL, async ({ changes: { review }, file }) => {
      // A repository inside of this one has commits of its own.
      const nearest = await topOf(git, path.dirname(file.path));
      if (nearest === undefined || path.relative(top, nearest) === '') {
        review?.keep(file.path);
      }
    });
    return;
  }
  const files = inRepository.filter(({ file }) => file.hunks);
  await inPool(files, MAX_PARALLEL, async ({ changes: { review }, file }) => {
    const name = path.relative(top, file.path).split(path.sep).join('/');
    const text = await git(top, ['cat-file', 'blob', `${move.now}:${name}`]);
    if (text) {
      review?.committed(file.path, text.toString());
    }
  });
}
