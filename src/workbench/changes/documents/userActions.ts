/** Reports what the user does beside an agent's turn to the recorders: file operations in the Explorer, and commands in terminals. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../../util/disposable';
import { realPathOf } from '../../../util/realPath';
import { entryPathOf } from '../../../application/changes/documents/realPaths';
import type { ObservedSession } from '../../../application/changes/documents/turnObserver';

export interface UserActionDependencies {
  sessions(): readonly ObservedSession[];
  /** ms since the epoch. */
  now(): number;
}

export function followUserActions({ sessions, now }: UserActionDependencies): DisposableStore {
  const store = new DisposableStore();
  let order = Promise.resolve();
  const running = (): readonly ObservedSession[] => sessions().filter(({ turnId }) => turnId !== undefined);
  const report = (uri: vscode.Uri, what: 'created' | 'deleted' | 'renamed', oldUri?: vscode.Uri): void => {
    if (uri.scheme !== 'file') {
      return;
    }
    const during = running();
    // The workspace may be open through a link, and the name may never have been seen: nothing is known of it before it is looked up.
    order = order.then(async () => {
      const real = await entryPathOf(uri.fsPath);
      const oldPath = oldUri?.scheme === 'file' ? await entryPathOf(oldUri.fsPath) : undefined;
      during
        .filter((changes) => changes.holds(real) || (oldPath !== undefined && changes.holds(oldPath)))
        .forEach(({ observer }) => observer.userChanged(real, what, oldPath));
    });
  };
  store.add(vscode.workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => report(uri, 'created'))));
  store.add(vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => report(uri, 'deleted'))));
  store.add(vscode.workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri, newUri }) => report(newUri, 'renamed', oldUri))));
  const began = new WeakMap<vscode.TerminalShellExecution, number>();
  store.add(vscode.window.onDidStartTerminalShellExecution(({ execution }) => void began.set(execution, now())));
  store.add(
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, shellIntegration }) => {
      // An agent's output in a terminal that an extension draws can pretend to be a shell.
      if ('pty' in terminal.creationOptions) {
        return;
      }
      const [from, to] = [began.get(execution), now()];
      const cwd = execution.cwd ?? shellIntegration.cwd;
      if (from !== undefined) {
        const during = running();
        const place = cwd?.scheme === 'file' ? realPathOf(cwd.fsPath).catch(() => undefined) : Promise.resolve(undefined);
        void place.then((real) => during.forEach(({ observer }) => observer.userCommand(from, to, real)));
      }
    }),
  );
  return store;
}
