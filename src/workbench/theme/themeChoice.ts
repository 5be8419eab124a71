/** Which of the installed themes is in use: stable API tells only its kind. Pure. */
import type { ThemeSettings } from './themeSettings';

/** `ColorThemeKind` of VS Code, by what `uiTheme` of a contributed theme calls it. */
export type ThemeKind = 'vs' | 'vs-dark' | 'hc-black' | 'hc-light';

/** A theme of an extension. */
export interface ContributedTheme {
  /** As settings name it. */
  readonly name: string;
  /** From the extension's folder, with slashes. */
  readonly path: string;
}

/** The first of the themes the settings allow that an extension has and that is of this kind. `manifests` are package.json of the extensions. */
export function chooseTheme<E extends { readonly packageJSON: unknown }>(
  settings: ThemeSettings,
  kind: ThemeKind,
  extensions: readonly E[],
): { readonly extension: E; readonly theme: ContributedTheme } | undefined {
  const all = extensions.flatMap((extension) => themesOf(extension.packageJSON).map((theme) => ({ extension, theme })));
  const ofKind = all.filter(({ theme }) => theme.kind === kind);
  for (const name of candidates(settings, kind)) {
    // VS Code has given its own themes shorter names, and still takes the old ones.
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

/** Names, the likeliest first. What is only tried out, in VS Code's list of themes, is in no setting. */
function candidates(settings: ThemeSettings, kind: ThemeKind): unknown[] {
  const chosen = settings['workbench.colorTheme'];
  const preferred = settings[PREFERRED[kind]];
  const contrast = kind === 'hc-black' || kind === 'hc-light';
  if (contrast) {
    // The system asks for contrast; or the user chose such a theme, which is the more telling where both fit.
    return settings['window.autoDetectHighContrast'] === false ? [chosen] : [chosen, preferred];
  }
  return settings['window.autoDetectColorScheme'] === true ? [preferred, chosen] : [chosen];
}

function themesOf(manifest: unknown): (ContributedTheme & { readonly kind: unknown })[] {
  const themes: unknown = (manifest as { contributes?: { themes?: unknown } } | undefined)?.contributes?.themes;
  return (Array.isArray(themes) ? (themes as unknown[]) : []).flatMap((each) => {
    const { id, label, path, uiTheme } = (each ?? {}) as Readonly<Record<string, unknown>>;
    const name = typeof id === 'string' && id !== '' ? id : label;
    return typeof name === 'string' && typeof path === 'string' ? [{ name, path, kind: uiTheme || 'vs-dark' }] : []; // As VS Code takes one that says nothing.
  });
}
