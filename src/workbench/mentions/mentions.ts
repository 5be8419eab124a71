/** Mentions in the window's sessions: finds candidates, creates the content that is sent, and opens it. Loaded with the first session. */
import * as vscode from 'vscode';
import path from 'node:path';
import { mentionContent } from '../../context/mentionContent';
import { commandText } from '../../context/commandText';
import { type CellReference, type DraftBlock, isMention, type Mention } from '../../core/mentions/mention';
import type { ContentBlock, PromptCapabilities } from '../../core/model/content';
import type { Disposable } from '../../core/platform/disposable';
import type { Roots } from '../../core/model/roots';
import type { SessionState } from '../../core/model/state';
import { MAX_MENTION_ROWS } from '../../core/protocol/channels/mentions';
import type { ToView } from '../../core/protocol/view';
import { reducePortions } from '../../session/journal/journalReader';
import type { SessionCatalog } from '../../session/journal/sessionCatalog';
import { sessionTitle } from '../../text/transcript/sessionTitle';
import { DisposableStore } from '../../util/disposable';
import { readingGit, type RunGit } from '../../changes/disk/git';
import { findGitProgram, windowGit } from '../git/gitProgram';
import type { Consents } from '../../policy/consents';
import { isForeignShare } from '../../core/model/networkPath';
import { agreedFiles, fileAsNamed, warnLinkedPictures } from '../attachments/attachFiles';
import type { OpenHandlers } from '../links/openHandlers';
import { type InertText, joined, inertLine, visibleLine } from '../../application/shared/escape';
import { workspaceFolders } from '../window/workspaceFolders';
import { t, verbatim } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { commands } from '../../application/shared/ids';
import { offerForProblems, window } from '../shared/window';
import { type CommandOutput, CommandOutputs } from './commandOutputs';
import { type KnownConversation, MentionFinder } from './mentionFinder';
import { textMention } from '../../application/mentions/mentionOf';
import type { CheckedFile } from '../attachments/checkedContent';
import { mentionSources, problemsOf } from './mentionSources';
import { SessionFiles } from './sessionFiles';
import { protectedAmong, sentTexts, type SentTexts } from './sentTexts';

const MAX_RECENT = 20;
/** The maximum number of conversations that can be found. */
const MAX_CONVERSATIONS = 100;

/** The part of a session that its mentions need. */
export interface MentioningSession {
  readonly key: string;
  readonly roots: Roots;
  readonly agentName: string;
  /** The files that the user has agreed to share with its agent. */
  readonly consents: Pick<Consents, 'agree' | 'has'>;
  readonly store: { readonly state: SessionState };
}

export interface MentionsDependencies {
  readonly activity: UserActivity;
  readonly journals: Pick<SessionCatalog, 'list'> & { portions(key: string): AsyncIterable<readonly string[]> };
  sessions(): readonly MentioningSession[];
  openHandlers(): Promise<OpenHandlers>;
  /** Returns the editor that was active last. */
  editor(): vscode.TextEditor | undefined;
  /** Returns a notebook that is active while none of its cells is edited. */
  notebook?(): vscode.NotebookDocument | undefined;
  /** Returns the files whose editors were active in this window, newest first. */
  recentEditors?(): readonly vscode.Uri[];
}

/** The files and texts that were checked for one message. */
interface Checked {
  /** The files by the address in the mention. */
  readonly files: ReadonlyMap<string, CheckedFile>;
  readonly texts: SentTexts;
}

type MentionRows = Extract<ToView, { readonly type: 'mention_rows' }>;

/**
 * The content that is sent for a message with mentions. Undefined when the user declined or something cannot be read, which a message has
 * reported.
 */
type Resolved = readonly ContentBlock[] | undefined;

export class Mentions implements Disposable {
  readonly outputs: CommandOutputs;
  private readonly store = new DisposableStore();
  private readonly files: SessionFiles;
  private readonly finder: MentionFinder;
  private readonly git: () => Promise<RunGit | undefined>;
  /** The newest query of each session's page. */
  private readonly requested = new Map<string, number>();
  /** The mentioned files as absolute paths, newest first. */
  private recent: string[] = [];

