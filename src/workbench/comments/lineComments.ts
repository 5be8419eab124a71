/**
 * Comments of the user on lines of files and plans, for the agent: they gather in one attachment of the session's composer, and are resolved when the
 * agent has answered. They are kept beside the session's journal. Loaded with the first session.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionEvent } from '../../core/model/event';
import type { Clock, Disposable, Log } from '../../core/model/ports';
import { canResume } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { DisposableStore } from '../../util/disposable';
import { realPathOf } from '../../util/realPath';
import { readProtectedPaths } from '../agents/agentSettings';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { loadTitles, titleOf } from '../shared/sessionTitle';
import { isRunning } from '../sessions/overview';
import type { SessionPanels } from '../chat/panels';
import { commentsBlock } from './commentsBlock';
import { createThreads, type Reply, type Thread, type UserComment } from './commentThreads';
import { commentsController, planScheme } from '../changes/changeCommandIds';
import { isAnswered, type KeptComment, type KeptThread, type LineSpan, moved, SessionComments } from './sessionComments';

/** Where comments are kept. */
export interface CommentFiles {
  readComments(key: string): Promise<string | undefined>;
  /** Replaces what is kept for this key; without `text` nothing is kept any more. */
  writeComments(key: string, text: string | undefined): Promise<void>;
  /** Another window has the session by now. */
  isTaken(key: string): boolean;
}

export interface LineCommentsDependencies {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly files: CommentFiles;
  readonly sessions: Pick<Sessions, 'all' | 'onChange'>;
  readonly panels: Pick<SessionPanels, 'active' | 'attach'>;
  /** The session whose plan a document is. */
  sessionOfPlan(uri: vscode.Uri): Session | undefined;
}

/** A session's comments with their threads in the window. */
interface Shown {
  readonly session: Session;
  readonly comments: SessionComments;
  readonly threads: Map<KeptThread, Thread>;
  readonly subscription: Disposable;
}

const MAX_TITLE = 60;
/** ms after the last edit until VS Code is told where the lines of a thread are now. */
const MOVED_MS = 1000;
/** Another window has the session, a newer version has saved it, or the window is in Restricted Mode. */
const ELSEWHERE: ReadonlySet<string> = new Set(['session.live_elsewhere', 'session.newer_version', 'session.restricted_mode']);

