/** What a file holds now, for looking: nothing of it goes to an agent. */
import * as vscode from 'vscode';
import path from 'node:path';
import { isForeignShare } from '../../core/model/networkPath';
import { hasFolder, type Roots } from '../../core/model/ports';
import { diskBytes } from '../../util/checkedBytes';
import { remembering } from '../../util/realPath';
import { RootCheck } from '../../util/roots';

/** Bytes; larger files are not looked into. */
const MAX_FILE = 4 * 1024 * 1024;

/** As `SessionsDependencies.fileReader`. */
export function fileReader(roots: Roots): (named: string) => Promise<string | undefined> {
  const check = new RootCheck(roots, remembering());
  return (named) => fileText(roots, named, check);
}

/**
 * The text of a file in these folders: of the open document where it has unsaved changes, else of the disk, where an agent may just have written it.
 * Undefined when there is none, or none to be had. Never rejects.
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
