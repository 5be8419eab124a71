/** The colours of code in the user's theme. */

export interface CodeTheme {
  /** The rules in order. When several fit a token equally well, the last one counts. */
  readonly rules: readonly CodeRule[];
}

/** One of a theme's `tokenColors`, https://macromates.com/manual/en/themes */
export interface CodeRule {
  /** TextMate scope selectors: `comment`, `string.quoted`, `meta.tag entity.name`. Not empty. */
  readonly scope: readonly string[];
  /** `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa` */
  readonly foreground?: string;
  /** Any of `italic`, `bold`, `underline` and `strikethrough`, separated by spaces. An empty string removes the style of a more general rule. */
  readonly fontStyle?: string;
}
