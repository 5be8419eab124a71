import * as vscode from 'vscode';
import type { Translate } from './translate';

/** The user's language, as VS Code is set to it. */
export const t: Translate = (message, args) => (args ? vscode.l10n.t(message, args) : vscode.l10n.t(message));
