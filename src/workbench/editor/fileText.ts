/** The current text of a file, for display only: it is not sent to an agent. */
import * as vscode from 'vscode';
import path from 'node:path';
import { isForeignShare } from '../../core/model/networkPath';
import { hasFolder, type Roots } from '../../core/model/roots';
import { diskBytes } from '../../util/checkedBytes';
import { remembering } from '../../util/realPath';
import { RootCheck } from '../../util/roots';

/** The maximum size in bytes. Larger files are not read. */
const MAX_FILE = 4 * 1024 * 1024;

/** Implements `SessionsDependencies.fileReader`. */
export function fileReader(roots: Roots): (named: string) => Promise<string | undefined> {
  const check = new RootCheck(roots, remembering());
  return (named) => fileText(roots, named, check);
}

/**
 * Returns the text of a file in these folders: the open document's if it has unsaved changes, or else the disk's, which an agent may have just
 * written. Resolves to undefined when the file does not exist or cannot be read. Never rejects.
 */
export async function fileText(roots: Roots, named: string, check = new RootCheck(roots)): Promise<string | undefined> {
  try {
    if (isForeignShare(named, [roots.cwd, ...roots.additionalDirectories])) {
      return undefined;
    }
    if (!hasFolder(roots)) {
      return undefined;
    }
    const whole = path.resolve(roots.cwd, named);
    const real = await check.resolve(whole);
    const document = vscode.workspace.textDocuments.find(
      ({ uri, isDirty }) => isDirty && uri.scheme === 'file' && (uri.fsPath === whole || uri.fsPath === real),
    );
    return document
      ? document.getText()
      : await vscode.workspace.decode(await diskBytes.read(real, MAX_FILE), { uri: vscode.Uri.file(real) });
  } catch {
    return undefined;
  }
}
