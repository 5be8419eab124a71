/** The styles of tokens: one class for each, in a style sheet made through the CSSOM, because the page's content security policy requires it. */
import type { CodeTheme } from '../../../../src/core/model/theme';
import { COLOUR_BITS, FONT, MAX_COLOURS, type StyleRule } from './messages';
import { PALETTE } from './palette';

export class CodeStyles {
  private readonly sheet = new CSSStyleSheet();
  /** CSS colours; a style's colour is an index into this array, from 1. */
  private colours: string[] = [];
  private readonly made = new Set<number>();

  constructor() {
    document.adoptedStyleSheets.push(this.sheet);
  }

  /** Takes the theme's colours, or the default palette when the theme could not be read. All earlier classes become invalid. */
  use(theme: CodeTheme | undefined): StyleRule[] {
    this.sheet.replaceSync('');
    this.made.clear();
    const { rules, colours } = theme ? rulesOf(theme) : paletteRules();
    this.colours = colours;
    return rules;
  }

  className(style: number): string {
    const name = `hl-${style}`;
    if (!this.made.has(style)) {
      this.made.add(style);
      this.make(name, this.colours[(style & ((1 << COLOUR_BITS) - 1)) - 1], style >> COLOUR_BITS);
    }
    return name;
  }

  private make(name: string, colour: string | undefined, font: number): void {
    const index = this.sheet.insertRule(`.${name} {}`, this.sheet.cssRules.length);
    // Each property is set separately, so that only an invalid value is rejected.
    const { style } = this.sheet.cssRules[index] as CSSStyleRule;
    if (colour !== undefined) {
      style.setProperty('color', colour);
    }
    // Adapts the colour to text on a coloured background: see --acp-mark-darkest.
    if (style.color !== '') {
      style.setProperty('--hl', style.color);
    }
    if (font & FONT.italic) {
      style.setProperty('font-style', 'italic');
    }
    if (font & FONT.bold) {
      style.setProperty('font-weight', 'bold');
    }
    const lines = [font & FONT.underline && 'underline', font & FONT.strikethrough && 'line-through'].filter(Boolean);
    if (lines.length > 0) {
      style.setProperty('text-decoration-line', lines.join(' '));
    }
  }
}

/** Returns the rules in the tokenizer's numbers. */
export function rulesOf(theme: CodeTheme): { rules: StyleRule[]; colours: string[] } {
  const colours: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (colour: string) => {
    const known = numbers.get(colour);
    if (known !== undefined || colours.length >= MAX_COLOURS) {
      return known;
    }
    const number = colours.push(colour);
    numbers.set(colour, number);
    return number;
  };
  const rules = theme.rules.map(({ scope, foreground, fontStyle }) => {
    const colour = foreground === undefined ? undefined : numberOf(foreground);
    return { scope, ...(colour !== undefined && { colour }), ...(fontStyle !== undefined && { fontStyle }) };
  });
  return { rules, colours };
}

function paletteRules(): { rules: StyleRule[]; colours: string[] } {
  return rulesOf({ rules: PALETTE.map(([foreground, ...scope]) => ({ scope, foreground })) });
}
