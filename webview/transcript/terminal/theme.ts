/** The colours of the window's own terminals, from the page's variables. */
import type { ITheme } from '@xterm/xterm';

/** The colours by their SGR number, without "bright". */
const ANSI = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** @param element an element with the terminal's background and colour */
export function terminalTheme(element: Element): ITheme {
  const style = getComputedStyle(element);
  const colour = (name: string): string | undefined => style.getPropertyValue(`--vscode-${name}`).trim() || undefined;
  const background = opaque(style.backgroundColor, colour('editor-background'));
  const foreground = opaque(style.color, background);
  const theme: Record<string, string | undefined> = {
    background,
    foreground,
    cursor: colour('terminalCursor-foreground') ?? foreground,
    cursorAccent: colour('terminalCursor-background') ?? background,
    selectionBackground: colour('terminal-selectionBackground') ?? colour('editor-selectionBackground'),
    selectionForeground: colour('terminal-selectionForeground'),
    selectionInactiveBackground: colour('terminal-inactiveSelectionBackground'),
    scrollbarSliderBackground: colour('scrollbarSlider-background'),
    scrollbarSliderHoverBackground: colour('scrollbarSlider-hoverBackground'),
    scrollbarSliderActiveBackground: colour('scrollbarSlider-activeBackground'),
  };
  const ansi = ansiColours(element);
  ANSI.forEach((name, index) => {
    theme[name] = ansi[index];
    theme[`bright${name[0]!.toUpperCase()}${name.slice(1)}`] = ansi[index + ANSI.length];
  });
  return Object.fromEntries(Object.entries(theme).filter(([, value]) => value !== undefined)) as ITheme;
}

/**
 * The colours that the text has by their SGR number, see `terminal.css`, without the adjustment for contrast: these colours are also backgrounds,
 * and xterm adjusts the contrast itself. All are read at once, because each change of the page makes the browser compute styles again.
 */
function ansiColours(parent: Element): string[] {
  const probes = Array.from({ length: 2 * ANSI.length }, (_, index) => {
    const probe = document.createElement('span');
    probe.className = `sgr-fg-${index}`;
    return probe;
  });
  parent.append(...probes);
  const colours = probes.map((probe) => getComputedStyle(probe).getPropertyValue('--sgr').trim());
  probes.forEach((probe) => probe.remove());
  return colours;
}

/**
 * Calls `changed` after each change of the theme. Returns a function that unsubscribes. VS Code changes the root's properties and the body's classes.
 */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  return () => observer.disconnect();
}

/** Returns `colour` blended with the background `ground`, because a terminal needs opaque colours. */
function opaque(colour: string, ground: string | undefined): string {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!pen) {
    return '#000000';
  }
  for (const layer of [ground, colour]) {
    pen.fillStyle = '#00000000';
    if (layer) {
      pen.fillStyle = layer;
    }
    pen.fillRect(0, 0, 1, 1);
  }
  return '#' + [...pen.getImageData(0, 0, 1, 1).data.subarray(0, 3)].map((channel) => channel.toString(16).padStart(2, '0')).join('');
}
