import * as vscode from 'vscode';
import { inertly } from '../../application/shared/escape';
import type { Translate, TranslateVerbatim } from '../../application/shared/translate';

/** Translates into VS Code's display language, for documents and the clipboard. */
export const verbatim: TranslateVerbatim = (message, args) => (args ? vscode.l10n.t(message, args) : vscode.l10n.t(message));

/** Translates for VS Code's own surfaces. */
export const t: Translate = inertly(verbatim);
