/** The converter of `vscode-languageclient`, without its client. Must be loaded by `import()` only. */
import { createConverter } from 'vscode-languageclient/$test/common/codeConverter';

// The package exports the converter's type from its main entry, but not the function; this entry is the file that holds both. The exact
// version is pinned, and the host suite runs it.
export const converter = createConverter();

export type LspConverter = typeof converter;
