/** Mentions of the window's sessions: what could be meant, what goes for it, and what it looks like. Loaded with the first session. */
import * as vscode from 'vscode';
import path from 'node:path';
import { mentionContent, type MentionSources } from '../../context/mentionContent';
import { commandText } from '../../context/commandText';
import { type DraftBlock, isMention, type Mention } from '../../core/mentions/mention';
import type { ContentBlock, PromptCapabilities } from '../../core/model/content';
import type { Disposable, Roots } from '../../core/model/ports';
import type { SessionState } from '../../core/model/state';
import { MAX_MENTION_ROWS, type ToView } from '../../core/protocol/view';
import { foldPortions } from '../../session/journal/journalReader';
import type { KeptSessions } from '../../session/journal/keptSessions';
import { sessionTitle } from '../../text/transcript/sessionTitle';
import { DisposableStore } from '../../util/disposable';
import { readingGit, type RunGit } from '../../changes/disk/git';
import { findGitProgram, windowGit } from '../worktrees/gitProgram';
import { agreedFiles, isWhereItSays } from '../editor/attachFiles';
import type { OpenHandlers } from '../editor/openHandlers';
import { type InertText, joined, visible, visibleLine } from '../shared/escape';
import { workspaceFolders } from '../sessions/workspaceFolders';
import { t, verbatim } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { commands } from '../shared/ids';
import { offerForProblems, window } from '../shared/window';
import { type CommandOutput, CommandOutputs } from './commandOutputs';
import { type KnownConversation, MentionFinder } from './mentionFinder';
import { textMention } from './mentionOf';
import { mentionSources } from './mentionSources';
import { secretsTold } from './secrets';
import { SessionFiles } from './sessionFiles';

const MAX_RECENT = 20;
/** Conversations that can be found. */
const MAX_CONVERSATIONS = 100;

/** A session, as far as its mentions are concerned. */
export interface MentioningSession {
  readonly key: string;
  readonly roots: Roots;
  readonly agentName: string;
  readonly store: { readonly state: SessionState };
}

export interface MentionsDependencies {
  readonly activity: UserActivity;
  readonly journals: Pick<KeptSessions, 'list'> & { portions(key: string): AsyncIterable<readonly string[]> };
  sessions(): readonly MentioningSession[];
  openHandlers(): Promise<OpenHandlers>;
  /** The editor that was in front last. */
  editor(): vscode.TextEditor | undefined;
}

/** What is sent for a message with mentions; `undefined`: the user did not agree, or something cannot be read, and has heard of it. */
type Resolved = readonly ContentBlock[] | undefined;

export class Mentions implements Disposable {
  readonly outputs: CommandOutputs;
  private readonly store = new DisposableStore();
  private readonly files: SessionFiles;
  private readonly finder: MentionFinder;
  private readonly sources: MentionSources;
  private readonly git: () => Promise<RunGit | undefined>;
  /** The newest question of each session's page. */
  private readonly asked = new Map<string, number>();
  /** Absolute paths, the newest first. */
  private recent: string[] = [];
  /** URIs that the user agreed to: outside of the folders, or maybe with secrets. By session. */
  private readonly agreed = new Map<string, Set<string>>();

  constructor(private readonly ports: MentionsDependencies) {
    this.outputs = this.store.add(new CommandOutputs());
    this.files = this.store.add(new SessionFiles());
    this.store.add(offerForProblems(t('Add Problem to ACP Session'), commands.addProblem));
    let git: Promise<RunGit | undefined> | undefined;
    this.git = () => (git ??= findGitProgram().then((program) => (program === undefined ? undefined : readingGit(windowGit()))));
    this.finder = new MentionFinder({
      files: this.files,
      outputs: this.outputs,
      editor: ports.editor,
      git: this.git,
      conversations: (sessionKey, cwd) => this.conversations(sessionKey, cwd),
      recent: () => this.recent,
    });
    this.sources = mentionSources({
      git: this.git,
      stateOf: (sessionKey) => this.stateOf(sessionKey),
      filesIn: (uri) => this.files.within(this.rootsAround(uri), uri),
    });
  }

  /** What could be meant by `text`. A later question ends this one. */
  find({ key, roots }: MentioningSession, queryId: number, text: string, post: (message: ToView) => void): void {
    this.asked.set(key, queryId);
    void this.finder.find({
      sessionKey: key,
      roots,
      text,
      isOver: () => this.asked.get(key) !== queryId,
      send: (rows, done) => post({ type: 'mention_rows', queryId, rows: rows.slice(0, MAX_MENTION_ROWS), done }),
    });
  }

  /** What a row stands for that the host alone knows. */
  picked(pick: string): Mention | undefined {
    const output = this.outputs.get(pick);
    return output && outputMention(output);
  }

