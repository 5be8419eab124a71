/** Finds the current theme among the installed ones, because the stable API reports only its kind. Pure. */
import type { ThemeSettings } from './themeSettings';

/** VS Code's `ColorThemeKind`, by the name that `uiTheme` of a contributed theme has for it. */
export type ThemeKind = 'vs' | 'vs-dark' | 'hc-black' | 'hc-light';

/** A theme of an extension. */
export interface ContributedTheme {
  /** The name as used in settings. */
  readonly name: string;
  /** The path relative to the extension's folder, with slashes. */
  readonly path: string;
}

/** Returns the first theme that the settings may mean, that an extension provides, and that has this kind. */
export function chooseTheme<E extends { readonly packageJSON: unknown }>(
  settings: ThemeSettings,
  kind: ThemeKind,
  extensions: readonly E[],
): { readonly extension: E; readonly theme: ContributedTheme } | undefined {
  const all = extensions.flatMap((extension) => themesOf(extension.packageJSON).map((theme) => ({ extension, theme })));
  const ofKind = all.filter(({ theme }) => theme.kind === kind);
  for (const name of candidates(settings, kind)) {
    // VS Code has shortened the names of its own themes, and still accepts the old ones.
    const known = typeof name === 'string' ? [name, name.replace(/^Default /, '')] : [];
    const found = known.flatMap((each) => ofKind.find(({ theme }) => theme.name === each) ?? [])[0];
    if (found) {
      return found;
    }
  }
  return undefined;
}

const PREFERRED = {
  vs: 'workbench.preferredLightColorTheme',
  'vs-dark': 'workbench.preferredDarkColorTheme',
  'hc-black': 'workbench.preferredHighContrastColorTheme',
  'hc-light': 'workbench.preferredHighContrastLightColorTheme',
} as const;

/** Returns the possible names, the likeliest first. A theme that is only previewed in VS Code's list of themes is in no setting. */
function candidates(settings: ThemeSettings, kind: ThemeKind): unknown[] {
  const chosen = settings['workbench.colorTheme'];
  const preferred = settings[PREFERRED[kind]];
  const contrast = kind === 'hc-black' || kind === 'hc-light';
  if (contrast) {
    // Either the system requests high contrast, or the user chose such a theme. The user's choice comes first if both fit.
    return settings['window.autoDetectHighContrast'] === false ? [chosen] : [chosen, preferred];
  }
  return settings['window.autoDetectColorScheme'] === true ? [preferred, chosen] : [chosen];
}

function themesOf(manifest: unknown): (ContributedTheme & { readonly kind: unknown })[] {
  const themes: unknown = (manifest as { contributes?: { themes?: unknown } } | undefined)?.contributes?.themes;
  return (Array.isArray(themes) ? (themes as unknown[]) : []).flatMap((each) => {
    const { id, label, path, uiTheme } = (each ?? {}) as Readonly<Record<string, unknown>>;
    const name = typeof id === 'string' && id !== '' ? id : label;
    return typeof name === 'string' && typeof path === 'string' ? [{ name, path, kind: uiTheme || 'vs-dark' }] : []; // VS Code's default kind.
  });
}
