/** The colours of code, as the user's theme has them. */

export interface CodeTheme {
  /** In order: of rules that fit a token equally well the last one counts. */
  readonly rules: readonly CodeRule[];
}

/** One of a theme's `tokenColors`, https://macromates.com/manual/en/themes */
export interface CodeRule {
  /** TextMate scope selectors: `comment`, `string.quoted`, `meta.tag entity.name`. Not empty. */
  readonly scope: readonly string[];
  /** `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa` */
  readonly foreground?: string;
  /** Of `italic`, `bold`, `underline` and `strikethrough`, with spaces between; '' takes away what a wider rule gives. */
  readonly fontStyle?: string;
}
