/** Opens what an agent's text points at, after checking it: the view asks, this decides. */
import * as vscode from 'vscode';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ContentBlock, FileChange } from '../../core/model/content';
import { contentAt } from '../../core/model/contentAt';
import { failureOf } from '../../core/model/failure';
import { isForeignShare } from '../../core/model/networkPath';
import { type Disposable, hasFolder, type Roots } from '../../core/model/ports';
import { isAbsent, type SessionState } from '../../core/model/state';
import { type ChangePhase, phaseOf, wholeTexts } from '../../core/fileChanges/changePlace';
import { turnFileChange } from '../../core/fileChanges/turnChanges';
import { leadsOver, realPathOf } from '../../util/realPath';
import { RootCheck } from '../../util/roots';
import { editorColumn } from '../chat/columns';
import { ContentDocuments } from './contentDocuments';
import { DiffDocuments } from './diffDocuments';
import { fileText } from './fileText';
import { type InertText, joined, visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { FindFiles } from '../../util/findFiles';
import { fileTargets, linkTarget, type LinkTarget, pageTarget, type Passage } from './links';
import type { UserActivity } from '../shared/userActivity';
import { type MessageOptions, window } from '../shared/window';
import { failureText } from '../shared/failureText';
import { showFailure } from '../shared/showFailure';

interface Place extends Passage {
  readonly path: string;
}

export class OpenHandlers implements Disposable {
  private readonly diffs = new DiffDocuments();
  private readonly contents: ContentDocuments;

  constructor(activity: Pick<UserActivity, 'during'>) {
    this.contents = new ContentDocuments(activity);
  }

  /** Opens a link as the agent wrote it; what it may not open is refused with a message. Never rejects. */
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
   * Opens the web page that the user was shown in full and agreed to, outside of VS Code. Only http and https: other addresses start other programs. False
   * when no page was opened. Never rejects.
   */
  async openPage(url: string): Promise<boolean> {
    const target = pageTarget(url);
    if (target.type === 'external') {
      return openExternal(target.uri);
    }
    void window.showWarningMessage(refusal(url, target));
    return false;
  }

  /** Opens a file at a line, one outside of the roots once the user has agreed; see {@link FindFiles} for a relative path. Never rejects. */
  openPlace(roots: Roots, place: Place): Promise<void> {
    return path.isAbsolute(place.path) || !hasFolder(roots) ? this.openFile(roots, place) : this.openNamed(roots, [place]);
  }

  /** Opens the file that one of these names, the first that names any; the user selects among several. Never rejects. */
  private async openNamed(roots: Roots, places: readonly Place[]): Promise<void> {
    const files = new FindFiles(roots);
    const folders = [roots.cwd, ...roots.additionalDirectories];
    for (const place of places.filter((each) => !/^~[\\/]/.test(each.path) && !isForeignShare(each.path, folders))) {
      const found = await files.find(place.path, 'any');
      const chosen = found.length > 1 ? await chooseFile(found, place.path) : found[0];
      if (found.length > 0) {
        return chosen === undefined ? undefined : this.openFile(roots, { ...place, path: chosen });
      }
    }
    const place = places.find(({ line }) => line !== undefined) ?? places[0]!;
    await this.openFile(roots, { ...place, path: (await outsideFromTop(files, place.path)) ?? place.path });
  }

  private async openFile(roots: Roots, place: Place): Promise<void> {
    try {
      if (!hasFolder(roots)) {
        await openWithoutFolder(place);
        return;
      }
      const check = new RootCheck(roots);
      const whole = path.resolve(roots.cwd, place.path.replace(/^~(?=[\\/])/, homedir()));
      // Before anything looks whether it is there.
      if (isForeignShare(place.path, [roots.cwd, ...roots.additionalDirectories]) || (await check.leadsAway(whole))) {
        void window.showWarningMessage(refusal(place.path, { type: 'refused', reason: 'remote_file' }));
        return;
      }
      const file = await withoutHeading(whole);
      const isInside = await isIn(check, file);
      // Where links lead to: that is what the user agrees to, and what is opened then.
      const target = isInside ? file : await realPathOf(file);
      if (!isInside && !(await agreesToOutside(target, place.path))) {
        return;
      }
      // Inside, not the real path: an editor that is open on this file knows it by the path the workspace gives it.
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
      const selection = rangeOf(place);
      const options: vscode.TextDocumentShowOptions = { viewColumn: editorColumn(), preview: true, ...(selection && { selection }) };
      await vscode.commands.executeCommand('vscode.open', uri, options);
    } catch (error) {
      const missing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
      const failure = missing ? { code: 'fs.not_found' as const, params: { path: place.path } } : failureOf(error);
      void window.showWarningMessage(failureText(failure, t));
    }
  }

  /** Opens one file of a diff that a tool call or a permission request carries. Never rejects. */
  async openDiff(state: SessionState, roots: Roots, entryId: string, contentIndex: number, changeIndex: number): Promise<void> {
    const slot = state.entries.get(entryId);
    const entry = slot && !isAbsent(slot) ? slot : undefined;
    const contents = entry?.kind === 'tool_call' ? entry.content : entry?.kind === 'permission' ? entry.subject.content : undefined;
    const content = contents?.[contentIndex];
    const change = content?.type === 'diff' ? content.changes[changeIndex] : undefined;
    const isApplied = entry?.kind === 'tool_call' && entry.status === 'completed';
    try {
      const phase = entry?.kind === 'tool_call' ? phaseOf(entry.status) : 'before';
      const whole = change && (await wholeOf(roots, change, [change], phase));
      if (content?.type !== 'diff' || !change || !(await this.diffs.open(change, content.patch, isApplied, whole))) {
        void window.showWarningMessage(t("The agent didn't send the content of this change."));
      }
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  }

  /** Opens what a turn did to a file as a difference; where its texts were not told, the file. Never rejects. */
  async openTurnFile(state: SessionState, roots: Roots, entryId: string, fileIndex: number): Promise<void> {
    const slot = state.entries.get(entryId);
    const file = slot && !isAbsent(slot) && slot.kind === 'turn' ? slot.changes?.files[fileIndex] : undefined;
    try {
      const told = turnFileChange(state, entryId, fileIndex);
      const whole = told && (await wholeOf(roots, told.change, told.passages, 'after'));
      if (file && !(told && (await this.diffs.open(told.change, undefined, true, whole)))) {
        await this.openPlace(roots, file);
      }
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  }

  /** Opens a text that came with the conversation, or saves what else did where the user wants it. Never rejects. */
  async openContent(state: SessionState, entryId: string, contentIndex: number): Promise<void> {
    try {
      await this.contents.open(contentAt(state, entryId, contentIndex));
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  }

  /** Opens what goes with a message, or is about to. Never rejects. */
  async openText(block: ContentBlock): Promise<void> {
    try {
      await this.contents.open(block);
    } catch (error) {
      void showFailure('error', failureOf(error));
    }
  }

  dispose(): void {
    this.diffs.dispose();
    this.contents.dispose();
  }
}

/**
 * Opens a place that a replayed log names. The log has no folder, so the path must be absolute, and the disk is read only after the user has agreed to
 * the path as it is written. @throws what VS Code reports about the file
 */
async function openWithoutFolder(place: Place): Promise<void> {
  const file = place.path.replace(/^~(?=[\\/])/, homedir());
  if (!path.isAbsolute(file)) {
    void window.showWarningMessage(t("A replayed log has no folder, so {path} can't be opened.", { path: visible(place.path, 200) }));
    return;
  }
  const isForeign = (each: string): boolean => isForeignShare(each, []);
  if (isForeign(place.path) || isForeign(file)) {
    void window.showWarningMessage(refusal(place.path, { type: 'refused', reason: 'remote_file' }));
    return;
  }
  if (!(await agreesToOutside(path.resolve(file), place.path))) {
    return;
  }
  if (await leadsOver(file, isForeign)) {
    void window.showWarningMessage(refusal(place.path, { type: 'refused', reason: 'remote_file' }));
    return;
  }
  const uri = vscode.Uri.file(path.resolve(file));
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) {
    await (await import('./revealFolder')).revealFolder(uri.fsPath);
    return;
  }
  const selection = rangeOf(place);
  await vscode.commands.executeCommand('vscode.open', uri, { viewColumn: editorColumn(), preview: true, ...(selection && { selection }) });
}

/** The whole file before and after a change that was told as passages of it; undefined when the file does not hold them (any more). */
async function wholeOf(
  roots: Roots,
  { path: file }: FileChange,
  passages: readonly Pick<FileChange, 'oldText' | 'newText' | 'line'>[],
  phase: ChangePhase,
): Promise<ReturnType<typeof wholeTexts>> {
  const told = passages.map(({ oldText, newText, line }) => ({ oldText: oldText ?? '', newText: newText ?? '', line }));
  if (told.some(({ oldText }) => oldText === '')) {
    return undefined; // A new file is whole.
  }
  const text = await fileText(roots, file);
  return text === undefined ? undefined : wholeTexts(text, told, phase);
}

/** The file that a path names from the top of the session's repository, outside its folders. */
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
    label: visible(path.basename(file), MAX_PATH),
    description: visible(path.dirname(file), MAX_PATH),
    file,
  }));
  return (await window.showQuickPick(rows, { placeHolder: t('Select the file to open for {path}', { path: visible(named, MAX_PATH) }) }))
    ?.file;
}