  constructor(private readonly deps: MentionsDependencies) {
    this.outputs = this.store.add(new CommandOutputs());
    this.files = this.store.add(new SessionFiles());
    this.store.add(offerForProblems(t('Add Problem to ACP Session'), commands.addProblem));
    let git: Promise<RunGit | undefined> | undefined;
    this.git = async () => {
      const found = await (git ??= findGitProgram().then((program) => (program === undefined ? undefined : readingGit(windowGit()))));
      // Git may become available later: once it is installed, or the workspace is trusted.
      git = found && git;
      return found;
    };
    this.finder = new MentionFinder({
      files: this.files,
      outputs: this.outputs,
      editor: deps.editor,
      notebook: () => deps.notebook?.(),
      git: this.git,
      conversations: (sessionKey, cwd) => this.conversations(sessionKey, cwd),
      recent: () => this.recent,
      recentEditors: () => deps.recentEditors?.() ?? [],
    });
  }

  /** Finds candidates for `text`. A later query replaces this one. */
  find({ key, roots }: MentioningSession, queryId: number, text: string, post: (message: MentionRows) => void): void {
    this.requested.set(key, queryId);
    void this.finder.find({
      sessionKey: key,
      roots,
      text,
      isOver: () => this.requested.get(key) !== queryId,
      send: (found, done, isListing) => {
        const rows = found.slice(0, MAX_MENTION_ROWS);
        post({ type: 'mention_rows', queryId, rows, done, ...(isListing && { isListing }) });
      },
    });
  }

  /** Returns the mention for a row whose content is known to the host alone. */
  picked(pick: string): Mention | undefined {
    const output = this.outputs.get(pick);
    return output && outputMention(output);
  }

  /** Replaces the mentions in a message by their current content. Never rejects. */
  async resolve(session: MentioningSession, content: readonly DraftBlock[]): Promise<Resolved> {
    const mentions = content.filter(isMention);
    const checked = await this.checked(session, mentions);
    if (!checked) {
      return undefined;
    }
    const sources = this.sourcesOf(checked);
    const { promptCapabilities, status } = session.store.state;
    // A message that waits for the agent is adapted to the agent's capabilities later.
    const capabilities: PromptCapabilities = status === 'ready' ? promptCapabilities : { image: true, audio: true, embeddedContext: true };
    const unread: InertText[] = [];
    const blocks = await Promise.all(
      content.map(async (block) => {
        if (!isMention(block)) {
          return block;
        }
        try {
          return await mentionContent(await this.exact(block), capabilities, sources);
        } catch {
          unread.push(inertLine(block.name, 100));
          return undefined;
        }
      }),
    );
    if (unread.length > 0) {
      void window.showWarningMessage(t("Couldn't read {names}. Your message was not sent.", { names: joined(unread, ', ') }));
      return undefined;
    }
    this.remember(mentions);
    warnLinkedPictures(
      blocks.flatMap((block, at) => (block && isMention(content[at]!) ? block : [])),
      capabilities,
    );
    return blocks.filter((block) => block !== undefined);
  }

