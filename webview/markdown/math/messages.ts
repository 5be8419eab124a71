/** The messages between the page and the worker that typesets formulas. */

/** The reason why a formula is shown as its source: it is not valid TeX, is too large, or took too long. */
export type MathFailure =
  | { readonly reason: 'syntax'; readonly detail: string }
  | { readonly reason: 'size' }
  | { readonly reason: 'time' };

/** An element of a typeset formula in a form that can be sent as a message. */
export interface MathElement {
  readonly tag: string;
  readonly space: 'html' | 'svg' | 'math';
  readonly classes: string;
  readonly style: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MathNode[];
}

export type MathNode = MathElement | string;

/** A typeset formula and the fonts that it needs. */
export interface TypesetMath {
  readonly root: MathElement;
  readonly fonts: readonly string[];
}

export type MathResult = TypesetMath | MathFailure;

/** A request, answered by a {@link MathResult}. */
export interface ToMathWorker {
  readonly tex: string;
  readonly display: boolean;
}
