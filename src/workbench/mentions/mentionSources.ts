/** What is mentioned as it is now: open documents, the disk, diagnostics, git, journals. */
import * as vscode from 'vscode';
import { MAX_EMBEDDED, mediaTypeOf } from '../../core/model/attachment';
import type { SessionState } from '../../core/model/state';
import { MAX_CONTEXT_TEXT, type FileFacts, type MentionSources } from '../../context/mentionContent';
import type { RunGit } from '../../changes/disk/git';
import { toMarkdown } from '../../text/transcript/transcript';
import type { Problems } from '../editor/problemsBlock';

/** Files of a folder that are named, and problems that are told. */
const MAX_LISTED = 500;
const MAX_PROBLEMS = 200;

export interface MentionSourceDependencies {
  /** The files below this folder that nobody ignores, with "/"; in no order. */
  filesIn(uri: vscode.Uri): Promise<readonly string[]>;
  git(): Promise<RunGit | undefined>;
  /** Of a live session, or of a journal. */
  stateOf(sessionKey: string): Promise<{ readonly title: string; readonly state: SessionState } | undefined>;
}

export function mentionSources(ports: MentionSourceDependencies): MentionSources {
  const git = async (): Promise<RunGit> => {
    const run = await ports.git();
    if (!run) {
      throw new Error('git was not found');
    }
    return run;
  };
  return {
    file: (uri) => fileFacts(vscode.Uri.parse(uri, true)),
    folder: async (uri) => {
      const files = (await ports.filesIn(vscode.Uri.parse(uri, true))).toSorted();
      return { files: files.slice(0, MAX_LISTED), isCut: files.length > MAX_LISTED };
    },
    problems,
    changes: async (uri) => {
      const { changesOf } = await import('./gitTexts');
      return changesOf(await git(), vscode.Uri.parse(uri, true).fsPath);
    },
    commit: async (uri, hash) => {
      const { commitText } = await import('./gitTexts');
      return commitText(await git(), vscode.Uri.parse(uri, true).fsPath, hash);
    },
    session: async (sessionKey) => {
      const found = await ports.stateOf(sessionKey);
      if (!found) {
        throw new Error('no such session');
      }
      return { title: found.title, text: toMarkdown(found.state, MAX_CONTEXT_TEXT) };
    },
  };
}

async function fileFacts(uri: vscode.Uri): Promise<FileFacts> {
  const address = uri.toString();
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === address && !document.isClosed);
  // What was never saved is not on disk.
  const isOnlyOpen = open !== undefined && uri.scheme !== 'file';
  const { size, type } = isOnlyOpen ? { size: 0, type: vscode.FileType.File } : await vscode.workspace.fs.stat(uri);
  const read = (): Thenable<Uint8Array> => vscode.workspace.fs.readFile(uri);
  return {
    isFolder: (type & vscode.FileType.Directory) !== 0,
    size,
    media: mediaTypeOf(uri.path),
    isUnsaved: open?.isDirty === true || isOnlyOpen,
    data: async () => Buffer.from(await read()).toString('base64'),
    text: async () => {
      if (open) {
        return open.getText();
      }
      // A part of a longer file may be short enough.
      return size > MAX_EMBEDDED * 64 ? undefined : textIn(await read());
    },
  };
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** In LSP's shape, errors first where not all fit. */
async function problems(uri: string | undefined): Promise<string> {
  const { converter } = await import('../editor/lspConverter');
  const of =
    uri === undefined
      ? vscode.languages.getDiagnostics()
      : [[vscode.Uri.parse(uri, true), vscode.languages.getDiagnostics(vscode.Uri.parse(uri, true))] as const];
  const all = of
    .flatMap(([file, diagnostics]) => diagnostics.map((diagnostic) => ({ file, diagnostic })))
    .toSorted((a, b) => a.diagnostic.severity - b.diagnostic.severity);
  const kept = all.slice(0, MAX_PROBLEMS);
  const files: Problems[] = [...new Set(kept.map(({ file }) => file))].map((file) => ({
    uri: converter.asUri(file),
    version: vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString())?.version ?? 0,
    diagnostics: converter.asDiagnosticsSync(kept.filter((each) => each.file === file).map(({ diagnostic }) => diagnostic)),
  }));
  const omitted = all.length - kept.length;
  return JSON.stringify({ files, ...(omitted > 0 && { omitted }) }, null, 2);
}
