/**
 * Comments of the user on lines of files and plans, for the agent. They gather in one attachment of the session's composer, and are marked in the editor
 * until the agent has answered. They are stored beside the session's journal. VS Code has a thread only while the user writes: a thread with a comment
 * makes VS Code open its Comments view (`comments.openView`). Loaded with the first session.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { commentsIn } from '../../core/model/attachment';
import { knownContent } from '../../core/mentions/mention';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import { canResume, isRunning } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import type { Drafts } from '../../session/journal/drafts';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { DisposableStore } from '../../util/disposable';
import { realPathOf } from '../../util/realPath';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { loadTitles, titleLabel, titleOf } from '../../application/shared/sessionTitle';
import type { SessionPanels } from '../chat/panels';
import { window } from '../shared/window';
import { CommentMarks, marksOf } from './commentMarks';
import { commentWords } from '../../application/comments/commentWords';
import { commentsBlock } from '../../application/comments/commentsBlock';
import { createThreads, type Reply } from './commentThreads';
import { commentsController, planScheme } from '../../application/shared/changeCommandIds';
import { newThread, placeName, quotedLines } from './commentedLines';
import {
  type CommentStatus,
  isAnswered,
  type LineSpan,
  mayChangeStatus,
  moved,
  SessionComments,
} from '../../application/comments/sessionComments';
import { type ReviewedFiles, ReviewRanges } from './reviewRanges';

/** Where comments are stored. */
export interface CommentFiles {
  readComments(key: string): Promise<string | undefined>;
  /** Replaces the stored comments of this key; without `text` deletes them. */
  writeComments(key: string, text: string | undefined): Promise<void>;
  /** True when another window has the session. */
  isTaken(key: string): boolean;
}

export interface LineCommentsDependencies {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly files: CommentFiles;
  readonly drafts: Pick<Drafts, 'get' | 'onDidChange'>;
  readonly sessions: Pick<Sessions, 'all' | 'onChange'>;
  readonly panels: Pick<SessionPanels, 'active' | 'attach' | 'isVisible' | 'onDidChangeActive'>;
  /** The session whose plan a document is. */
  sessionOfPlan(uri: vscode.Uri): Session | undefined;
}

/** A session's comments in the window. */
interface CommentedSession {
  readonly session: Session;
  readonly comments: SessionComments;
  readonly subscription: Disposable;
  /** Ids of the comments in the composer's attachment. */
  inComposer: ReadonlySet<number>;
}

const MAX_TITLE = 60;
/** ms after the last edit until the lines of comments are stored. */
const MOVED_MS = 1000;
/** ms in which a comment that left the composer becomes part of a message. */
const SENT_MS = 2000;
/** ms for which the status bar says that a comment was added. */
const STATUS_MS = 4000;
/** Another window has the session, a newer version has saved it, or the window is in Restricted Mode. */
const ELSEWHERE: ReadonlySet<string> = new Set(['session.live_elsewhere', 'session.newer_version', 'session.restricted_mode']);