  /** What goes for the mentions in a message, as it is now. Never rejects. */
  async resolve(session: MentioningSession, content: readonly DraftBlock[]): Promise<Resolved> {
    const mentions = content.filter(isMention);
    const allowed = await this.allowedFiles(session, mentions);
    if (!allowed) {
      return undefined;
    }
    const { promptCapabilities, status } = session.store.state;
    // What waits until the agent is there is fitted to the agent then.
    const capabilities: PromptCapabilities = status === 'ready' ? promptCapabilities : { image: true, audio: true, embeddedContext: true };
    const unread: InertText[] = [];
    const blocks = await Promise.all(
      content.map(async (block) => {
        if (!isMention(block)) {
          return block;
        }
        try {
          return await mentionContent(await this.exact(block), capabilities, this.sources);
        } catch {
          unread.push(visible(block.name, 100));
          return undefined;
        }
      }),
    );
    if (unread.length > 0) {
      void window.showWarningMessage(t("Couldn't read {names}. Your message was not sent.", { names: joined(unread, ', ') }));
      return undefined;
    }
    this.remember(mentions);
    return blocks.filter((block) => block !== undefined);
  }

  /** Shows what a mention stands for. Never rejects. */
  async open(session: MentioningSession, { ref, name }: Mention): Promise<void> {
    const handlers = await this.ports.openHandlers();
    switch (ref.kind) {
      case 'file':
      case 'symbol':
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
          // What only the user sees holds no secrets from them.
          if ((await this.allowedFiles(session, [{ ref }], false)) !== undefined) {
            await handlers.openText(await mentionContent({ ref, name }, all, this.sources));
          }
        } catch {
          void window.showWarningMessage(t("Couldn't read {names}.", { names: visible(name, 100) }));
        }
    }
  }

  /** The place of a file in the session's folders, else in the workspace's, else by its whole path. */
  placeOf({ roots }: Pick<MentioningSession, 'roots'>, uri: vscode.Uri, isFolder = false): { readonly uri: string; readonly path: string } {
    const place = this.files.placeOf(roots, uri, isFolder);
    const elsewhere = vscode.workspace.getWorkspaceFolder(uri) ? vscode.workspace.asRelativePath(uri, true) : uri.fsPath;
    return place ?? { uri: uri.toString(), path: elsewhere.replaceAll('\\', '/') + (isFolder ? '/' : '') };
  }

  /** The user has chosen these for the session: nobody asks whether they may go, unless they lead somewhere else than they say. */
  async agree({ key, roots }: MentioningSession, uris: readonly vscode.Uri[]): Promise<void> {
    const agreed = this.agreedOf(key);
    const folders = [roots.cwd, ...roots.additionalDirectories, ...workspaceFolders()];
    await Promise.all(uris.map(async (uri) => (await isWhereItSays(uri.fsPath, folders)) && agreed.add(uri.toString())));
  }

  dispose(): void {
    this.store.dispose();
  }

  private agreedOf(sessionKey: string): Set<string> {
    const agreed = this.agreed.get(sessionKey) ?? new Set();
    this.agreed.set(sessionKey, agreed);
    return agreed;
  }

  /**
   * Whether everything that these mention may be read: what lies in the session's folders or the workspace's and holds no secrets, or what the user agrees
   * to. The page, which shows an agent's text, is not believed.
   */
  private async allowedFiles(
    { key, roots }: MentioningSession,
    mentions: readonly Pick<Mention, 'ref'>[],
    isSent = true,
  ): Promise<true | undefined> {
    const agreed = this.agreedOf(key);
    const uris: vscode.Uri[] = [];
    for (const { ref } of mentions) {
      if (ref.kind === 'content' || ref.kind === 'url' || ref.kind === 'session' || ref.uri === undefined || agreed.has(ref.uri)) {
        continue;
      }
      const uri = parsed(ref.uri);
      const isOpen =
        uri && uri.scheme !== 'file' && vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
      if (!uri || (uri.scheme !== 'file' && !isOpen)) {
        void window.showWarningMessage(t("Couldn't read {names}. Your message was not sent.", { names: visible(ref.uri, 100) }));
        return undefined;
      }
      if (uri.scheme === 'file') {
        uris.push(uri);
      }
    }
    const told = isSent ? await secretsTold(mentions, roots, this.git) : [];
    uris.push(...told.filter((uri) => !agreed.has(uri.toString())));
    const unique = [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
    const allowed = unique.length === 0 ? unique : await agreedFiles(this.ports.activity, roots, unique);
    if (allowed.length < unique.length) {
      return undefined;
    }
    unique.forEach((uri) => agreed.add(uri.toString()));
    return true;
  }

  /** Of a symbol that was found in the workspace all lines. */
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
    return this.ports.sessions().find(inside)?.roots ?? { cwd: uri.fsPath, additionalDirectories: [] };
  }

  private async conversations(sessionKey: string, cwd: string): Promise<KnownConversation[]> {
    const live = this.ports.sessions().map(({ key, roots, agentName, store }) => ({
      sessionKey: key,
      cwd: roots.cwd,
      title: titleOf(store.state),
      agentName,
      at: Date.now(),
    }));
    const { summaries } = await this.ports.journals.list({ folders: [cwd], limit: MAX_CONVERSATIONS });
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
    const live = this.ports.sessions().find(({ key }) => key === sessionKey);
    const state = live?.store.state ?? (await foldPortions(this.ports.journals.portions(sessionKey)))?.state;
    return state && { title: titleOf(state), state };
  }
}

/** The output of a command as a mention. */
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
