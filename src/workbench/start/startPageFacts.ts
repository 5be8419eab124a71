/** Computes the start page from VS Code's state; see `startPage`. */
import * as vscode from 'vscode';
import type { StartPage } from '../../core/protocol/view';
import { verbatim } from '../shared/l10n';
import { type StartPageDependencies, startPageOf } from '../../application/start/startPage';

/** Never rejects. */
export function startPageFor(
  session: Parameters<typeof startPageOf>[0],
  deps: Omit<StartPageDependencies, 'now' | 'language' | 't'>,
): Promise<StartPage> {
  const document = isOpen(deps.document) ? deps.document : undefined;
  return startPageOf(session, { ...deps, document, now: Date.now(), language: vscode.env.language, t: verbatim });
}

/** True when the document is open in a tab, even in the background. */
function isOpen(document: StartPageDependencies['document']): boolean {
  const uri = document?.uri.toString();
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri),
  );
}
