/** The page's colours for a picture. They are opaque, because a picture inherits nothing. */
import type { DiagramTheme } from './messages';

/** VS Code's own colours for charts, with their usual values. */
const CHARTS = ['blue, #3794ff', 'green, #89d185', 'red, #f14c4c', 'yellow, #cca700', 'purple, #b180d7', 'orange, #d18616'];

export function pageTheme(): DiagramTheme {
  const { classList } = document.body;
  const contrast = classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light');
  const mixer = new Mixer();
  const background = mixer.solid('var(--acp-bg)', '#000000');
  const dark = luminance(background) < 0.5;
  const over = (colour: string) => mixer.solid(colour, background);
  /** The colour mixed into the background with this percentage. */
  const tint = (colour: string, percent: number) => over(`color-mix(in srgb, ${colour} ${percent}%, ${background})`);
  const strong = CHARTS.map((chart) => over(`var(--vscode-charts-${chart})`));
  const edge = 'var(--vscode-contrastBorder, var(--acp-fg))';
  const theme: DiagramTheme = {
    dark,
    contrast,
    background,
    text: over('var(--acp-fg)'),
    line: contrast ? over('var(--acp-fg)') : tint('var(--acp-fg)', 75),
    node: contrast ? background : tint('var(--acp-fg)', 9),
    nodeBorder: contrast ? over(edge) : tint('var(--acp-fg)', 45),
    group: contrast ? background : tint('var(--acp-fg)', 4),
    note: tint('var(--acp-warning)', contrast ? 0 : 15),
    noteBorder: tint('var(--acp-warning)', contrast ? 100 : 60),
    error: over('var(--acp-error)'),
    strong,
    soft: strong.map((colour) => tint(colour, dark ? 38 : 28)),
    fontSize: Math.min(32, Math.max(8, parseFloat(getComputedStyle(document.body).fontSize) || 13)),
  };
  mixer.close();
  return theme;
}

/** Converts any CSS colour into the resulting pixel. */
class Mixer {
  private readonly probe = document.body.appendChild(document.createElement('span'));
  private readonly canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;

  solid(colour: string, background: string): string {
    this.probe.style.color = colour;
    for (const layer of [background, getComputedStyle(this.probe).color]) {
      this.canvas.fillStyle = layer;
      this.canvas.fillRect(0, 0, 1, 1);
    }
    return `#${[...this.canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  }

  close(): void {
    this.probe.remove();
  }
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Calls `onChange` when the page's look may have changed. VS Code sets its colours on the root element, and the theme's kind on the body. */
export function watchPage(onChange: () => void): void {
  let waiting = false;
  const observer = new MutationObserver(() => {
    if (waiting) {
      return;
    }
    waiting = true;
    // VS Code has then set all properties of the change.
    setTimeout(() => {
      waiting = false;
      onChange();
    }, 50);
  });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class'] });
}
