/** Reads the code colours of the current theme, from its files and the user's settings. */
import * as vscode from 'vscode';
import type { Log } from '../../core/platform/log';
import type { CodeTheme } from '../../core/model/theme';
import { chooseTheme, type ThemeKind } from '../../application/theme/themeChoice';
import { readTheme } from '../../application/theme/themeFile';
import { customRules } from '../../application/theme/themeRules';
import { CUSTOMIZATIONS, THEME_SETTINGS, type ThemeSettings } from '../../application/theme/themeSettings';

/** The maximum size in bytes of one file of a theme. */
const MAX_FILE = 4 * 1024 * 1024;

const KINDS: Readonly<Record<vscode.ColorThemeKind, ThemeKind>> = {
  [vscode.ColorThemeKind.Light]: 'vs',
  [vscode.ColorThemeKind.Dark]: 'vs-dark',
  [vscode.ColorThemeKind.HighContrast]: 'hc-black',
  [vscode.ColorThemeKind.HighContrastLight]: 'hc-light',
};

/** Resolves to undefined when the theme cannot be read. Never rejects. */
export async function readCodeTheme(log: Log): Promise<CodeTheme | undefined> {
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
    log.info(`The theme ${theme.name} could not be read, so code has other colours: ${String(error)}`);
    return undefined;
  }
}

async function readText(file: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(file);
  if (bytes.length > MAX_FILE) {
    throw new Error(`${file.path} is too long for a theme.`);
  }
  return new TextDecoder().decode(bytes);
}
