/** Opens the targets of links in an agent's text. The view sends the request; this class checks and decides. */
import * as vscode from 'vscode';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ContentBlock, FileChange } from '../../core/model/content';
import { failureOf } from '../../core/model/failure';
import { isForeignShare } from '../../core/model/networkPath';
import type { Disposable } from '../../core/platform/disposable';
import { hasFolder, type Roots } from '../../core/model/roots';
import { slotIn } from '../../core/subagents/subagentTree';
import { isAbsent, type SessionState } from '../../core/model/state';
import { type ChangePhase, phaseOf, wholeTexts } from '../../core/toolCalls/locateChange';
import { turnFileChange } from '../../core/toolCalls/turnChanges';
import { alignedTexts } from '../../core/toolCalls/fitOfChange';
import { leadsOver, realPathOf } from '../../util/realPath';
import { RootCheck } from '../../util/roots';
import type { Session } from '../../session/session';
import { editorColumn } from '../window/columns';
import { ContentDocuments } from '../editor/contentDocuments';
import { DiffDocuments } from '../editor/diffDocuments';
import { fileText } from '../editor/fileText';
import { type InertText, joined, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { FindFiles } from '../../util/findFiles';
import { fileTargets, linkTarget, type LinkTarget, pageTarget, type Passage } from '../../application/links/links';
import type { UserActivity } from '../shared/userActivity';
import { type MessageOptions, window } from '../shared/window';
import { failureText } from '../../application/shared/failureText';
import { showFailure } from '../shared/showFailure';
import { AnsweredDiffs } from './answeredDiffs';
import { waitingRequestOf } from '../../application/links/waitingRequest';
import { contentAt } from '../../application/links/contentAt';

interface FileLocation extends Passage {
  readonly path: string;
}

export class OpenHandlers implements Disposable {
  private readonly diffs = new DiffDocuments();
  private readonly answered = new AnsweredDiffs();
  private readonly contents: ContentDocuments;

  constructor(activity: Pick<UserActivity, 'during'>) {
    this.contents = new ContentDocuments(activity);
  }

  /** Opens a link as the agent wrote it. A refused link shows a message. Never rejects. */
  async openLink(roots: Roots, href: string): Promise<void> {
    const target = linkTarget(href, [roots.cwd, ...roots.additionalDirectories]);
    switch (target.type) {
      case 'external':
        // VS Code itself asks before it opens an address that the user has not trusted.
        await openExternal(target.uri);
        return;
      case 'file':
        await (hasFolder(roots)
          ? this.openNamed(roots, fileTargets(href, [roots.cwd, ...roots.additionalDirectories]))
          : this.openFile(roots, target));
        return;
      case 'refused':
        void window.showWarningMessage(refusal(href, target));
    }
  }

  /**
   * Opens a web page outside of VS Code, after the user has seen its whole address and agreed. Only http and https are allowed, because other
   * addresses start other programs. Resolves to false when no page was opened. Never rejects.
   */
  async openPage(url: string): Promise<boolean> {
    const target = pageTarget(url);
    if (target.type === 'external') {
      return openExternal(target.uri);
    }
    void window.showWarningMessage(refusal(url, target));
    return false;
  }

  /** Opens a file at a line. A file outside of the roots needs the user's consent. See {@link FindFiles} for a relative path. Never rejects. */
  openLocation(roots: Roots, location: FileLocation): Promise<void> {
    return path.isAbsolute(location.path) || !hasFolder(roots) ? this.openFile(roots, location) : this.openNamed(roots, [location]);
  }

  /** Opens the file for the first of these names that finds any. The user selects among several files. Never rejects. */
  private async openNamed(roots: Roots, locations: readonly FileLocation[]): Promise<void> {
    const files = new FindFiles(roots);
    const folders = [roots.cwd, ...roots.additionalDirectories];
    for (const location of locations.filter((each) => !/^~[\\/]/.test(each.path) && !isForeignShare(each.path, folders))) {
      const found = await files.find(location.path, 'any');
      const chosen = found.length > 1 ? await chooseFile(found, location.path) : found[0];
      if (found.length > 0) {
        return chosen === undefined ? undefined : this.openFile(roots, { ...location, path: chosen });
      }
    }
    const location = locations.find(({ line }) => line !== undefined) ?? locations[0]!;
    await this.openFile(roots, { ...location, path: (await outsideFromTop(files, location.path)) ?? location.path });
  }

  private async openFile(roots: Roots, location: FileLocation): Promise<void> {
    try {
      if (!hasFolder(roots)) {
        await openWithoutFolder(location);
        return;
      }
      const check = new RootCheck(roots);
      const whole = path.resolve(roots.cwd, location.path.replace(/^~(?=[\\/])/, homedir()));
      // Checked before the path is accessed.
      if (isForeignShare(location.path, [roots.cwd, ...roots.additionalDirectories]) || (await check.leadsAway(whole))) {
        void window.showWarningMessage(refusal(location.path, { type: 'refused', reason: 'remote_file' }));
        return;
      }
      const file = await withoutHeading(whole);
      const isInside = await isIn(check, file);
      // The user agrees to the real path, which is then opened.
      const target = isInside ? file : await realPathOf(file);
      if (!isInside && !(await agreesToOutside(target, location.path))) {
        return;
      }
      // Inside the folders the path is not resolved, because an open editor knows the file by its path in the workspace.
      const uri = vscode.Uri.file(target);
      const { type } = await vscode.workspace.fs.stat(uri);
      if (type & vscode.FileType.Directory) {
        if (isInside && vscode.workspace.getWorkspaceFolder(uri)) {
          await vscode.commands.executeCommand('revealInExplorer', uri);
        } else {
          await (await import('./revealFolder')).revealFolder(target);
        }
        return;
      }
      const selection = rangeOf(location);
      const options: vscode.TextDocumentShowOptions = { viewColumn: editorColumn(), preview: true, ...(selection && { selection }) };
      await vscode.commands.executeCommand('vscode.open', uri, options);
    } catch (error) {
      const missing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
      const failure = missing ? { code: 'fs.not_found' as const, params: { path: location.path } } : failureOf(error);
      void window.showWarningMessage(failureText(failure, t));
    }
  }

  /**
   * Opens one file of a diff that a tool call or a permission request carries. The diff of a waiting request is closed when that is answered. Never
   * rejects.
   */
  async openDiff(
    { store, roots }: Pick<Session, 'store' | 'roots'>,
    entryId: string,
    contentIndex: number,
    changeIndex: number,
  ): Promise<void> {
    const { state } = store;
    const slot = slotIn(state, entryId);
    const entry = slot && !isAbsent(slot) ? slot : undefined;
    const contents = entry?.kind === 'tool_call' ? entry.content : entry?.kind === 'permission' ? entry.subject.content : undefined;
    const content = contents?.[contentIndex];
    const sent = content?.type === 'diff' ? content.changes[changeIndex] : undefined;
    const change = sent && { ...sent, ...alignedTexts(sent) };
    const isApplied = entry?.kind === 'tool_call' && entry.status === 'completed';
    try {
      const phase = entry?.kind === 'tool_call' ? phaseOf(entry.status) : 'before';
      const whole = change && (await wholeOf(roots, change, [change], phase));
      const opened = content?.type === 'diff' && change ? await this.diffs.open(change, content.patch, isApplied, whole) : undefined;
      if (opened) {
        this.answered.follow({ store }, waitingRequestOf(state, entryId), opened);
      } else {
        void window.showWarningMessage(t("The agent didn't send the content of this change."));
      }
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  }

  /** Opens a turn's change of a file as a diff, or the file itself when the agent did not send its texts. Never rejects. */
  async openTurnFile(state: SessionState, roots: Roots, entryId: string, fileIndex: number): Promise<void> {
    const slot = state.entries.get(entryId);
    const file = slot && !isAbsent(slot) && slot.kind === 'turn' ? slot.changes?.files[fileIndex] : undefined;
    try {
      const reported = turnFileChange(state, entryId, fileIndex);
      const whole = reported && (await wholeOf(roots, reported.change, reported.passages, 'after'));
      if (file && !(reported && (await this.diffs.open(reported.change, undefined, true, whole)))) {
        await this.openLocation(roots, file);
      }
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  }

  /** Opens a text embedded in the conversation, or saves other content to a file of the user's choice. Never rejects. */
  async openContent(state: SessionState, entryId: string, contentIndex: number): Promise<void> {
    try {
      await this.contents.open(contentAt(slotIn(state, entryId), contentIndex));
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  }

  /** Opens an attachment of a message, sent or not. Never rejects. */
  async openText(block: ContentBlock): Promise<void> {
    try {
      await this.contents.open(block);
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  }

  dispose(): void {
    this.answered.dispose();
    this.diffs.dispose();
    this.contents.dispose();
  }
}

/**
 * Opens a location that a replayed log names. The log has no folder, so the path must be absolute. The disk is accessed only after the user has
 * agreed to the path as written. @throws the error from VS Code about the file
 */
async function openWithoutFolder(location: FileLocation): Promise<void> {
  const file = location.path.replace(/^~(?=[\\/])/, homedir());
  if (!path.isAbsolute(file)) {
    void window.showWarningMessage(t("A replayed log has no folder, so {path} can't be opened.", { path: inertLine(location.path, 200) }));
    return;
  }
  const isForeign = (each: string): boolean => isForeignShare(each, []);
  if (isForeign(location.path) || isForeign(file)) {
    void window.showWarningMessage(refusal(location.path, { type: 'refused', reason: 'remote_file' }));
    return;
  }
  if (!(await agreesToOutside(path.resolve(file), location.path))) {
    return;
  }
  if (await leadsOver(file, isForeign)) {
    void window.showWarningMessage(refusal(location.path, { type: 'refused', reason: 'remote_file' }));
    return;
  }
  const uri = vscode.Uri.file(path.resolve(file));
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) {
    await (await import('./revealFolder')).revealFolder(uri.fsPath);
    return;
  }
  const selection = rangeOf(location);
  await vscode.commands.executeCommand('vscode.open', uri, { viewColumn: editorColumn(), preview: true, ...(selection && { selection }) });
}

/** Returns the whole file before and after a change that the agent sent as passages. Undefined when the file does not contain them. */
async function wholeOf(
  roots: Roots,
  { path: file }: FileChange,
  passages: readonly Pick<FileChange, 'oldText' | 'newText' | 'line'>[],
  phase: ChangePhase,
): Promise<ReturnType<typeof wholeTexts>> {
  const reported = passages.map(({ oldText, newText, line }) => ({ oldText: oldText ?? '', newText: newText ?? '', line }));
  if (reported.some(({ oldText }) => oldText === '')) {
    return undefined; // For a new file the change already contains the whole text.
  }
  const text = await fileText(roots, file);
  return text === undefined ? undefined : wholeTexts(text, reported, phase);
}

/** Returns the file that a path names relative to the root of the session's repository, outside the session's folders. */
async function outsideFromTop(files: FindFiles, named: string): Promise<string | undefined> {
  if (path.isAbsolute(named) || /^~|^\.{1,2}(?:[\\/]|$)/.test(named)) {
    return undefined;
  }
  for (const candidate of await files.fromTops(named)) {
    const isThere = !(await files.check.leadsAway(candidate)) && (await exists(candidate));
    if (isThere) {
      return candidate;
    }
  }
  return undefined;
}

function exists(file: string): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.file(file))).then(
    () => true,
    () => false,
  );
}

async function chooseFile(files: readonly string[], named: string): Promise<string | undefined> {
  const rows = files.map((file) => ({
    label: inertLine(path.basename(file), MAX_PATH),
    description: inertLine(path.dirname(file), MAX_PATH),
    file,
  }));
  return (await window.showQuickPick(rows, { placeHolder: t('Select the file to open for {path}', { path: inertLine(named, MAX_PATH) }) }))
    ?.file;
}

const MAX_PATH = 2000;
/** A column beyond the end of any line, which the editor clamps. */
const LINE_END = 2 ** 30;

/** False for a path outside of the session's folders. @throws Fault `session.root_changed`: the link meant the earlier folder */
function isIn(check: RootCheck, file: string): Promise<boolean> {
  return check.resolve(file).then(
    () => true,
    (error: unknown) => {
      if (failureOf(error).code === 'session.root_changed') {
        throw error;
      }
      return false;
    },
  );
}

/** Removes a heading after `#`, which a Markdown link may contain. A file whose own name contains the `#` has precedence. */
async function withoutHeading(file: string): Promise<string> {
  const heading = file.lastIndexOf('#');
  if (heading <= file.lastIndexOf(path.sep) + 1) {
    return file;
  }
  return vscode.workspace.fs.stat(vscode.Uri.file(file)).then(
    () => file,
    () => file.slice(0, heading),
  );
}

/**
 * Asks before opening a file outside the session's folders. Shows the whole path, because the user's consent is the only protection.
 * @param file the real path
 * @param written the path as the agent wrote it
 */
async function agreesToOutside(file: string, written: string): Promise<boolean> {
  const open = t('Open');
  const target = inertLine(file, MAX_PATH);
  const detail = written === file ? target : joined([target, t('Link: {link}', { link: inertLine(written, MAX_PATH) })], '\n\n');
  const options: MessageOptions = { modal: true, detail };
  return (await window.showWarningMessage(t("Open a file outside this session's folders?"), options, open)) === open;
}

function rangeOf({ line, column, endLine, endColumn }: Passage): vscode.Range | undefined {
  if (line === undefined) {
    return undefined;
  }
  const start = new vscode.Position(line - 1, Math.max(0, (column ?? 1) - 1));
  return new vscode.Range(start, endLine === undefined ? start : new vscode.Position(endLine - 1, endColumn ?? LINE_END));
}

/** Resolves to false when the user declined VS Code's own question, or there is no browser. */
async function openExternal(address: string): Promise<boolean> {
  try {
    // Passed as a string, which VS Code accepts too. A `Uri` would rewrite some percent escapes, which invalidates signed addresses.
    return await vscode.env.openExternal(address as unknown as vscode.Uri);
  } catch (error) {
    void window.showWarningMessage(failureText(failureOf(error), t));
    return false;
  }
}

function refusal(href: string, { reason, scheme }: Extract<LinkTarget, { type: 'refused' }>): InertText {
  const link = inertLine(href, 200);
  switch (reason) {
    case 'scheme':
      return t("Couldn't open the link because {scheme} links from an agent can start other programs: {link}", {
        scheme: `${scheme}:`,
        link,
      });
    case 'remote_file':
      return t("Couldn't open the link because its file is on another machine: {link}", { link });
    case 'attachment':
      return t("Couldn't open the link because it would attach a file to the email: {link}", { link });
    case 'malformed':
      return t("Couldn't open the link because its address is ambiguous: {link}", { link });
  }
}
