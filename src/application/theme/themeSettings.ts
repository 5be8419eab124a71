/** The settings that determine the current theme. */

/** The full keys of these settings. */
export const THEME_SETTINGS = [
  'workbench.colorTheme',
  'workbench.preferredLightColorTheme',
  'workbench.preferredDarkColorTheme',
  'workbench.preferredHighContrastColorTheme',
  'workbench.preferredHighContrastLightColorTheme',
  'window.autoDetectColorScheme',
  'window.autoDetectHighContrast',
] as const;
export type ThemeSettings = Readonly<Record<(typeof THEME_SETTINGS)[number], unknown>>;

/** The setting for the user's own code colours. */
export const CUSTOMIZATIONS = 'editor.tokenColorCustomizations';
