/** What of the settings decides which theme is in use. */

/** The settings that decide, by their full keys; their values as they are. */
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

/** Colours of code that the user has set by hand. */
export const CUSTOMIZATIONS = 'editor.tokenColorCustomizations';
