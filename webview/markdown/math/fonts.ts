/** Finds the fonts of a typeset formula by its classes, because the browser does not load a font made from bytes on its first use. */
import type { MathElement } from './messages';

const BASE = ['Main-Regular', 'Math-Italic'];

const BY_CLASS: Readonly<Record<string, readonly string[]>> = {
  textbf: ['Main-Bold'],
  textit: ['Main-Italic'],
  textsf: ['SansSerif-Regular'],
  texttt: ['Typewriter-Regular'],
  mathit: ['Main-Italic'],
  mathbf: ['Main-Bold'],
  boldsymbol: ['Math-BoldItalic', 'Main-Bold'],
  amsrm: ['AMS-Regular'],
  mathbb: ['AMS-Regular'],
  textbb: ['AMS-Regular'],
  mathcal: ['Caligraphic-Regular'],
  mathfrak: ['Fraktur-Regular'],
  textfrak: ['Fraktur-Regular'],
  mathboldfrak: ['Fraktur-Bold'],
  textboldfrak: ['Fraktur-Bold'],
  mathtt: ['Typewriter-Regular'],
  mathscr: ['Script-Regular'],
  textscr: ['Script-Regular'],
  mathsf: ['SansSerif-Regular'],
  mathboldsf: ['SansSerif-Bold'],
  textboldsf: ['SansSerif-Bold'],
  mathitsf: ['SansSerif-Italic'],
  mathsfit: ['SansSerif-Italic'],
  textitsf: ['SansSerif-Italic'],
  'delim-size1': ['Size1-Regular'],
  'delim-size4': ['Size4-Regular'],
  'small-op': ['Size1-Regular'],
  'large-op': ['Size2-Regular'],
};

/** Fonts that need two classes, on one element or on nested ones. */
const BY_BOTH: readonly (readonly [string, string, string])[] = [
  ['textbf', 'textit', 'Main-BoldItalic'],
  ['textbf', 'textsf', 'SansSerif-Bold'],
  ['textit', 'textsf', 'SansSerif-Italic'],
  ['boldsymbol', 'mathcal', 'Caligraphic-Bold'],
];

/** The file names of all fonts used in `root`. */
export function fontsOf(root: MathElement): string[] {
  const fonts = new Set(BASE);
  const classes = new Set<string>();
  const visit = (element: MathElement): void => {
    for (const name of element.classes.split(' ')) {
      classes.add(name);
    }
    // Text of another size has such a class, too.
    const [, size] = /\bdelimsizing\b.*\bsize([1-4])\b/.exec(element.classes) ?? [];
    if (size) {
      fonts.add(`Size${size}-Regular`);
    }
    for (const child of element.children) {
      if (typeof child !== 'string') {
        visit(child);
      }
    }
  };
  visit(root);
  for (const name of classes) {
    if (Object.hasOwn(BY_CLASS, name)) {
      BY_CLASS[name]!.forEach((font) => fonts.add(font));
    }
  }
  for (const [one, other, font] of BY_BOTH) {
    if (classes.has(one) && classes.has(other)) {
      fonts.add(font);
    }
  }
  return [...fonts];
}
