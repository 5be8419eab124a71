import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import written from '../../../webview/playground/themes.json';

const { themes, classes, colours } = written as {
  themes: string[];
  classes: string[];
  colours: Record<string, readonly (string | null)[]>;
};

/** Applies a theme like VS Code: properties of the root element, and the class of the body. */
export async function applyTheme(page: Page, name: string): Promise<void> {
  const index = themes.indexOf(name);
  assert.ok(index >= 0);
  const values = Object.entries(colours).map(([colour, all]) => [`--vscode-${colour}`, all[index] ?? null] as const);
  await page.evaluate(
    ([properties, className]) => {
      properties.forEach(([property, value]) => document.documentElement.style.setProperty(property, value));
      document.body.className = className;
    },
    [values, classes[index]!] as const,
  );
}
