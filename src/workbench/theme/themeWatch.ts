/** The colours of code in the theme that is in use, as the theme and the user's settings have them, now and after each change. */
import * as vscode from 'vscode';
import type { Disposable, Log } from '../../core/model/ports';
import type { CodeTheme } from '../../core/model/theme';
import { DisposableStore } from '../../util/disposable';
import { Listeners } from '../../util/listeners';
import { CUSTOMIZATIONS, THEME_SETTINGS } from './themeSettings';

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

  /** Undefined when the theme cannot be read: it is not installed where this runs (a remote window), or not JSON. Never rejects. */
  current(): Promise<CodeTheme | undefined> {
    return (this.reading ??= import('./themeReader').then(({ readCodeTheme }) => readCodeTheme(this.log)));
  }

  /** {@link current} may be another. */
  onDidChange(listener: () => void): Disposable {
    return this.changes.add(listener);
  }

  dispose(): void {
    this.store.dispose();
    this.changes.clear();
  }
}
