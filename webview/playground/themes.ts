/** Six of VS Code's own themes: the variables that it sets on a page, as `test/harness/theme-colours.mjs` recorded them in the real VS Code. */
import written from './themes.json';

type Colours = Readonly<Record<string, readonly (string | null)[]>>;

const { themes, classes, colours } = written as { themes: string[]; classes: string[]; colours: Colours };

/** The names of the themes in the playground. */
export const THEMES: readonly string[] = themes;

/**
 * VS Code's own style sheet for a page of an extension. A layer loses against every rule outside layers, as in VS Code. Styles that the view does not
 * override are visible here too.
 */
const SHEET = `@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { margin: 0; padding: 0 20px; background: transparent; color: var(--vscode-editor-foreground); font: var(--vscode-font-weight) var(--vscode-font-size) var(--vscode-font-family); }
  img, video { max-width: 100%; max-height: 100%; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:hover { color: var(--vscode-textLink-activeForeground); }
  :is(a, input, select, textarea):focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { padding: 1px 3px; border-radius: 4px; background: var(--vscode-textPreformat-background); color: var(--vscode-textPreformat-foreground); font-family: monospace; }
  pre code { padding: 0; }
  blockquote { border-color: var(--vscode-textBlockQuote-border); background: var(--vscode-textBlockQuote-background); }
  kbd { padding: 1px 3px; border: 1px solid var(--vscode-keybindingLabel-border); border-radius: 3px; background: var(--vscode-keybindingLabel-background); color: var(--vscode-keybindingLabel-foreground); box-shadow: inset 0 -1px 0 var(--vscode-widget-shadow); }
}`;

/** Called once, when the page opens. */
export function adoptPageSheet(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SHEET);
  document.adoptedStyleSheets.push(sheet);
}

/** Applies a theme like VS Code: properties of the root element, classes of the body. */
export function applyTheme(name: string): void {
  const index = Math.max(0, themes.indexOf(name));
  const root = document.documentElement.style;
  for (const property of [...root]) {
    if (property.startsWith('--vscode-')) {
      root.removeProperty(property);
    }
  }
  for (const [colour, values] of Object.entries(colours)) {
    root.setProperty(`--vscode-${colour}`, values[index] ?? null);
  }
  document.body.className = classes[index]!;
}
