/** The user's language, as values: pure functions take them, so that they run without VS Code. `l10n.ts` has the real ones; documents and the clipboard take the verbatim one. */
import type { Values } from '../../text/messages/translate';
import type { InertText } from './inertText';

export type { TranslateVerbatim, Values } from '../../text/messages/translate';

/**
 * A sentence for VS Code's own surfaces. `message` is a literal in plain English, which is also its key in `l10n/bundle.l10n.json`; `{name}` stands
 * for `args.name`, which is made inert: whoever writes a sentence need not think of it, but bounds the text to what the place has room for.
 */
export type Translate = (message: string, args?: Values) => InertText;
