/** The user's language, as values: pure functions take them, so that they run without VS Code. `l10n.ts` has the real ones. */
import type { InertText } from './inertText';

export type Values = Readonly<Record<string, string | number>>;

/**
 * A sentence for VS Code's own surfaces. `message` is a literal in plain English, which is also its key in `l10n/bundle.l10n.json`; `{name}` stands
 * for `args.name`, which is made inert: whoever writes a sentence need not think of it, but bounds the text to what the place has room for.
 */
export type Translate = (message: string, args?: Values) => InertText;

/** As {@link Translate} with the values as they are: for documents and the clipboard, which show a text and read nothing into it. */
export type TranslateVerbatim = (message: string, args?: Values) => string;
