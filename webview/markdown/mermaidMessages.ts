/** What passes between the page and the worker that draws its diagrams. Each drawing asked for is answered once; first of all the worker says that it is there. */

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
export const MAX_PICTURE = 400_000;
export const MAX_WORDS = 1000;

export interface ToDrawer {
  readonly text: string;
  readonly theme: DiagramTheme;
}

export interface Picture {
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
  | { readonly type: 'ready' }
  | { readonly type: 'picture'; readonly picture: Picture }
  /** Somebody else's words. */
  | { readonly type: 'refused'; readonly reason: string };