  /** Opens the content of a mention. Never rejects. */
  async open(session: MentioningSession, { ref, name }: Mention): Promise<void> {
    const handlers = await this.deps.openHandlers();
    switch (ref.kind) {
      case 'file':
      case 'symbol':
        if (ref.kind === 'file' && ref.cell) {
          return this.openCell(session, { ref: { ...ref, cell: ref.cell }, name });
        }
        if (ref.uri.startsWith('untitled:')) {
          return void (await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(ref.uri)));
        }
        return handlers.openLink(session.roots, ref.line === undefined ? ref.uri : `${ref.uri}#L${ref.line}-L${ref.endLine ?? ref.line}`);
      case 'url':
        return handlers.openLink(session.roots, ref.uri);
      case 'content':
        return handlers.openText(ref.block);
      default:
        try {
          const all: PromptCapabilities = { image: true, audio: true, embeddedContext: true };
          // The content is shown to the user alone, so protected files need no question.
          const checked = await this.checked(session, [{ ref }], false);
          if (checked) {
            await handlers.openText(await mentionContent({ ref, name }, all, this.sourcesOf(checked)));
          }
        } catch {
          void window.showWarningMessage(t("Couldn't read {names}.", { names: inertLine(name, 100) }));
        }
    }
  }

  /** Opens a cell. The notebook is checked as for a message, because a draft may come from elsewhere. */
  private async openCell(
    session: MentioningSession,
    { ref, name }: { readonly ref: Extract<Mention['ref'], { kind: 'file' }> & { readonly cell: CellReference }; readonly name: string },
  ): Promise<void> {
    try {
      if (await this.checked(session, [{ ref }], false)) {
        const { showCell } = await import('./notebookCells');
        const lines = ref.line === undefined ? undefined : { line: ref.line, endLine: ref.endLine ?? ref.line };
        await showCell(vscode.Uri.parse(ref.uri, true), ref.cell, lines);
      }
    } catch {
      void window.showWarningMessage(t("Couldn't read {names}.", { names: inertLine(name, 100) }));
    }
  }

  /** Returns a file's path relative to the session's folders, or else to the workspace's, or else the absolute path. */
  fileOf({ roots }: Pick<MentioningSession, 'roots'>, uri: vscode.Uri, isFolder = false): { readonly uri: string; readonly path: string } {
    const file = this.files.fileOf(roots, uri, isFolder);
    const elsewhere = vscode.workspace.getWorkspaceFolder(uri) ? vscode.workspace.asRelativePath(uri, true) : uri.fsPath;
    return file ?? { uri: uri.toString(), path: elsewhere.replaceAll('\\', '/') + (isFolder ? '/' : '') };
  }

  /**
   * Records that the user has chosen these files for the session, so that no question about them follows. Files whose path contains a foreign link
   * are left out.
   */
  async agree({ roots, consents }: MentioningSession, uris: readonly vscode.Uri[]): Promise<void> {
    const folders = [roots.cwd, ...roots.additionalDirectories, ...workspaceFolders()];
    const files = await Promise.all(uris.map(({ scheme, fsPath }) => (scheme === 'file' ? fileAsNamed(fsPath, folders) : undefined)));
    files.forEach((file) => file?.identity && consents.agree(file.identity));
  }

  dispose(): void {
    this.store.dispose();
  }

  private sourcesOf({ files, texts }: Checked): ReturnType<typeof mentionSources> {
    return mentionSources({
      checked: (uri) => files.get(uri),
      texts,
      stateOf: (sessionKey) => this.stateOf(sessionKey),
      filesIn: (uri) => this.files.within(this.rootsAround(uri), uri),
    });
  }

  /**
   * Checks the files of these mentions, for each message. Allowed are files in the session's folders or the workspace's that hold no secrets, and
   * files that the user agrees to. The page, which shows an agent's text, is not trusted. Resolves to undefined when a file is not allowed, after
   * a message.
   */
  private async checked(
    { roots, consents }: MentioningSession,
    mentions: readonly Pick<Mention, 'ref'>[],
    isSent = true,
  ): Promise<Checked | undefined> {
    const named: vscode.Uri[] = [];
    for (const { ref } of mentions) {
      if (ref.kind === 'content' || ref.kind === 'url' || ref.kind === 'session' || ref.uri === undefined) {
        continue;
      }
      const uri = parsed(ref.uri);
      const open = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
      const isOpen = uri && uri.scheme !== 'file' && open.some((document) => document.uri.toString() === uri.toString());
      if (!uri || (uri.scheme !== 'file' && !isOpen)) {
        void window.showWarningMessage(t("Couldn't read {names}. Your message was not sent.", { names: inertLine(ref.uri, 100) }));
        return undefined;
      }
      if (uri.scheme === 'file') {
        named.push(uri);
      }
    }
    const folders = [roots.cwd, ...roots.additionalDirectories, ...workspaceFolders()];
    const isNear = (file: string): boolean => !isForeignShare(file, folders);
    const texts = await sentTexts(mentions, { git: this.git, problems: problemsOf, isNear });
    const told = [...new Set([...texts.values()].flatMap(({ files }) => files))];
    const uris = [...named, ...(isSent ? await protectedAmong(told, roots, isNear) : [])];
    const unique = [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
    const agreed = unique.length === 0 ? [] : await agreedFiles(this.deps.activity, roots, unique, consents);
    if (agreed.length < unique.length) {
      return undefined;
    }
    // Mentions may write the same address in different ways.
    const byUri = new Map(unique.map((uri, at) => [uri.toString(), { ...agreed[at]!, uri }]));
    const files = mentions.flatMap(({ ref }) => {
      const file = 'uri' in ref && ref.uri !== undefined ? byUri.get(parsed(ref.uri)?.toString() ?? '') : undefined;
      return file ? [[(ref as { uri: string }).uri, file] as const] : [];
    });
    return { files: new Map(files), texts };
  }

  /** Replaces the single line of a workspace symbol by all of its lines. */
  private async exact(mention: Mention): Promise<Mention> {
    const { ref } = mention;
    if (ref.kind !== 'symbol' || ref.line === undefined || (ref.endLine ?? ref.line) > ref.line) {
      return mention;
    }
    const { symbolLines } = await import('./symbolRows');
    const lines = await symbolLines(vscode.Uri.parse(ref.uri, true), ref.symbol, ref.line);
    return lines ? { ...mention, ref: { ...ref, ...lines } } : mention;
  }

  private remember(mentions: readonly Mention[]): void {
    const files = mentions.flatMap(({ ref }) =>
      ref.kind === 'file' && ref.uri.startsWith('file:') ? vscode.Uri.parse(ref.uri).fsPath : [],
    );
    this.recent = [...new Set([...files, ...this.recent])].slice(0, MAX_RECENT);
  }

  private rootsAround(uri: vscode.Uri): Roots {
    const inside = ({ roots }: MentioningSession): boolean =>
      [roots.cwd, ...roots.additionalDirectories].some((folder) => !path.relative(folder, uri.fsPath).startsWith('..'));
    return this.deps.sessions().find(inside)?.roots ?? { cwd: uri.fsPath, additionalDirectories: [] };
  }

  private async conversations(sessionKey: string, cwd: string): Promise<KnownConversation[]> {
    const live = this.deps.sessions().map(({ key, roots, agentName, store }) => ({
      sessionKey: key,
      cwd: roots.cwd,
      title: titleOf(store.state),
      agentName,
      at: Date.now(),
    }));
    const { summaries } = await this.deps.journals.list({ folders: [cwd], limit: MAX_CONVERSATIONS });
    const past = summaries
      .filter(({ key }) => !live.some((each) => each.sessionKey === key))
      .map(({ key, title, marks, agentName, changedAt, createdAt }) => ({
        sessionKey: key,
        cwd,
        title: marks.name ?? title,
        agentName,
        at: changedAt ?? createdAt,
      }));
    return [...live, ...past].filter((each) => each.sessionKey !== sessionKey && each.cwd === cwd && each.title !== '');
  }

  private async stateOf(sessionKey: string): Promise<{ title: string; state: SessionState } | undefined> {
    const live = this.deps.sessions().find(({ key }) => key === sessionKey);
    const state = live?.store.state ?? (await reducePortions(this.deps.journals.portions(sessionKey)))?.state;
    return state && { title: titleOf(state), state };
  }
}

/** Mentions the output of a command. */
export function outputMention(output: CommandOutput): Mention {
  const { command } = output;
  const program = /^[\w.-]+(?: [\w.-]+)?/.exec(command)?.[0].replaceAll(' ', '-') ?? 'command';
  const text = commandText(output);
  const lines = text.split('\n').length - 1;
  return textMention(
    visibleLine(verbatim('Terminal: {command}', { command })),
    verbatim('{count} lines from the terminal', { count: lines }),
    `terminal-${program}.txt`,
    text,
  );
}

function titleOf(state: SessionState): string {
  return sessionTitle(state);
}

function parsed(uri: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(uri, true);
  } catch {
    return undefined;
  }
}
