/** The user's language, as a value: sentences take it, so that host and page say the same without either's way to translate. */

export type Values = Readonly<Record<string, string | number>>;

/**
 * `message` in the user's language. It is a literal in plain English, which is also its key in `l10n/bundle.l10n.json`; `{name}` stands for
 * `args.name`, which is put in as it is.
 */
export type TranslateVerbatim = (message: string, args?: Values) => string;
