/** What the page and the worker that typesets formulas say to each other. */

/** Why a formula is shown as its source: it is no TeX, too much of it, or took too long. */
export type MathFailure =
  | { readonly reason: 'syntax'; readonly detail: string }
  | { readonly reason: 'size' }
  | { readonly reason: 'time' };

/** An element of a typeset formula, as plain as a message has to be. */
export interface MathElement {
  readonly tag: string;
  readonly space: 'html' | 'svg' | 'math';
  readonly classes: string;
  readonly style: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MathNode[];
}

export type MathNode = MathElement | string;

/** A formula, with the fonts that it needs. */
export interface TypesetMath {
  readonly root: MathElement;
  readonly fonts: readonly string[];
}

export type MathResult = TypesetMath | MathFailure;

/** Answered by a {@link MathResult}. */
export interface ToMathWorker {
  readonly tex: string;
  readonly display: boolean;
}
