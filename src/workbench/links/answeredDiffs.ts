/** Closes the diff of a permission request when the request is answered, unless the user has kept its tab. */
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import type { Disposable } from '../../core/platform/disposable';

export class AnsweredDiffs implements Disposable {
  /** The subscriptions to sessions whose requests wait, by the address of the diff's right side. */
  private readonly diffs = new Map<string, Disposable>();

  /** Closes this diff when the request is answered. @param permissionId undefined: no request waits, so the diff stays open */
  follow({ store }: Pick<Session, 'store'>, permissionId: string | undefined, after: vscode.Uri): void {
    const address = after.toString();
    this.forget(address);
    if (permissionId === undefined) {
      return;
    }
    const update = (): void => {
      if (!store.state.pendingPermissions.includes(permissionId)) {
        this.forget(address);
        void closePreview(address);
      }
    };
    this.diffs.set(address, store.onEvents(update));
    // The answer may have come while the diff was being opened.
    update();
  }

  dispose(): void {
    [...this.diffs.keys()].forEach((address) => this.forget(address));
  }

  private forget(address: string): void {
    this.diffs.get(address)?.dispose();
    this.diffs.delete(address);
  }
}

async function closePreview(address: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap(({ tabs: all }) => all)
    .filter(({ input, isPreview, isPinned, isDirty }) => {
      const uri = input instanceof vscode.TabInputTextDiff ? input.modified : input instanceof vscode.TabInputText ? input.uri : undefined;
      return uri?.toString() === address && isPreview && !isPinned && !isDirty;
    });
  // The user may close it at the same time.
  await vscode.window.tabGroups.close(tabs, true).then(undefined, () => undefined);
}
