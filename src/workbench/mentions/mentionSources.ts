/** The current content of mentions: open documents, files, diagnostics, diffs and conversations. */
import * as vscode from 'vscode';
import { MAX_EMBEDDED, MAX_MEDIA } from '../../core/model/attachment';
import type { Mention } from '../../core/mentions/mention';
import type { SessionState } from '../../core/model/state';
import { MAX_CONTEXT_TEXT, type FileFacts, type MentionSources } from '../../context/mentionContent';
import { toMarkdown } from '../../text/transcript/transcript';
import type { Problems } from '../../application/editor/problemsBlock';
import {
  type CheckedFile,
  checkedBytesOf,
  checkedHeadOf,
  checkedTextOf,
  factsOf,
  isStill,
  openDocument,
} from '../attachments/checkedContent';
import type { ToldText } from '../../application/mentions/gitTexts';
import { textKey, type SentTexts } from './sentTexts';

/** The maximum number of files that are listed of a folder and, below, of problems that are sent. */
const MAX_LISTED = 500;
const MAX_PROBLEMS = 200;

export interface MentionSourceDependencies {
  /** Lists the files below this folder that no ignore file excludes, with "/", in any order. */
  filesIn(uri: vscode.Uri): Promise<readonly string[]>;
  /** Returns the file at an address if it was checked for this message. */
  checked(uri: string): CheckedFile | undefined;
  /** The texts that were created and checked for this message. */
  readonly texts: SentTexts;
  /** Returns the state of a live session, or of a stored one. */
  stateOf(sessionKey: string): Promise<{ readonly title: string; readonly state: SessionState } | undefined>;
}

export function mentionSources(deps: MentionSourceDependencies): MentionSources {
  const text = async (ref: Mention['ref']): Promise<string> => {
    const told = deps.texts.get(textKey(ref)!);
    if (!told) {
      throw new Error('no text');
    }
    return told.text;
  };
  return {
    file: (uri) => fileFacts(deps.checked(uri) ?? { uri: vscode.Uri.parse(uri, true) }),
    cell: async (uri, cell) => {
      const notebook = deps.checked(uri);
      if (uri.startsWith('file:') && !(notebook && (await isStill(notebook)))) {
        throw new Error('another file took its place');
      }
      return (await import('./notebookCells')).readCell(vscode.Uri.parse(uri, true), cell);
    },
    folder: async (uri) => {
      const files = (await deps.filesIn(vscode.Uri.parse(uri, true))).toSorted();
      const folder = deps.checked(uri);
      if (!folder || !(await isStill(folder))) {
        throw new Error('another folder took its place');
      }
      return { files: files.slice(0, MAX_LISTED), isCut: files.length > MAX_LISTED };
    },
    problems: (uri) => text({ kind: 'problems', ...(uri !== undefined && { uri }) }),
    changes: (uri) => text({ kind: 'changes', uri }),
    commit: (uri, hash) => text({ kind: 'commit', uri, hash }),
    session: async (sessionKey) => {
      const found = await deps.stateOf(sessionKey);
      if (!found) {
        throw new Error('no such session');
      }
      return { title: found.title, text: toMarkdown(found.state, MAX_CONTEXT_TEXT) };
    },
  };
}

async function fileFacts(file: CheckedFile): Promise<FileFacts> {
  const { uri } = file;
  const open = openDocument(uri);
  // An untitled document is not on the disk.
  const isOnlyOpen = open !== undefined && uri.scheme !== 'file';
  const { size, isFolder } = isOnlyOpen ? { size: 0, isFolder: false } : await factsOf(file);
  return {
    isFolder,
    size,
    head: async () => (isOnlyOpen ? new Uint8Array() : checkedHeadOf(file)),
    isUnsaved: open?.isDirty === true || isOnlyOpen,
    data: async () => Buffer.from(await checkedBytesOf(file, MAX_MEDIA)).toString('base64'),
    // The limit is higher here, because the mentioned part of a longer file may be short enough.
    text: () => checkedTextOf(file, MAX_EMBEDDED * 64),
  };
}

/** Returns diagnostics in LSP's format, and their files. Errors come first when not all fit. @param uri the file; undefined for all files */
export async function problemsOf(uri: string | undefined): Promise<ToldText> {
  const { converter } = await import('../../application/editor/lspConverter');
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
  const text = JSON.stringify({ files, ...(omitted > 0 && { omitted }) }, null, 2);
  return { text, files: [...new Set(kept.flatMap(({ file }) => (file.scheme === 'file' ? file.fsPath : [])))] };
}
