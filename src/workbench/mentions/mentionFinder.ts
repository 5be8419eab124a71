/**
 * Finds the candidates for the text after an `@`: fast sources immediately, language servers' symbols when they arrive. Returns few rows, because
 * further typing narrows them down.
 */
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Roots } from '../../core/model/roots';
import { MAX_MENTION_ROWS, type MentionRow } from '../../core/protocol/channels/mentions';
import type { RunGit } from '../../changes/disk/git';
import { cut, visibleLine } from '../../application/shared/escape';
import { verbatim } from '../shared/l10n';
import { relativeTime } from '../../application/shared/relativeTime';
import { openFiles } from '../editor/openFiles';
import type { CommandOutputs } from './commandOutputs';
import { type Category, categoryRows, firstRows, type Served } from '../../application/mentions/firstRows';
import { fileMention, problemsMention, rangeText, selectedLines, sessionMention, urlMention } from '../../application/mentions/mentionOf';
import { changeRows, commitRows } from './gitRows';
import { documentMention, fileUriOf } from './notebookCells';
import { presentRows } from '../../application/mentions/presentFiles';
import { isCode } from '../../application/mentions/codeFiles';
import { mixedRows, rankedSymbols } from '../../application/mentions/mixedRows';
import { line, MAX_LABEL } from '../../application/mentions/rowText';
import { SleepingLanguages } from './sleepingLanguages';
import { systemClock } from '../../util/clock';
import { type IndexedFile, foldersOf, type SessionFiles } from './sessionFiles';

const MAX_FILES = 30;
const MAX_AT_PATH = 15;
const MAX_SYMBOLS = 8;
/** Letters from which on the symbols of the workspace are asked for, as well as those of the document in front. */
const MIN_WORKSPACE_TEXT = 2;
/** ms without another letter. */
const TYPING_MS = 120;
/** Files of code among which one starts a language server. */
const MAX_CODE = 200;
/** ms that a language server gets between two questions. */
const WAKING_MS = 500;
const WAKING_TRIES = 5;
const MAX_SESSIONS = 3;
const MAX_PROMPTS = 30;
/** The number of files and folders from which the rows are chosen. */
const MAX_LISTED = 60;
/** The time in ms until the rows that need no disk are shown without the others. */
const EARLY_MS = 150;

/** A stored conversation, or one in this window. */
export interface KnownConversation {
  readonly sessionKey: string;
  readonly title: string;
  readonly agentName: string;
  /** ms since the epoch */
  readonly at: number;
}

export interface MentionFinderDependencies {
  readonly files: SessionFiles;
  readonly outputs: CommandOutputs;
  /** Returns the editor that was active last. */
  editor(): vscode.TextEditor | undefined;
  /** Returns a notebook that is active while none of its cells is edited. */
  notebook(): vscode.NotebookDocument | undefined;
  git(): Promise<RunGit | undefined>;
  /** Returns the other conversations of this folder, newest first. */
  conversations(sessionKey: string, cwd: string): Promise<readonly KnownConversation[]>;
  /** Returns the absolute paths that were mentioned earlier, newest first. */
  recent(): readonly string[];
  /** Returns the files whose editors were active in this window, newest first. */
  recentEditors(): readonly vscode.Uri[];
}

export interface MentionQuery {
  readonly sessionKey: string;
  readonly roots: Roots;
  readonly text: string;
  /** True when a newer query has replaced this one. */
  isOver(): boolean;
  /** @param isListing the files are being listed for the first time */
  send(rows: readonly MentionRow[], done: boolean, isListing?: boolean): void;
}

const CATEGORY = /^(file|symbol|problems|changes|commit|terminal|session|prompt):(.*)$/is;

/** Files with instructions for agents. */
const PROMPT_FILE = /(?:\.prompt\.md|\.instructions\.md|^(?:AGENTS|CLAUDE|GEMINI|QWEN|SKILL)(?:\.local)?\.md|^copilot-instructions\.md)$/i;

export class MentionFinder {
  private readonly languages = new SleepingLanguages(systemClock);

  constructor(private readonly deps: MentionFinderDependencies) {}

