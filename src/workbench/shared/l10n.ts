import * as vscode from 'vscode';
import { inertly } from './escape';
import type { Translate, TranslateVerbatim } from './translate';

/** The user's language, as VS Code is set to it, for documents and the clipboard. */
export const verbatim: TranslateVerbatim = (message, args) => (args ? vscode.l10n.t(message, args) : vscode.l10n.t(message));

/** The same for everything that VS Code shows itself. */
export const t: Translate = inertly(verbatim);