const MAX_PATH = 2000;
/** Beyond the end of any line: the editor takes the end. */
const LINE_END = 2 ** 30;

/** False for what lies outside of the session's folders. @throws Fault `session.root_changed`: nobody can have meant what stands there now */
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

/** A link of markdown may name a heading behind the file. A file whose own name holds the sign is the one that is meant, where it is there. */
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
 * What the agent's text leads to is opened by nothing but the user's word, so they see it in full.
 * @param file the real path
 * @param written as the agent has it
 */
async function agreesToOutside(file: string, written: string): Promise<boolean> {
  const open = t('Open');
  const target = visible(file, MAX_PATH);
  const detail = written === file ? target : joined([target, t('Link: {link}', { link: visible(written, MAX_PATH) })], '\n\n');
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

/** False when the user said no to VS Code's own question, or there is no browser. */
async function openExternal(address: string): Promise<boolean> {
  try {
    // As text, which VS Code takes too: a `Uri` would write some of its percent escapes anew, and signed addresses no longer hold then.
    return await vscode.env.openExternal(address as unknown as vscode.Uri);
  } catch (error) {
    void window.showWarningMessage(failureText(failureOf(error), t));
    return false;
  }
}

function refusal(href: string, { reason, scheme }: Extract<LinkTarget, { type: 'refused' }>): InertText {
  const link = visible(href, 200);
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