export class LineComments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly controller = this.store.add(createThreads(commentsController, t('Comments for Agents')));
  private readonly marks = this.store.add(new CommentMarks());
  private readonly ranges: ReviewRanges;
  private readonly shown = new Map<Session, Promise<CommentedSession>>();
  /** The sessions whose comments are read. */
  private readonly read = new Map<Session, CommentedSession>();
  /** The session's folders and their real paths. */
  private readonly realRoots = new Map<string, string>();
  /** The sessions whose comments have moved since they were stored. */
  private readonly movedSessions = new Set<CommentedSession>();
  private moving: Disposable | undefined;
  private writing: Promise<void> = Promise.resolve();
  private shownFor = '';

  constructor(private readonly deps: LineCommentsDependencies) {
    const { store } = this;
    this.ranges = store.add(new ReviewRanges(this.controller));
    store.add(deps.sessions.onChange(() => this.sessionsChanged()));
    store.add(deps.panels.onDidChangeActive(() => this.nameSession()));
    store.add(vscode.window.onDidChangeActiveTextEditor(() => this.nameSession()));
    store.add(vscode.workspace.onDidChangeTextDocument((event) => this.edited(event)));
    store.add(deps.drafts.onDidChange((key) => this.draftChanged(key)));
    void loadTitles().then(() => this.nameSession());
    this.sessionsChanged();
  }

  /** Offers lines of the files that `reviewed` has, from now on. */
  followReview(reviewed: ReviewedFiles): void {
    this.ranges.follow(reviewed);
  }

  /** The session that a comment on this document goes to: one that works on it, else the session in front, else the newest. */
  sessionFor(uri: vscode.Uri): Session | undefined {
    const { sessions, panels } = this.deps;
    const open = sessions.all.filter((session) => isOurs(session) && takesComments(session.store.state));
    const own = this.sessionOf(uri);
    if (own || uri.scheme === planScheme) {
      return own && isOurs(own) ? own : undefined;
    }
    return open.find((session) => session === panels.active) ?? open.at(-1);
  }

  /**
   * Asks the user for a comment on these lines, which are selected in the active editor: in a thread where VS Code offers the lines, else in an input box.
   * A thread anywhere else would move the text of the file to the right, until the window is closed.
   */
  async write(session: Session, { uri }: vscode.TextDocument, range: vscode.Range): Promise<void> {
    await loadTitles();
    if (this.ranges.has(uri) && vscode.workspace.getConfiguration('comments', uri).get('visible') !== false) {
      this.nameSession();
      await vscode.commands.executeCommand('workbench.action.addComment');
      return;
    }
    const span = { start: range.start.line, end: range.end.line };
    const { prompt: title, placeHolder } = commentWords(titleOf(session.store.state), t);
    const text = await window.showInputBox({
      title,
      prompt: t('{lines}: goes into your next message', { lines: inertLine(placeName(newThread(uri, span)), MAX_TITLE) }),
      placeHolder,
      ignoreFocusOut: true,
    });
    if (text !== undefined && text.trim() !== '') {
      await this.addText(session, uri, range, text);
    }
  }

  /** Adds what the user has written in a thread, and closes the thread. */
  async add({ thread, text }: Reply): Promise<void> {
    const session = this.sessionFor(thread.uri);
    if (session && text.trim() !== '') {
      await this.addText(session, thread.uri, thread.range ?? new vscode.Range(0, 0, 0, 0), text);
      thread.dispose();
    }
  }

  /** Deletes the comments on these lines that are not sent. Returns their number. */
  remove(uri: vscode.Uri, lines: LineSpan): number {
    let count = 0;
    for (const shown of this.read.values()) {
      const here = shown.comments.threads.filter(
        (kept) => kept.uri === uri.toString() && kept.span.start <= lines.end && kept.span.end >= lines.start,
      );
      const ids = here.flatMap(({ comments }) => comments.filter(({ status }) => status === 'waiting').map(({ id }) => id));
      if (ids.length > 0) {
        count += ids.length;
        this.drop(shown, new Set(ids));
        this.attach(shown);
      }
    }
    return count;
  }

  /** All of it is on disk when this resolves. */
  flush(): Promise<void> {
    this.storeMoved();
    return this.writing;
  }

  dispose(): void {
    void this.flush();
    [...this.shown.keys()].forEach((session) => this.hide(session));
    this.store.dispose();
  }

  private async addText(session: Session, uri: vscode.Uri, { start, end }: vscode.Range, text: string): Promise<void> {
    const [shown, lines] = await Promise.all([this.show(session), quotedLines(session, uri, start.line, end.line)]);
    const span = { start: start.line, end: end.line };
    const known = shown.comments.threads.find(
      (kept) => kept.uri === uri.toString() && kept.span.start === span.start && kept.span.end === span.end && !isAnswered(kept),
    );
    shown.comments.add(known ?? newThread(uri, span), text, lines);
    this.mark();
    this.keep(shown);
    this.attach(shown);
    // The chat stays where it is, because it would cover the file whose group it shares.
    if (!this.deps.panels.isVisible(session.key)) {
      const title = titleLabel(titleOf(session.store.state), MAX_TITLE);
      window.setStatusBarMessage(t('Comment added to the next message for {session}', { session: title }), STATUS_MS);
    }
  }

  private drop(shown: CommentedSession, ids: ReadonlySet<number>): void {
    shown.comments.drop(ids);
    this.mark();
    this.keep(shown);
  }

  /** A comment that the user takes out of the composer does not wait any longer, unless it is sent or comes back with its message. */
  private draftChanged(key: string): void {
    const shown = [...this.read.values()].find(({ session }) => session.key === key);
    if (!shown) {
      return;
    }
    const now = idsInDraft(this.deps.drafts, shown);
    const gone = [...shown.inComposer].filter((id) => !now.has(id));
    shown.inComposer = now;
    this.change(shown, now, 'removed', 'waiting');
    if (gone.length > 0) {
      this.deps.clock.after(SENT_MS, () => {
        const removed = gone.filter((id) => !shown.inComposer.has(id));
        void (this.read.get(shown.session) === shown && this.change(shown, new Set(removed), 'waiting', 'removed'));
      });
    }
  }

  private change(shown: CommentedSession, ids: ReadonlySet<number>, from: CommentStatus, to: CommentStatus): void {
    if (shown.comments.change(ids, from, to)) {
      this.mark();
      this.keep(shown);
    }
  }

  private sessionsChanged(): void {
    const ours = this.deps.sessions.all.filter(isOurs);
    [...this.shown.keys()].filter((session) => !ours.includes(session)).forEach((session) => this.hide(session));
    ours.forEach((session) => void this.show(session));
    const open = ours.filter(({ store }) => takesComments(store.state));
    const shownFor = JSON.stringify(open.map(({ roots }) => [roots.cwd, ...roots.additionalDirectories]));
    if (shownFor !== this.shownFor) {
      this.shownFor = shownFor;
      void this.learn(open).then(() => this.ranges.offer(open.length > 0));
    }
    this.nameSession();
  }

  /** A thread that VS Code opens itself is titled "Start discussion": its text box names the session. */
  private nameSession(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const session = uri && this.sessionFor(uri);
    const text = commentWords(session && titleOf(session.store.state), t);
    if (!this.store.disposed && this.controller.options?.prompt !== text.prompt) {
      this.controller.options = text;
    }
  }

  /** The comments of a session, as they were stored. Never rejects. */
  private show(session: Session): Promise<CommentedSession> {
    const known = this.shown.get(session);
    if (known) {
      return known;
    }
    const showing = this.stored(session).then((text) => {
      const comments = SessionComments.from(text, randomUUID().slice(0, 8));
      const subscription = session.store.onEvents((_, events, whole) => (whole || events.some(mayChangeStatus)) && this.update(shown));
      const shown: CommentedSession = { session, comments, subscription, inComposer: new Set() };
      if (this.shown.get(session) !== showing) {
        // The session is gone by now.
        subscription.dispose();
        return shown;
      }
      comments.update(session.store.state);
      shown.inComposer = idsInDraft(this.deps.drafts, shown);
      this.read.set(session, shown);
      this.mark();
      // A window that was closed before the chat was shown has never put them into the composer.
      if (comments.unsent(session.store.state).some((id) => !shown.inComposer.has(id))) {
        this.attach(shown);
      }
      return shown;
    });
    this.shown.set(session, showing);
    return showing;
  }

  private async stored({ key }: Session): Promise<string | undefined> {
    try {
      return await this.deps.files.readComments(key);
    } catch (error) {
      this.deps.log.warn(`The comments of ${key} cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  /** The session is gone, or another window's; its stored comments stay. */
  private hide(session: Session): void {
    void this.shown.get(session)?.then(({ subscription }) => subscription.dispose());
    this.shown.delete(session);
    this.read.delete(session);
    this.mark();
  }

  private async learn(sessions: readonly Session[]): Promise<void> {
    for (const { roots } of sessions) {
      for (const folder of [roots.cwd, ...roots.additionalDirectories]) {
        this.realRoots.set(folder, await realPathOf(folder).catch(() => folder));
      }
    }
  }

  /** The session with this document in its folders: the session in front, else the newest that runs, else the newest that can be resumed. */
  private sessionOf(uri: vscode.Uri): Session | undefined {
    if (uri.scheme === planScheme) {
      return this.deps.sessionOfPlan(uri);
    }
    if (uri.scheme !== 'file') {
      return undefined;
    }
    const { sessions, panels } = this.deps;
    const fits = sessions.all.filter(({ roots, store }) => {
      const folders = [roots.cwd, ...roots.additionalDirectories].flatMap((folder) => [folder, this.realRoots.get(folder) ?? folder]);
      return (
        takesComments(store.state) &&
        folders.some((folder) => uri.fsPath.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep))
      );
    });
    return fits.find((session) => session === panels.active) ?? fits.findLast(({ store }) => isRunning(store.state)) ?? fits.at(-1);
  }

  /** Attaches all comments that wait, in place of the earlier attachment; without any, takes the attachment away. */
  private attach({ session, comments }: CommentedSession): void {
    this.deps.panels.attach(session, [commentsBlock(comments.collection, comments.waiting)]);
  }

  private update(shown: CommentedSession): void {
    if (shown.comments.update(shown.session.store.state).length > 0) {
      this.mark();
      this.keep(shown);
    }
  }

  /** Marks the lines of the comments that the agent has not answered. */
  private mark(): void {
    this.marks.show([...this.read.values()].flatMap(({ session, comments }) => marksOf(titleOf(session.store.state), comments.threads)));
  }

  private keep({ session: { key }, comments }: CommentedSession): void {
    const { files, log } = this.deps;
    this.writing = this.writing
      .then(() => (files.isTaken(key) ? undefined : files.writeComments(key, comments.stored)))
      .catch((error: unknown) => log.warn(`The comments of ${key} cannot be written: ${String(error)}`));
  }

  /** The marks move with the text; the stored lines are moved here. */
  private edited({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const uri = document.uri.toString();
    for (const shown of contentChanges.length > 0 ? this.read.values() : []) {
      for (const kept of shown.comments.threads.filter((each) => each.uri === uri)) {
        // Each change refers to the text before all of them, the last place first.
        const span = contentChanges.reduce((before, { range, text }) => {
          const { start, end } = range;
          return moved(before, { first: start.line, last: end.line, lastCharacter: end.character, text });
        }, kept.span);
        if (span.start !== kept.span.start || span.end !== kept.span.end) {
          kept.span = span;
          this.movedSessions.add(shown);
          this.moving?.dispose();
          this.moving = this.deps.clock.after(MOVED_MS, () => this.storeMoved());
        }
      }
    }
  }

  private storeMoved(): void {
    this.moving?.dispose();
    this.movedSessions.forEach((shown) => this.keep(shown));
    void (this.movedSessions.size > 0 && this.mark());
    this.movedSessions.clear();
  }
}

/** Names the session that gets a comment. */
function idsInDraft(drafts: Pick<Drafts, 'get'>, { session, comments }: CommentedSession): ReadonlySet<number> {
  const draft = drafts.get(session.key);
  const blocks = knownContent([...(draft?.content ?? []), ...(draft?.edit?.content ?? [])]);
  return new Set(
    blocks.flatMap((block) => {
      const held = commentsIn(block);
      return held?.collection === comments.collection ? held.ids : [];
    }),
  );
}

function isOurs({ store, isRecorded }: Session): boolean {
  return !isRecorded && !ELSEWHERE.has(store.state.failure?.code ?? '');
}

/** True also for a session that the user's next message resumes. */
function takesComments(state: SessionState): boolean {
  return isRunning(state) || (state.status === 'disconnected' && canResume(state));
}
