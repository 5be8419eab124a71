// Pictures of the whole window in four themes.
import { changeSettings } from '../e2e/stage.mjs';

/** Each with the class of the window in it. */
const themes = {
  dark: ['Dark Modern', 'vs-dark'],
  light: ['Light Modern', 'vs'],
  hc: ['Default High Contrast', 'hc-black'],
  'hc-light': ['Default High Contrast Light', 'hc-light'],
};

/** Takes a picture in each theme: `<name>-<look>` under test-results. `settings` stay in force. */
export async function inFourThemes(window, settings, name) {
  for (const [look, [theme, mark]] of Object.entries(themes)) {
    await changeSettings({ ...settings, 'workbench.colorTheme': theme });
    await window.page.locator(`.monaco-workbench.${mark}`).waitFor();
    // The page of a chat is notified a moment later.
    await window.page.waitForTimeout(900);
    await window.screenshot(`${name}-${look}`);
  }
}