  /** Answers a query. Leaves out rows of files that do not exist. Never rejects. */
  async find(requested: MentionQuery): Promise<void> {
    // Answers keep their order, although each waits for the disk.
    let sent = Promise.resolve();
    let isDone = false;
    const query: MentionQuery = {
      ...requested,
      send: (rows, done) => {
        isDone ||= done;
        const present = presentRows(rows, (uri) => vscode.Uri.parse(uri).fsPath);
        sent = sent.then(async () => {
          const found = await present;
          if (!requested.isOver()) {
            requested.send(found, done, !done && needsFiles && !this.deps.files.isListed(requested.roots));
          }
        });
      },
    };
    const [, named, rest] = CATEGORY.exec(query.text) ?? [];
    const needsFiles = named === undefined || /^(file|prompt)$/i.test(named);
    void delay(EARLY_MS).then(() => {
      // The page keeps its rows, and says that more will come.
      if (!isDone && !query.isOver() && needsFiles && !this.deps.files.isListed(query.roots)) {
        query.send([], false);
      }
    });
    const answer =
      named === undefined ? this.everything(query) : this.inCategory(named.toLowerCase() as Category, { ...query, text: rest!.trim() });
    await answer.catch(() => query.isOver() || query.send([], true));
    await sent;
  }

  private async inCategory(category: Category, query: MentionQuery): Promise<void> {
    if (category === 'file') {
      return this.filesAsTheyCome(query);
    }
    const rows = await this.rowsOf(category, query);
    if (!query.isOver()) {
      query.send(rows.slice(0, MAX_MENTION_ROWS), true);
    }
  }

  private async rowsOf(category: Exclude<Category, 'file'>, query: MentionQuery): Promise<readonly MentionRow[]> {
    const { text } = query;
    switch (category) {
      case 'symbol':
        return this.symbols(query, MAX_MENTION_ROWS);
      case 'problems':
        return this.problems(query).filter((row) => holds(row, text));
      case 'changes':
        return (await changeRows(await this.deps.git(), query.roots)).filter((row) => holds(row, text));
      case 'commit':
        return commitRows(await this.deps.git(), query.roots, text);
      case 'terminal':
        return this.outputs().filter((row) => holds(row, text));
      case 'session':
        return this.conversations(query, MAX_MENTION_ROWS);
      case 'prompt':
        await this.deps.files.fresh(query.roots);
        return this.prompts(query).filter((row) => holds(row, text));
    }
  }

