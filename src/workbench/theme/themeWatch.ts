/** The code colours of the current theme and the user's settings, now and after each change. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { CodeTheme } from '../../core/model/theme';
import { DisposableStore } from '../../util/disposable';
import { Listeners } from '../../core/platform/listeners';
import { CUSTOMIZATIONS, THEME_SETTINGS } from '../../application/theme/themeSettings';

export class ThemeWatch implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = new Listeners<[]>();
  private reading: Promise<CodeTheme | undefined> | undefined;

  constructor(private readonly log: Log) {
    const renew = () => {
      this.reading = undefined;
      this.changes.call();
    };
    this.store.add(vscode.window.onDidChangeActiveColorTheme(renew));
    this.store.add(vscode.extensions.onDidChange(renew));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if ([...THEME_SETTINGS, CUSTOMIZATIONS].some((key) => event.affectsConfiguration(key))) {
          renew();
        }
      }),
    );
  }

  /**
   * Resolves to undefined when the theme cannot be read: it is not installed where this code runs (a remote window), or it is not JSON. Never
   * rejects.
   */
  current(): Promise<CodeTheme | undefined> {
    return (this.reading ??= import('./themeReader').then(({ readCodeTheme }) => readCodeTheme(this.log)));
  }

  /** Calls `listener` when {@link current} may have changed. */
  onDidChange(listener: () => void): Disposable {
    return this.changes.add(listener);
  }

  dispose(): void {
    this.store.dispose();
    this.changes.clear();
  }
}
