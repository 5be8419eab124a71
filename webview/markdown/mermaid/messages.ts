/** What passes between the page and the worker that draws its diagrams. Each drawing asked for is answered once. */

/** What a picture takes over from the page. Colours are #rrggbb. */
export interface DiagramTheme {
  readonly dark: boolean;
  readonly contrast: boolean;
  readonly background: string;
  readonly text: string;
  readonly line: string;
  readonly node: string;
  readonly nodeBorder: string;
  readonly group: string;
  readonly note: string;
  readonly noteBorder: string;
  readonly error: string;
  /** For parts that differ only in colour: of slices and branches, and of what has words in it. */
  readonly strong: readonly string[];
  readonly soft: readonly string[];
  /** px */
  readonly fontSize: number;
}

/** UTF-16 units of a diagram's source. */
export const MAX_TEXT = 20_000;
/** UTF-16 units of a drawing, and texts in it: the page's own thread reads it and lays its texts out. */
export const MAX_PICTURE = 600_000;
export const MAX_WORDS = 2500;

export interface ToDrawer {
  readonly text: string;
  readonly theme: DiagramTheme;
}

export interface DiagramImage {
  readonly svg: string;
  /** px */
  readonly width: number;
  readonly height: number;
  /** As Mermaid calls the type: `sequence`, `flowchart-v2`. */
  readonly type: string;
  /** What the diagram says of itself, '' when nothing. */
  readonly title: string;
  readonly description: string;
}

export type FromDrawer =
  /** `spent`: the diagram has changed what is not its own, and no other may be drawn here. */
  | { readonly type: 'picture'; readonly picture: DiagramImage; readonly spent: boolean }
  /** What is left of the attempt is not known, so this worker is spent as well. */
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** Why a diagram is not drawn: it is too long a text, too large a drawing, takes too long, or Mermaid says why. */
export type Refusal = { readonly code: 'long' | 'large' | 'slow' } | { readonly code: 'mermaid'; readonly words: string };

/** Thrown where a drawing grows beyond its bounds. */
export class TooLarge extends Error {}
