/** What could be meant by what is typed behind an `@`: quick things at once, language servers' symbols when they come. Few rows: typing narrows them down. */
import * as vscode from 'vscode';
import type { Roots } from '../../core/model/ports';
import { MAX_MENTION_ROWS, type MentionKind, type MentionRow } from '../../core/protocol/view';
import type { RunGit } from '../../changes/disk/git';
import { cut, visibleLine } from '../shared/escape';
import { verbatim } from '../shared/l10n';
import { relativeTime } from '../shared/relativeTime';
import { openFiles } from '../editor/openFiles';
import type { CommandOutputs } from './commandOutputs';
import {
  changesMention,
  commitMention,
  fileMention,
  problemsMention,
  rangeText,
  selectedLines,
  sessionMention,
  urlMention,
} from './mentionOf';
import { documentMention, fileUriOf } from './notebookCells';
import { presentRows } from './presentFiles';
import { type FoundPlace, foldersOf, type SessionFiles } from './sessionFiles';

const MAX_OPEN = 8;
const MAX_FILES = 30;
const MAX_AT_PATH = 15;
const MAX_SYMBOLS = 8;
const MAX_SESSIONS = 3;
const MAX_PROMPTS = 30;
const MAX_LABEL = 200;

/** A conversation on disk or in this window. */
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
  /** The editor that was in front last. */
  editor(): vscode.TextEditor | undefined;
  /** A notebook that is in front while none of its cells is edited. */
  notebook(): vscode.NotebookDocument | undefined;
  git(): Promise<RunGit | undefined>;
  /** Conversations of this folder but this one, the newest first. */
  conversations(sessionKey: string, cwd: string): Promise<readonly KnownConversation[]>;
  /** Absolute paths that were mentioned before, the newest first. */
  recent(): readonly string[];
}

export interface MentionQuery {
  readonly sessionKey: string;
  readonly roots: Roots;
  readonly text: string;
  /** True when another question was asked since. */
  isOver(): boolean;
  send(rows: readonly MentionRow[], done: boolean): void;
}

/** Typed in front, with a colon: only that. */
type Category = 'file' | 'symbol' | 'problems' | 'changes' | 'commit' | 'terminal' | 'session' | 'prompt';
const CATEGORY = /^(file|symbol|problems|changes|commit|terminal|session|prompt):(.*)$/is;

/** Files that tell agents what to do. */
const PROMPT_FILE = /(?:\.prompt\.md|\.instructions\.md|^(?:AGENTS|CLAUDE|GEMINI|QWEN|SKILL)(?:\.local)?\.md|^copilot-instructions\.md)$/i;

export class MentionFinder {
  constructor(private readonly ports: MentionFinderDependencies) {}

  /** Rows of files that are gone are left out. Never rejects. */
  async find(asked: MentionQuery): Promise<void> {
    // Answers keep their order, although each waits for the disk.
    let sent = Promise.resolve();
    const query: MentionQuery = {
      ...asked,
      send: (rows, done) => {
        const present = presentRows(rows, (uri) => vscode.Uri.parse(uri).fsPath);
        sent = sent.then(async () => {
          const found = await present;
          if (!asked.isOver()) {
            asked.send(found, done);
          }
        });
      },
    };
    const [, named, rest] = CATEGORY.exec(query.text) ?? [];
    const answer =
      named === undefined ? this.everything(query) : this.inCategory(named.toLowerCase() as Category, { ...query, text: rest!.trim() });
    await answer.catch(() => query.isOver() || query.send([], true));
    await sent;
  }

  private async inCategory(category: Category, query: MentionQuery): Promise<void> {
    if (category === 'file') {
      return this.filesAsTheyCome(query, []);
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
        return (await this.changes(query)).filter((row) => holds(row, text));
      case 'commit':
        return this.commits(query);
      case 'terminal':
        return this.outputs().filter((row) => holds(row, text));
      case 'session':
        return this.conversations(query, MAX_MENTION_ROWS);
      case 'prompt':
        await this.ports.files.fresh(query.roots);
        return this.prompts(query).filter((row) => holds(row, text));
    }
  }

