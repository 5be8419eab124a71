/** The modules that every conversation needs; see `chunks.ts`. */
export { SpokenText } from '../announcer/spokenText';
export { sessionTitle } from '../../src/text/transcript/sessionTitle';
export { setCodeTheme } from '../markdown/code/highlight/useHighlight';
export { warmUpLexer } from '../../src/text/markdown/parse/blocks';
export { footers } from './footers';
export { PageEntries } from '../transcript/list/toolGroupEntries';
