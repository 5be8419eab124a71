/** The text of files for the editor's tools, and the user's rules that protect it. */
import * as vscode from 'vscode';
import type { ToolSession } from '../../../mcp/editor/tool';
import { maySendText } from '../../../policy/readAccess';
import type { Session } from '../../../session/session';
import { diskBytes } from '../../../util/checkedBytes';
import { readProtectedPaths } from '../../settings/agentSettings';

/** The sessions of the window, as the tools need them. */
export interface ToolSessions {
  /** Undefined for a session that has ended. */
  session(key: string): Session | undefined;
}

/** The maximum size in bytes of a file whose text is read. */
const MAX_FILE = 4 * 1024 * 1024;

export class FileAccess {
  constructor(private readonly sessions: ToolSessions) {}

  /** False for a file that a rule of the user protects from being read, unless the user has agreed to it. */
  readonly mayRead = ({ key, roots }: ToolSession, file: string): Promise<boolean> => {
    const consents = this.sessions.session(key)?.consents ?? { mayRead: () => Promise.resolve(false) };
    return maySendText(file, { roots, consents, setting: readProtectedPaths });
  };

  /** Returns the text of the open document, otherwise the text on the disk. Rejects when there is none. */
  readonly textOf = async (path: string): Promise<string> => {
    const uri = vscode.Uri.file(path);
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    return open ? open.getText() : storedText(path);
  };
}

/** Returns the text on the disk, in the encoding of the user's settings. Rejects when the file cannot be read or is too large. */
export async function storedText(path: string): Promise<string> {
  return vscode.workspace.decode(await diskBytes.read(path, MAX_FILE), { uri: vscode.Uri.file(path) });
}