  private async everything(query: MentionQuery): Promise<void> {
    const { text } = query;
    if (text === '') {
      // Nobody waits for the list of files: what is typed next does.
      void this.ports.files.fresh(query.roots);
      query.send(
        [...this.lookedAt(query), ...this.openFiles(query), ...this.problems(query), ...categories()].slice(0, MAX_MENTION_ROWS),
        true,
      );
      return;
    }
    if (/^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)) {
      query.send([{ kind: 'url', label: visibleLine(cut(text, MAX_LABEL)), detail: verbatim('Link'), mention: urlMention(text) }], true);
      return;
    }
    const special = [...this.lookedAt(query), ...this.problems(query), ...categories()].filter(({ label, kind }) =>
      `${kind} ${label}`
        .toLowerCase()
        .split(/[\s:]+/)
        .some((word) => word.startsWith(text.toLowerCase())),
    );
    await this.filesAsTheyCome(query, special.slice(0, 6));
  }

  /** What is known of files first, then with the files that a path leads to, then with what others know. */
  private async filesAsTheyCome(query: MentionQuery, before: readonly MentionRow[]): Promise<void> {
    const { files } = this.ports;
    const isMixed = before.length > 0 || !CATEGORY.test(query.text);
    const others = Promise.all([
      files.atPath(query.roots, query.text, MAX_AT_PATH),
      isMixed ? this.symbols(query, MAX_SYMBOLS) : [],
      isMixed && query.text.length > 1 ? this.conversations(query, MAX_SESSIONS) : [],
    ] as const);
    const isFresh = files.fresh(query.roots);
    const known = await this.filesFor(query);
    if (known && known.length > 0 && !query.isOver()) {
      query.send([...before, ...known].slice(0, MAX_MENTION_ROWS), false);
    }
    await isFresh;
    const [atPath, symbols, conversations] = await others;
    const found = await this.filesFor(query);
    if (!found || query.isOver()) {
      return;
    }
    const typed = atPath
      .map((place) => this.fileRow(place))
      .filter((row) => !found.some(({ mention }) => mention?.about === row.mention?.about));
    // Who types a path wants what is there.
    const isPath = /[\\/]/.test(query.text);
    const rows = isPath ? [...typed, ...found] : [...found, ...typed];
    const room = MAX_MENTION_ROWS - before.length - symbols.length - conversations.length;
    query.send([...before, ...rows.slice(0, room), ...symbols, ...conversations], true);
  }

  private async filesFor({ roots, text, isOver }: MentionQuery): Promise<MentionRow[] | undefined> {
    const { files, recent } = this.ports;
    const open = openFiles(this.ports.editor()?.document).map(({ fsPath }) => fsPath);
    const places = await files.search(roots, text, MAX_FILES, [...new Set([...recent(), ...open])], isOver);
    return places?.map((place) => this.fileRow(place));
  }

  private fileRow(place: FoundPlace): MentionRow {
    const { path } = place;
    const isFolder = path.endsWith('/');
    const end = isFolder ? path.length - 1 : path.length;
    const slash = path.lastIndexOf('/', end - 1);
    return {
      kind: isFolder ? 'folder' : PROMPT_FILE.test(path.slice(slash + 1)) ? 'prompt' : 'file',
      label: line(path.slice(slash + 1)),
      detail: line(path.slice(0, Math.max(0, slash))),
      mention: fileMention(place, verbatim),
    };
  }

  /** The file in front, and what is selected in it. */
  private lookedAt({ roots }: MentionQuery): MentionRow[] {
    const editor = this.ports.notebook() ? undefined : this.ports.editor();
    const uri = this.frontUri();
    const place = uri && this.placeOf(roots, uri);
    if (!place) {
      return [];
    }
    const lines = editor && selectedLines(editor);
    const mention = lines && documentMention(place, editor.document, lines);
    const detail = mention && 'cell' in mention.ref ? mention.name : lines && `${place.path}:${rangeText(lines)}`;
    const selection: MentionRow[] = mention ? [{ kind: 'selection', label: verbatim('Selection'), detail: line(detail!), mention }] : [];
    return [...selection, { ...this.fileRow(place), detail: verbatim('Active file') }];
  }

  private frontUri(): vscode.Uri | undefined {
    const uri = this.ports.editor()?.document.uri;
    return this.ports.notebook()?.uri ?? (uri && fileUriOf(uri));
  }

  private openFiles({ roots }: MentionQuery): MentionRow[] {
    const front = this.frontUri()?.toString();
    const recent = this.ports.recent().map((file) => vscode.Uri.file(file));
    const all = [...recent, ...openFiles(undefined)].filter((uri) => uri.toString() !== front);
    const unique = [...new Map(all.map((uri) => [uri.toString(), uri])).values()];
    return unique
      .flatMap((uri) => this.placeOf(roots, uri) ?? [])
      .slice(0, MAX_OPEN)
      .map((place) => this.fileRow(place));
  }

  private placeOf(roots: Roots, uri: vscode.Uri): FoundPlace | undefined {
    return this.ports.files.placeOf(roots, uri) ?? (uri.scheme === 'untitled' ? { uri: uri.toString(), path: uri.path } : undefined);
  }

  private problems({ roots }: MentionQuery): MentionRow[] {
    const all = vscode.languages.getDiagnostics().filter(([, found]) => found.length > 0);
    const count = all.reduce((sum, [, found]) => sum + found.length, 0);
    const document = this.ports.editor()?.document;
    const own = document ? vscode.languages.getDiagnostics(document.uri).length : 0;
    const place = document && this.placeOf(roots, document.uri);
    return [
      ...(place && own > 0
        ? [
            {
              kind: 'problems' as const,
              label: verbatim('Problems of {file}', { file: line(place.path.slice(place.path.lastIndexOf('/') + 1)) }),
              detail: String(own),
              mention: problemsMention(place, verbatim),
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

  private async changes({ roots }: MentionQuery): Promise<MentionRow[]> {
    const git = await this.ports.git();
    const rows: MentionRow[] = [];
    for (const folder of git ? foldersOf(roots) : []) {
      const { gitStatus } = await import('../../changes/disk/git');
      const status = await gitStatus(git!, folder);
      const place = { uri: vscode.Uri.file(folder).toString(), path: folder.replaceAll('\\', '/') };
      if (status) {
        rows.push({
          kind: 'changes',
          label: verbatim('All changes'),
          detail: verbatim('{count} files', { count: status.entries.length }),
          mention: changesMention(place, true, verbatim),
        });
        const { topOf } = await import('../../changes/disk/git');
        const top = await topOf(git!, folder);
        for (const { path } of top === undefined ? [] : status.entries.slice(0, MAX_MENTION_ROWS)) {
          const uri = vscode.Uri.joinPath(vscode.Uri.file(top!), path).toString();
          rows.push({
            kind: 'changes',
            label: line(path.slice(path.lastIndexOf('/') + 1)),
            detail: line(path),
            mention: changesMention({ uri, path }, false, verbatim),
          });
        }
      }
    }
    return rows;
  }

  private async commits({ roots, text }: MentionQuery): Promise<MentionRow[]> {
    const git = await this.ports.git();
    if (!git) {
      return [];
    }
    const { commitsOf } = await import('./gitTexts');
    const found = await Promise.all(
      foldersOf(roots).map(async (cwd) =>
        (await commitsOf(git, cwd, text, MAX_MENTION_ROWS)).map((commit) => ({ folder: vscode.Uri.file(cwd).toString(), commit })),
      ),
    );
    // Several folders may be of one repository.
    const unique = new Map(found.flat().map((each) => [each.commit.hash, each]));
    return [...unique.values()]
      .toSorted((a, b) => b.commit.at - a.commit.at)
      .map(({ folder, commit }) => ({
        kind: 'commit',
        label: line(commit.subject) || commit.hash.slice(0, 8),
        detail: `${commit.hash.slice(0, 8)} · ${line(commit.author)}, ${relativeTime(commit.at, Date.now(), vscode.env.language)}`,
        mention: commitMention(folder, commit),
      }));
  }

  private outputs(): MentionRow[] {
    return this.ports.outputs.newest.map(({ id, command, terminal, exitCode, isRunning }) => ({
      kind: 'terminal',
      label: line(command),
      detail: [line(terminal.name), isRunning ? verbatim('running') : exitCode ? verbatim('exit code {code}', { code: exitCode }) : '']
        .filter(Boolean)
        .join(' · '),
      pick: id,
    }));
  }

  private async conversations({ sessionKey, roots, text }: MentionQuery, limit: number): Promise<MentionRow[]> {
    const all = await this.ports.conversations(sessionKey, roots.cwd);
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
    return this.ports.files.called(roots, (name) => PROMPT_FILE.test(name), MAX_PROMPTS).map((place) => this.fileRow(place));
  }

  private async symbols({ roots, text }: MentionQuery, limit: number): Promise<readonly MentionRow[]> {
    const { documentSymbols, workspaceSymbols } = await import('./symbolRows');
    const placeOf = (uri: vscode.Uri): FoundPlace | undefined => this.placeOf(roots, uri);
    const document = this.ports.editor()?.document;
    const [own, all] = await Promise.all([
      document ? documentSymbols(document, text, limit, placeOf) : [],
      text === '' ? [] : workspaceSymbols(text, limit, placeOf),
    ]);
    const isOwn = (row: MentionRow): boolean =>
      own.some(
        ({ label, mention }) =>
          label === row.label &&
          mention?.ref.kind === 'symbol' &&
          row.mention?.ref.kind === 'symbol' &&
          mention.ref.uri === row.mention.ref.uri,
      );
    return [...own, ...all.filter((row) => !isOwn(row))].slice(0, limit);
  }
}

/** Ways to look further. */
function categories(): MentionRow[] {
  const row = (kind: MentionKind, label: string, detail: string, complete: Category): MentionRow => ({
    kind,
    label,
    detail,
    complete: `${complete}:`,
  });
  return [
    row('symbol', verbatim('Symbols…'), 'symbol:', 'symbol'),
    row('changes', verbatim('Changes…'), 'changes:', 'changes'),
    row('commit', verbatim('Commits…'), 'commit:', 'commit'),
    row('terminal', verbatim('Terminal output…'), 'terminal:', 'terminal'),
    row('session', verbatim('Sessions…'), 'session:', 'session'),
    row('prompt', verbatim('Prompt files…'), 'prompt:', 'prompt'),
  ];
}

function holds({ label, detail }: MentionRow, text: string): boolean {
  return `${label} ${detail}`.toLowerCase().includes(text.toLowerCase());
}

function line(text: string): string {
  return visibleLine(cut(text, MAX_LABEL)).trim();
}
