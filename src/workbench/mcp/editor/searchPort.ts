/** The search tools on VS Code's own ripgrep, with the settings of its search. */
import * as vscode from 'vscode';
import { excludedBySetting } from '../../../application/editor/fileGlobs';
import { ripgrepIn } from '../../../application/mentions/ripgrepProgram';
import { ripgrep } from '../../../mcp/editor/search/ripgrep';
import type { SearchPort } from '../../../mcp/editor/tools/search';
import { lazy } from '../../../util/lazy';
import type { FileAccess } from './fileAccess';

export function searchPort({ mayRead }: FileAccess): SearchPort {
  return {
    program: lazy(() => ripgrepIn(vscode.env.appRoot)),
    run: ripgrep,
    settings: (folder) => {
      const uri = vscode.Uri.file(folder);
      const search = vscode.workspace.getConfiguration('search', uri);
      const files = vscode.workspace.getConfiguration('files', uri);
      return {
        excluded: [...excludedBySetting(files.get('exclude')), ...excludedBySetting(search.get('exclude'))],
        useIgnoreFiles: search.get('useIgnoreFiles', true),
        useParentIgnoreFiles: search.get('useParentIgnoreFiles', false),
        useGlobalIgnoreFiles: search.get('useGlobalIgnoreFiles', false),
      };
    },
    unsaved: () =>
      vscode.workspace.textDocuments.flatMap((document) =>
        document.isDirty && document.uri.scheme === 'file' ? { path: document.uri.fsPath, text: document.getText() } : [],
      ),
    mayRead,
  };
}
