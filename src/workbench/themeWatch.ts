/** The colours of code in the theme that is in use, as the theme and the user's settings have them, now and after each change. */
import * as vscode from 'vscode';
import type { Disposable, Log } from '../core/ports';
import type { CodeTheme } from '../core/theme';
import { DisposableStore } from '../util/disposable';
import { Listeners } from '../util/listeners';
import { chooseTheme, THEME_SETTINGS, type ThemeKind, type ThemeSettings } from './themeChoice';
import { readTheme } from './themeFile';
import { customRules } from './themeRules';

const CUSTOMIZATIONS = 'editor.tokenColorCustomizations';
/** Bytes of one file of a theme. */
const MAX_FILE = 4 * 1024 * 1024;

const KINDS: Readonly<Record<vscode.ColorThemeKind, ThemeKind>> = {
  [vscode.ColorThemeKind.Light]: 'vs',
  [vscode.ColorThemeKind.Dark]: 'vs-dark',
  [vscode.ColorThemeKind.HighContrast]: 'hc-black',
  [vscode.ColorThemeKind.HighContrastLight]: 'hc-light',
};

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
    return (this.reading ??= this.read());
  }

  /** {@link current} may be another. */
  onDidChange(listener: () => void): Disposable {
    return this.changes.add(listener);
  }

  dispose(): void {
    this.store.dispose();
    this.changes.clear();
  }

  private async read(): Promise<CodeTheme | undefined> {
    const configuration = vscode.workspace.getConfiguration();
    const settings = Object.fromEntries(THEME_SETTINGS.map((key) => [key, configuration.get(key)])) as ThemeSettings;
    const chosen = chooseTheme(settings, KINDS[vscode.window.activeColorTheme.kind], vscode.extensions.all);
    if (!chosen) {
      return undefined;
    }
    const { extension, theme } = chosen;
    try {
      const rules = await readTheme(theme.path, (path) => readText(vscode.Uri.joinPath(extension.extensionUri, path)));
      return { rules: [...rules, ...customRules(configuration.get(CUSTOMIZATIONS), theme.name)] };
    } catch (error) {
      this.log.info(`The theme ${theme.name} could not be read, so code has other colours: ${String(error)}`);
      return undefined;
    }
  }
}

async function readText(file: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(file);
  if (bytes.length > MAX_FILE) {
    throw new Error(`${file.path} is too long for a theme.`);
  }
  return new TextDecoder().decode(bytes);
}
