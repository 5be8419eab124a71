/** Translation as a parameter: host and page translate in different ways, and share the sentences. */

export type Values = Readonly<Record<string, string | number>>;

/**
 * Translates `message`, a literal in plain English that is also its key in `l10n/bundle.l10n.json`. `{name}` is replaced by `args.name`, unchanged.
 */
export type TranslateVerbatim = (message: string, args?: Values) => string;
