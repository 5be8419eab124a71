/** Opens what an agent's text points at, after checking it: the view asks, this decides. */
import * as vscode from 'vscode';
import { homedir } from 'node:os';
import path from 'node:path';
import { failureOf } from '../core/failure';
import type { Disposable, Roots } from '../core/ports';
import { isAbsent, type SessionState } from '../core/state';
import { RootCheck } from '../util/roots';
import { editorColumn } from './columns';
import { DiffDocuments } from './diffDocuments';
import { visible } from './escape';
import { t } from './l10n';
import { linkTarget, type LinkTarget } from './links';
import { failureText } from './words';

interface Place {
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
}

export class Openers implements Disposable {
  private readonly diffs = new DiffDocuments();

  /** Opens a link as the agent wrote it; what it may not open is refused with a message. Never rejects. */
  async openLink(roots: Roots, href: string): Promise<void> {
    const target = linkTarget(href);
    switch (target.type) {
      case 'external':
        // VS Code itself asks before it opens an address that the user has not trusted.
        await openExternal(target.uri);
        return;
      case 'file':
        await this.openPlace(roots, target);
        return;
      case 'refused':
        void vscode.window.showWarningMessage(refusal(href, target));
    }
  }

  /** Opens the web page that the user was shown in full and agreed to, outside of VS Code. False when it came to nothing. Never rejects. */
  openPage(url: string): Promise<boolean> {
    return openExternal(new URL(url).href);
  }

  /** Opens a file inside the roots at a line; a relative path counts from the session's folder. Never rejects. */
  async openPlace(roots: Roots, place: Place): Promise<void> {
    try {
      const file = path.resolve(roots.cwd, place.path.replace(/^~(?=[\\/])/, homedir()));
      await new RootCheck(roots).resolve(file);
      // Not the real path: an editor that is open on this file knows it by the path the workspace gives it.
      const uri = vscode.Uri.file(file);
      const { type } = await vscode.workspace.fs.stat(uri);
      if (type & vscode.FileType.Directory) {
        await vscode.commands.executeCommand('revealInExplorer', uri);
        return;
      }
      const start = new vscode.Position(Math.max(0, (place.line ?? 1) - 1), Math.max(0, (place.column ?? 1) - 1));
      const options: vscode.TextDocumentShowOptions = {
        viewColumn: editorColumn(),
        preview: true,
        ...(place.line !== undefined && { selection: new vscode.Range(start, start) }),
      };
      await vscode.commands.executeCommand('vscode.open', uri, options);
    } catch (error) {
      const missing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
      const failure = missing ? { code: 'fs.not_found' as const, params: { path: place.path } } : failureOf(error);
      void vscode.window.showWarningMessage(failureText(failure, t));
    }
  }

  /** Opens one file of a diff that a tool call or a permission request carries. Never rejects. */
  async openDiff(state: SessionState, entryId: string, contentIndex: number, changeIndex: number): Promise<void> {
    const slot = state.entries.get(entryId);
    const entry = slot && !isAbsent(slot) ? slot : undefined;
    const contents = entry?.kind === 'tool_call' ? entry.content : entry?.kind === 'permission' ? entry.subject.content : undefined;
    const content = contents?.[contentIndex];
    const change = content?.type === 'diff' ? content.changes[changeIndex] : undefined;
    try {
      if (content?.type !== 'diff' || !change || !(await this.diffs.open(change, content.patch))) {
        void vscode.window.showWarningMessage(t('The agent did not send the text of this change.'));
      }
    } catch (error) {
      void vscode.window.showErrorMessage(failureText(failureOf(error), t));
    }
  }

  dispose(): void {
    this.diffs.dispose();
  }
}

/** False when the user said no to VS Code's own question, or there is no browser. */
async function openExternal(address: string): Promise<boolean> {
  try {
    // As text, which VS Code takes too: a `Uri` would write some of its percent escapes anew, and signed addresses no longer hold then.
    return await vscode.env.openExternal(address as unknown as vscode.Uri);
  } catch (error) {
    void vscode.window.showWarningMessage(failureText(failureOf(error), t));
    return false;
  }
}

function refusal(href: string, { reason, scheme }: Extract<LinkTarget, { type: 'refused' }>): string {
  const link = visible(href, 200);
  switch (reason) {
    case 'scheme':
      return t('The link was not opened, because {scheme} links of an agent may start other programs: {link}', { scheme: `${scheme}:`, link });
    case 'remote_file':
      return t('The link was not opened, because it leads to a file on another machine: {link}', { link });
    case 'malformed':
      return t('The link was not opened, because it is not a clear address: {link}', { link });
  }
}
