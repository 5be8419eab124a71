/** Follows the repositories of VS Code's Git extension, and the changes that it counts. */
import * as vscode from 'vscode';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { type GitApi, gitApi, type Repository } from './gitExtension';
import { countedByGit, type GitCountBadge } from './uncountedFiles';

/** ms in which Git opens the repositories of the window's folders, even large ones. */
const OPEN_MS = 10_000;

export class GitCounts implements Disposable {
  /** True once Git has opened its repositories, is disabled or takes too long. */
  isSettled = false;
  private readonly store = new DisposableStore();
  private api: GitApi | undefined;

  /** @param onDidChange called when the counted files or a field may have changed */
  constructor(
    clock: Clock,
    private readonly onDidChange: () => void,
  ) {
    const { store } = this;
    store.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('git.countBadge') && onDidChange()));
    store.add(clock.after(OPEN_MS, () => this.settle()));
    void this.follow()
      .catch(() => undefined)
      .then(() => this.settle());
  }

  get hasRepositories(): boolean {
    return (this.api?.repositories ?? []).length > 0;
  }

  /** The paths that Git counts; none where it is disabled. */
  get counted(): ReadonlySet<string> {
    const badge = vscode.workspace.getConfiguration('git').get<GitCountBadge>('countBadge', 'all');
    return countedByGit(
      (this.api?.repositories ?? []).map(({ state }) => state),
      badge,
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  private async follow(): Promise<void> {
    const api = (this.api = await gitApi());
    if (!api || this.store.disposed) {
      return;
    }
    const watch = ({ state }: Repository): void => void this.store.add(state.onDidChange(this.onDidChange));
    api.repositories.forEach(watch);
    this.store.add(api.onDidOpenRepository((repository) => (watch(repository), this.onDidChange())));
    this.store.add(api.onDidCloseRepository(this.onDidChange));
    this.onDidChange();
    if (api.state === 'uninitialized') {
      await new Promise((resolve) => this.store.add(api.onDidChangeState(resolve)));
    }
  }

  private settle(): void {
    if (!this.isSettled && !this.store.disposed) {
      this.isSettled = true;
      this.onDidChange();
    }
  }
}
