/** Follows the changes that VS Code's Git extension counts. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { type GitApi, gitApi, type Repository } from './gitExtension';
import { countedByGit, type GitCountBadge } from './uncountedFiles';

export class GitCounts implements Disposable {
  private readonly store = new DisposableStore();
  private api: GitApi | undefined;

  /** @param onDidChange the counted files may be others */
  constructor(private readonly onDidChange: () => void) {
    this.store.add(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('git.countBadge') && onDidChange()));
    void this.follow().catch(() => undefined);
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
  }
}
