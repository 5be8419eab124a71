/**
 * The user's language, as a value: pure functions take it, so that they run without VS Code. `l10n.ts` has the real one.
 * `message` is a literal in plain English, which is also its key in `l10n/bundle.l10n.json`; `{name}` stands for `args.name`.
 */
export type Translate = (message: string, args?: Readonly<Record<string, string | number>>) => string;
