/** Long runs of white space, which can push a part of a command out of sight. Pure. */

/** A shorter run is an indentation or a gap that a person writes. */
const MIN_SPACES = 24;
const MIN_LINES = 4;

const PADDING = new RegExp(`[ \\t]{${MIN_SPACES},}|(?:[ \\t]*\\r?\\n){${MIN_LINES},}[ \\t]*`, 'g');

export interface PaddingWords {
  spaces(count: number): string;
  lines(count: number): string;
}

/** Returns the text with each long run of white space as a count, so that the text behind it comes into sight. */
export function withCountedPadding(text: string, { spaces, lines }: PaddingWords): string {
  return text.replace(PADDING, (run) => {
    const breaks = run.split('\n').length - 1;
    return breaks > 0 ? ` ⟨${lines(breaks)}⟩\n` : ` ⟨${spaces(run.length)}⟩ `;
  });
}