export class LineComments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly controller = this.store.add(createThreads(commentsController, t('Comments for Agents')));
  private readonly shown = new Map<Session, Promise<Shown>>();
  private readonly owners = new Map<Thread, { readonly shown: Shown; readonly kept: KeptThread }>();
  /** Of each session's folders where they really are. */
  private readonly realRoots = new Map<string, string>();
  /** Threads whose lines have moved since VS Code was told. */
  private readonly movedThreads = new Set<Thread>();
  private moving: Disposable | undefined;
  private writing: Promise<void> = Promise.resolve();
  private shownFor = '';

  constructor(private readonly ports: LineCommentsDependencies) {
    const { controller, store } = this;
    controller.options = { prompt: t('Comment for the agent'), placeHolder: t('Say what should change here') };
    store.add(ports.sessions.onChange(() => this.sessionsChanged()));
    store.add(vscode.workspace.onDidChangeTextDocument((event) => this.edited(event)));
    void loadTitles();
    this.sessionsChanged();
  }

  /** What VS Code hands over when the user has written one. */
  async add({ thread, text }: Reply): Promise<void> {
    const session = this.owners.get(thread)?.shown.session ?? this.sessionOf(thread.uri);
    if (!session || !isOurs(session) || text.trim() === '') {
      return;
    }
    const { start, end } = thread.range ?? new vscode.Range(0, 0, 0, 0);
    const [shown, lines] = await Promise.all([this.show(session), quotedLines(session, thread.uri, start.line, end.line)]);
    const kept = this.owners.get(thread)?.kept ?? newThread(thread.uri, { start: start.line, end: end.line });
    shown.comments.add(kept, text, lines);
    this.own(shown, kept, thread);
    this.draw(shown, kept);
    this.keep(shown);
    this.attach(shown);
  }

  /** The user takes one thread back. */
  remove(thread: Thread): void {
    const owner = this.owners.get(thread);
    thread.dispose();
    if (owner) {
      const { shown, kept } = owner;
      const waited = kept.comments.some(({ status }) => status === 'waiting');
      this.owners.delete(thread);
      shown.threads.delete(kept);
      shown.comments.remove(kept);
      this.keep(shown);
      void (waited && this.attach(shown));
    }
  }

  /** All of it is on disk when this resolves. */
  flush(): Promise<void> {
    this.tellMoved();
    return this.writing;
  }

  dispose(): void {
    void this.flush();
    [...this.shown.keys()].forEach((session) => this.hide(session));
    this.store.dispose();
  }

  private sessionsChanged(): void {
    const ours = this.ports.sessions.all.filter(isOurs);
    [...this.shown.keys()].filter((session) => !ours.includes(session)).forEach((session) => this.hide(session));
    ours.forEach((session) => void this.show(session));
    const open = ours.filter(({ store }) => takesComments(store.state));
    const shownFor = JSON.stringify(open.map(({ roots }) => [roots.cwd, ...roots.additionalDirectories]));
    if (shownFor !== this.shownFor) {
      this.shownFor = shownFor;
      void this.learn(open).then(() => this.offer(open.length > 0));
    }
  }

  /** The threads of a session, as they were kept. Never rejects. */
  private show(session: Session): Promise<Shown> {
    const known = this.shown.get(session);
    if (known) {
      return known;
    }
    const showing = this.read(session).then((text) => {
      const comments = SessionComments.from(text, randomUUID().slice(0, 8));
      const subscription = session.store.onEvents((_, events, whole) => (whole || events.some(isTelling)) && this.update(shown));
      const shown: Shown = { session, comments, threads: new Map(), subscription };
      if (this.shown.get(session) !== showing) {
        // It is gone by now.
        subscription.dispose();
        return shown;
      }
      comments.update(session.store.state);
      for (const kept of comments.threads) {
        const range = new vscode.Range(kept.span.start, 0, kept.span.end, 0);
        const thread = this.controller.createCommentThread(vscode.Uri.parse(kept.uri), range, []);
        thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
        this.own(shown, kept, thread);
        this.draw(shown, kept);
      }
      return shown;
    });
    this.shown.set(session, showing);
    return showing;
  }

  private async read({ key }: Session): Promise<string | undefined> {
    try {
      return await this.ports.files.readComments(key);
    } catch (error) {
      this.ports.log.warn(`The comments of ${key} cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  /** The session is gone, or somebody else's; what is kept of it stays. */
  private hide(session: Session): void {
    void this.shown.get(session)?.then(({ threads, subscription }) => {
      subscription.dispose();
      threads.forEach((thread) => {
        this.owners.delete(thread);
        thread.dispose();
      });
    });
    this.shown.delete(session);
  }

  private own(shown: Shown, kept: KeptThread, thread: Thread): void {
    shown.threads.set(kept, thread);
    this.owners.set(thread, { shown, kept });
  }

  /** VS Code asks again for the lines that can be commented when the provider is another one. */
  private offer(isOffered: boolean): void {
    if (this.store.disposed) {
      return;
    }
    this.controller.commentingRangeProvider = isOffered
      ? {
          provideCommentingRanges: (document) =>
            this.sessionOf(document.uri) ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [],
        }
      : undefined;
  }

  private async learn(sessions: readonly Session[]): Promise<void> {
    for (const { roots } of sessions) {
      for (const folder of [roots.cwd, ...roots.additionalDirectories]) {
        this.realRoots.set(folder, await realPathOf(folder).catch(() => folder));
      }
    }
  }

  /** The one in front, else the newest that works there, else the newest that can be resumed. */
  private sessionOf(uri: vscode.Uri): Session | undefined {
    if (uri.scheme === planScheme) {
      return this.ports.sessionOfPlan(uri);
    }
    if (uri.scheme !== 'file') {
      return undefined;
    }
    const { sessions, panels } = this.ports;
    const fits = sessions.all.filter(({ roots, store }) => {
      const folders = [roots.cwd, ...roots.additionalDirectories].flatMap((folder) => [folder, this.realRoots.get(folder) ?? folder]);
      return (
        takesComments(store.state) &&
        folders.some((folder) => uri.fsPath.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep))
      );
    });
    return fits.find((session) => session === panels.active) ?? fits.findLast(({ store }) => isRunning(store.state)) ?? fits.at(-1);
  }

  /** All that wait, in the place of those that were there before; none takes the attachment away. */
  private attach({ session, comments }: Shown): void {
    this.ports.panels.attach(session, [commentsBlock(comments.collection, comments.waiting)]);
  }

  private update(shown: Shown): void {
    const changed = shown.comments.update(shown.session.store.state);
    changed.forEach((kept) => this.draw(shown, kept));
    if (changed.length > 0) {
      this.keep(shown);
    }
  }

  /** Says of each comment of a thread where it is; one in which nothing waits any more is resolved. */
  private draw({ session, threads }: Shown, kept: KeptThread): void {
    const thread = threads.get(kept);
    if (!thread) {
      return;
    }
    const answered = isAnswered(kept);
    thread.label = visible(titleOf(session.store.state), MAX_TITLE);
    thread.comments = kept.comments.map(commentOf);
    thread.state = answered ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
    if (answered) {
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    }
  }

  private keep({ session: { key }, comments }: Shown): void {
    const { files, log } = this.ports;
    this.writing = this.writing
      .then(() => (files.isTaken(key) ? undefined : files.writeComments(key, comments.stored)))
      .catch((error: unknown) => log.warn(`The comments of ${key} cannot be written: ${String(error)}`));
  }

  /** VS Code moves what it shows of a thread, and tells nobody: we look after the lines that it is of. */
  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (this.owners.size === 0 || contentChanges.length === 0) {
      return;
    }
    const uri = document.uri.toString();
    for (const [thread, { kept }] of this.owners) {
      // Each refers to the text before all of them, the last place first.
      const span = contentChanges.reduce((before, { range, text }) => {
        const { start, end } = range;
        return moved(before, { first: start.line, last: end.line, lastCharacter: end.character, text });
      }, kept.span);
      if (kept.uri === uri && (span.start !== kept.span.start || span.end !== kept.span.end)) {
        kept.span = span;
        this.movedThreads.add(thread);
        this.moving?.dispose();
        this.moving = this.ports.clock.after(MOVED_MS, () => this.tellMoved());
      }
    }
  }

  private tellMoved(): void {
    this.moving?.dispose();
    const sessions = new Set<Shown>();
    for (const thread of this.movedThreads) {
      const owner = this.owners.get(thread);
      if (owner) {
        thread.range = new vscode.Range(owner.kept.span.start, 0, owner.kept.span.end, 0);
        sessions.add(owner.shown);
      }
    }
    this.movedThreads.clear();
    sessions.forEach((shown) => this.keep(shown));
  }
}

function isOurs({ store, isRecorded }: Session): boolean {
  return !isRecorded && !ELSEWHERE.has(store.state.failure?.code ?? '');
}

/** Also one that the user's next message brings back. */
function takesComments(state: SessionState): boolean {
  return isRunning(state) || (state.status === 'disconnected' && canResume(state));
}

/** Something that may say what became of a comment. */
function isTelling(event: SessionEvent): boolean {
  return TELLING.has(event.type) && (event.type !== 'message' || event.role === 'user');
}

const TELLING: ReadonlySet<string> = new Set([
  'message',
  'turn_ended',
  'disconnected',
  'session_ended',
  'message_queued',
  'queued_message_edited',
  'queued_message_removed',
]);

function commentOf({ text, status }: KeptComment): UserComment {
  const label = status === 'answered' ? undefined : status === 'sent' ? t('Sent') : t('Not sent');
  return { author: { name: t('You') }, body: text, mode: vscode.CommentMode.Preview, ...(label !== undefined && { label }) };
}

function newThread(uri: vscode.Uri, span: LineSpan): KeptThread {
  return { uri: uri.toString(), place: uri.scheme === 'file' ? uri.fsPath : path.posix.basename(uri.path), span, comments: [] };
}

/** Undefined where the text of the file must not be sent to the session's agent. */
async function quotedLines({ roots, consents }: Session, uri: vscode.Uri, first: number, end: number): Promise<string | undefined> {
  if (uri.scheme === 'file') {
    const { maySendText } = await import('../../session/questions/readAccess');
    if (!(await maySendText(uri.fsPath, { roots, consents, setting: readProtectedPaths }))) {
      return undefined;
    }
  }
  return linesOf(uri, first, end);
}

async function linesOf(uri: vscode.Uri, first: number, end: number): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  const last = document.lineAt(Math.min(end, document.lineCount - 1));
  return document.getText(new vscode.Range(Math.min(first, last.lineNumber), 0, last.lineNumber, last.text.length));
}
