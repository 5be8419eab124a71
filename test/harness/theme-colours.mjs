// Records the colours that VS Code gives a page in its own themes, for the playground: opens the real VS Code in each.
//
//   npm run package && node test/harness/theme-colours.mjs
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser, openWindow, until } from './lib/driver.mjs';
import { newSession } from './lib/journey.mjs';
import { root, vsix } from './lib/paths.mjs';
import { endAll } from './lib/proc.mjs';
import { setup } from './lib/setup.mjs';
import { copyWorkspace, tempDir } from './lib/temp.mjs';
import { currentVersion, ensureVSCode, installExtension, startServer, writeSettings } from './lib/vscode.mjs';

/** The playground's theme names, and VS Code's. */
const themes = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  hc: 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
  'dark-2026': 'Dark 2026',
  'light-2026': 'Light 2026',
};

await setup();
const install = await ensureVSCode(currentVersion, { log: console.log });
const dir = tempDir('server');
await installExtension(install, dir, vsix);
const server = await startServer(install, { dir });
const browser = await launchBrowser();
const window = await openWindow(browser, server.url);
const names = Object.keys(themes);
const classes = [];
/** The values by their names without `--vscode-`, one for each theme; null if it has none. */
const colours = {};
for (const [index, theme] of Object.values(themes).entries()) {
  writeSettings(dir, { 'workbench.colorTheme': theme });
  await window.openFolder(copyWorkspace());
  await newSession(window, 'Demo');
  const body = window.frame().locator('body');
  await until(theme, async () => (await body.getAttribute('data-vscode-theme-id')) === theme);
  const page = await body.evaluate(({ className, ownerDocument: { documentElement } }) => ({
    className,
    values: [...documentElement.style]
      .filter((name) => name.startsWith('--vscode-'))
      .map((name) => [name.slice('--vscode-'.length), documentElement.style.getPropertyValue(name)]),
  }));
  classes.push(page.className.replace(/\s*\bvscode-reduce-motion\b/, ''));
  for (const [name, value] of page.values) (colours[name] ??= names.map(() => null))[index] = value;
}
const lines = Object.keys(colours)
  .sort()
  .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(colours[name])}`);
const text = `{\n  "themes": ${JSON.stringify(names)},\n  "classes": ${JSON.stringify(classes)},\n  "colours": {\n${lines.join(',\n')}\n  }\n}\n`;
writeFileSync(join(root, 'webview/playground/themes.json'), text);
await browser.close();
await server.stop();
await endAll();
