/** See `startPage`, with what VS Code knows. */
import * as vscode from 'vscode';
import type { StartPage } from '../../core/protocol/view';
import { verbatim } from '../shared/l10n';
import { type StartPageDependencies, startPageOf } from './startPage';

/** Never rejects. */
export function startPageFor(
  session: Parameters<typeof startPageOf>[0],
  dependencies: Omit<StartPageDependencies, 'now' | 'language' | 't'>,
): Promise<StartPage> {
  return startPageOf(session, { ...dependencies, now: Date.now(), language: vscode.env.language, t: verbatim });
}
