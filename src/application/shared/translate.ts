/**
 * Translation functions as parameters, so that pure functions run without VS Code. `l10n.ts` has the real ones; documents and the clipboard take
 * the verbatim one.
 */
import type { Values } from '../../text/messages/translate';
import type { InertText } from './inertText';

export type { TranslateVerbatim, Values } from '../../text/messages/translate';

/**
 * Translates a sentence for VS Code's own surfaces. `message` is a literal in plain English, which is also its key in `l10n/bundle.l10n.json`.
 * `{name}` is replaced by `args.name`, which is made inert. The caller only limits the length of values to what fits the surface.
 */
export type Translate = (message: string, args?: Values) => InertText;