  private async everything(query: MentionQuery): Promise<void> {
    const { text } = query;
    if (text === '') {
      return this.first(query);
    }
    if (/^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)) {
      query.send([{ kind: 'url', label: visibleLine(cut(text, MAX_LABEL)), detail: verbatim('Link'), mention: urlMention(text) }], true);
      return;
    }
    const isMeant = ({ label, kind }: MentionRow): boolean =>
      `${kind} ${label}`
        .toLowerCase()
        .split(/[\s:]+/)
        .some((word) => word.startsWith(text.toLowerCase()));
    const special = [...this.lookedAt(query), ...this.problems(query)].filter(isMeant);
    const categories = categoryRows(EVERYTHING, verbatim).some(isMeant) ? categoryRows(await this.served(query), verbatim) : [];
    await this.filesAsTheyCome(query, [...special, ...categories.filter(isMeant)].slice(0, 6));
  }

  /** Sends the rows for an `@` without text. If the disk is slow, the first answer has only the rows that are known. */
  private async first(query: MentionQuery): Promise<void> {
    const { roots, isOver } = query;
    const { files } = this.deps;
    const whole = files.fresh(roots).then(() => this.served(query));
    const isSlow = await Promise.race([whole.then(() => false), delay(EARLY_MS, true)]);
    const rows = async (categories: readonly MentionRow[]): Promise<MentionRow[]> => {
      const places = await files.search(roots, '', MAX_LISTED, [], isOver);
      const { open, recent } = this.nearFiles(query);
      return firstRows({
        front: this.lookedAt(query),
        open,
        recent,
        listed: (places ?? []).filter(({ path }) => !path.endsWith('/')).map((file) => this.fileRow(file)),
        problems: this.problems(query),
        categories,
      });
    };
    if (isSlow && !isOver()) {
      query.send(await rows([]), false);
    }
    const served = await whole;
    if (!isOver()) {
      query.send(await rows(categoryRows(served, verbatim)), true);
    }
  }

  private async served({ sessionKey, roots }: MentionQuery): Promise<Served> {
    const { files, outputs } = this.deps;
    const folders = foldersOf(roots);
    const [git, conversations, { isInRepository }] = await Promise.all([
      this.deps.git(),
      this.deps.conversations(sessionKey, roots.cwd),
      import('../../changes/disk/git'),
    ]);
    const areInGit = await Promise.all(git ? folders.map((folder) => isInRepository(folder)) : []);
    return {
      symbol: this.deps.editor() !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 0,
      git: areInGit.includes(true),
      terminal: outputs.newest.length > 0,
      session: conversations.length > 0,
      prompt: files.called(roots, (name) => PROMPT_FILE.test(name), 1).length > 0,
    };
  }

  /**
   * Sends the known files first, and then all files together with typed paths.
   * @param mixed rows before them; symbols and conversations come then, too. Absent: files alone
   */
  private async filesAsTheyCome(query: MentionQuery, mixed?: readonly MentionRow[]): Promise<void> {
    const { files } = this.deps;
    const [isMixed, before] = [mixed !== undefined, mixed ?? []];
    const others = Promise.all([
      files.atPath(query.roots, query.text, MAX_AT_PATH),
      isMixed ? this.symbolsOnceTyped(query) : [],
      isMixed && query.text.length > 1 ? this.conversations(query, MAX_SESSIONS) : [],
    ] as const);
    const isFresh = files.fresh(query.roots);
    const known = await this.filesFor(query);
    if (known && known.length > 0 && !query.isOver()) {
      query.send(mixedRows({ before, files: known, symbols: [], conversations: [] }), false);
    }
    await isFresh;
    const [atPath, symbols, conversations] = await others;
    const found = await this.filesFor(query);
    if (!found || query.isOver()) {
      return;
    }
    const typed = atPath
      .map((file) => this.fileRow(file))
      .filter((row) => !found.some(({ mention }) => mention?.about === row.mention?.about));
    // For a typed path, the files on the disk come first.
    const isPath = /[\\/]/.test(query.text);
    const rows = isPath ? [...typed, ...found] : [...found, ...typed];
    query.send(mixedRows({ before, files: rows, symbols, conversations }), true);
  }

  private async filesFor({ roots, text, isOver }: MentionQuery): Promise<MentionRow[] | undefined> {
    const { files, recent } = this.deps;
    const open = openFiles(this.deps.editor()?.document).map(({ fsPath }) => fsPath);
    const places = await files.search(roots, text, MAX_FILES, [...new Set([...recent(), ...open])], isOver);
    return places?.map((file) => this.fileRow(file));
  }

  private fileRow(file: IndexedFile): MentionRow {
    const { path } = file;
    const isFolder = path.endsWith('/');
    const end = isFolder ? path.length - 1 : path.length;
    const slash = path.lastIndexOf('/', end - 1);
    return {
      kind: isFolder ? 'folder' : PROMPT_FILE.test(path.slice(slash + 1)) ? 'prompt' : 'file',
      label: line(path.slice(slash + 1)),
      detail: line(path.slice(0, Math.max(0, slash))),
      mention: fileMention(file, verbatim),
    };
  }

  /** Returns the active file, and its selection. */
  private lookedAt({ roots }: MentionQuery): MentionRow[] {
    const editor = this.deps.notebook() ? undefined : this.deps.editor();
    const uri = this.frontUri();
    const file = uri && this.fileOf(roots, uri);
    if (!file) {
      return [];
    }
    const lines = editor && selectedLines(editor);
    const mention = lines && documentMention(file, editor.document, lines);
    const detail = mention && 'cell' in mention.ref ? mention.name : lines && `${file.path}:${rangeText(lines)}`;
    const selection: MentionRow[] = mention ? [{ kind: 'selection', label: verbatim('Selection'), detail: line(detail!), mention }] : [];
    return [...selection, { ...this.fileRow(file), detail: verbatim('Active file') }];
  }

  private frontUri(): vscode.Uri | undefined {
    const uri = this.deps.editor()?.document.uri;
    return this.deps.notebook()?.uri ?? (uri && fileUriOf(uri));
  }

  /** Returns the open files, the last active ones first, and the files that were active or mentioned earlier, if the folders' lists contain them. */
  private nearFiles({ roots }: MentionQuery): { readonly open: MentionRow[]; readonly recent: MentionRow[] } {
    const active = this.deps.recentEditors();
    const rank = new Map(active.map((uri, index) => [uri.toString(), index]));
    const rankOf = (uri: vscode.Uri): number => rank.get(uri.toString()) ?? rank.size;
    const open = openFiles(undefined).toSorted((one, other) => rankOf(one) - rankOf(other));
    const before = [...active, ...this.deps.recent().map((file) => vscode.Uri.file(file))];
    const rowsOf = (uris: readonly vscode.Uri[]): MentionRow[] =>
      uris.flatMap((uri) => this.fileOf(roots, uri) ?? []).map((file) => this.fileRow(file));
    return { open: rowsOf(open), recent: rowsOf(this.deps.files.listed(roots, before)) };
  }

  private fileOf(roots: Roots, uri: vscode.Uri): IndexedFile | undefined {
    return this.deps.files.fileOf(roots, uri) ?? (uri.scheme === 'untitled' ? { uri: uri.toString(), path: uri.path } : undefined);
  }

  private problems({ roots }: MentionQuery): MentionRow[] {
    const all = vscode.languages.getDiagnostics().filter(([, found]) => found.length > 0);
    const count = all.reduce((sum, [, found]) => sum + found.length, 0);
    const document = this.deps.editor()?.document;
    const own = document ? vscode.languages.getDiagnostics(document.uri).length : 0;
    const file = document && this.fileOf(roots, document.uri);
    return [
      ...(file && own > 0
        ? [
            {
              kind: 'problems' as const,
              label: verbatim('Problems of {file}', { file: line(file.path.slice(file.path.lastIndexOf('/') + 1)) }),
              detail: String(own),
              mention: problemsMention(file, verbatim),
            },
          ]
        : []),
      ...(count > 0
        ? [
            {
              kind: 'problems' as const,
              label: verbatim('Problems'),
              detail: verbatim('{count} in all files', { count }),
              mention: problemsMention(undefined, verbatim),
            },
          ]
        : []),
    ];
  }

  private outputs(): MentionRow[] {
    return this.deps.outputs.newest.map(({ id, command, terminal, exitCode, isRunning }) => ({
      kind: 'terminal',
      label: line(command),
      detail: [line(terminal.name), isRunning ? verbatim('running') : exitCode ? verbatim('exit code {code}', { code: exitCode }) : '']
        .filter(Boolean)
        .join(' · '),
      pick: id,
    }));
  }

  private async conversations({ sessionKey, roots, text }: MentionQuery, limit: number): Promise<MentionRow[]> {
    const all = await this.deps.conversations(sessionKey, roots.cwd);
    return all
      .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
      .slice(0, limit)
      .map(({ sessionKey: key, title, agentName, at }) => ({
        kind: 'session',
        label: line(title),
        detail: `${line(agentName)}, ${relativeTime(at, Date.now(), vscode.env.language)}`,
        mention: sessionMention(key, title, verbatim),
      }));
  }

  private prompts({ roots }: MentionQuery): MentionRow[] {
    return this.deps.files.called(roots, (name) => PROMPT_FILE.test(name), MAX_PROMPTS).map((file) => this.fileRow(file));
  }

  /** Asks language servers only when typing has paused: the workspace may be large, and each letter asks again. */
  private async symbolsOnceTyped(query: MentionQuery): Promise<readonly MentionRow[]> {
    await delay(TYPING_MS, undefined);
    return query.isOver() ? [] : this.symbols(query, MAX_SYMBOLS, query.text.length >= MIN_WORKSPACE_TEXT);
  }

  private async symbols(query: MentionQuery, limit: number, inWorkspace = query.text !== ''): Promise<readonly MentionRow[]> {
    const { roots, text } = query;
    const { documentSymbols } = await import('./symbolRows');
    const fileOf = (uri: vscode.Uri): IndexedFile | undefined => this.fileOf(roots, uri);
    const document = this.deps.editor()?.document;
    const [own, all] = await Promise.all([
      document ? documentSymbols(document, text, limit, fileOf) : [],
      inWorkspace ? this.workspaceSymbols(query, fileOf) : [],
    ]);
    return rankedSymbols(own, all, text, limit);
  }

  /** Asks again for a while where the first answer had nothing because no language server ran. */
  private async workspaceSymbols(
    { roots, text, isOver }: MentionQuery,
    fileOf: (uri: vscode.Uri) => IndexedFile | undefined,
  ): Promise<readonly MentionRow[]> {
    const { workspaceSymbols } = await import('./symbolRows');
    let found = await workspaceSymbols(text, fileOf);
    const { files } = this.deps;
    if (found.length === 0) {
      await files.fresh(roots);
      const isWaking = await this.languages.wake(files.called(roots, isCode, MAX_CODE));
      for (let tries = 0; isWaking && found.length === 0 && tries < WAKING_TRIES && !isOver(); tries++) {
        await delay(WAKING_MS, undefined);
        found = await workspaceSymbols(text, fileOf);
      }
    }
    return found;
  }
}

const EVERYTHING: Served = { symbol: true, git: true, terminal: true, session: true, prompt: true };

function holds({ label, detail }: MentionRow, text: string): boolean {
  return `${label} ${detail}`.toLowerCase().includes(text.toLowerCase());
}
