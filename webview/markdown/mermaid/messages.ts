/** The messages between the page and the worker that draws its diagrams. Each request is answered once. */

/** The page's look for a picture. Colours are #rrggbb. */
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
  /** Colours for areas that differ only in colour, such as slices and branches, and for areas with text. */
  readonly strong: readonly string[];
  readonly soft: readonly string[];
  /** px */
  readonly fontSize: number;
}

/** The longest source of a diagram, in UTF-16 units. */
export const MAX_TEXT = 20_000;
/** UTF-16 units of a drawing, and the number of its texts. The page's own thread parses it and lays its texts out. */
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
  /** Mermaid's name of the type: `sequence`, `flowchart-v2`. */
  readonly type: string;
  /** The diagram's own title; '' without one. */
  readonly title: string;
  readonly description: string;
}

export type FromDrawer =
  /** `spent`: the diagram has modified shared objects, so this worker must not draw another one. */
  | { readonly type: 'picture'; readonly picture: DiagramImage; readonly spent: boolean }
  /** A failed attempt may leave unknown state behind, so this worker is spent as well. */
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** The reason why a diagram is not drawn: its text is too long, its drawing is too large or takes too long, or Mermaid reports an error. */
export type Refusal = { readonly code: 'long' | 'large' | 'slow' } | { readonly code: 'mermaid'; readonly words: string };

/** Thrown when a drawing exceeds its limits. */
export class TooLarge extends Error {}
