/**
 * Comments of the user on lines of files and plans, for the agent: they gather in one attachment of the session's composer, and are resolved when the
 * agent has answered. Loaded with the first session.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { commentsIn } from '../../core/model/attachment';
import type { SessionEvent } from '../../core/model/event';
import type { Disposable } from '../../core/model/ports';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { DisposableStore } from '../../util/disposable';
import { realPathOf } from '../../util/realPath';
import { visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { loadTitles, titleOf } from '../shared/sessionTitle';
import { isRunning } from '../sessions/overview';
import type { SessionPanels } from '../chat/panels';
import { commentsBlock, type LineComment } from './commentsBlock';
import { createThreads, type Reply, type Thread } from './commentThreads';
import { commentsController, planScheme } from '../changes/changeCommandIds';

export interface LineCommentsDependencies {
  readonly sessions: Pick<Sessions, 'all' | 'onChange'>;
  readonly panels: Pick<SessionPanels, 'active' | 'attach'>;
  /** The session whose plan a document is. */
  sessionOfPlan(uri: vscode.Uri): Session | undefined;
}

interface Entry {
  readonly id: number;
  readonly thread: Thread;
  readonly text: string;
  readonly session: Session;
  /** waiting: in the composer; sent: the agent has it. */
  status: 'waiting' | 'sent';
  turnId?: string;
}

const MAX_TITLE = 60;

export class LineComments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly controller = this.store.add(createThreads(commentsController, t('Comments for Agents')));
  private readonly entries = new Map<number, Entry>();
  private readonly followed = new Map<Session, Disposable>();
  /** Of each session's folders where they really are. */
  private readonly realRoots = new Map<string, string>();
  private readonly threads = new Set<Thread>();
  /** Of this window and start: what an earlier one left in a composer is not ours to change. */
  private readonly collection = randomUUID().slice(0, 8);
  private count = 0;
  private shownFor = '';

  constructor(private readonly ports: LineCommentsDependencies) {
    const { controller, store } = this;
    controller.options = { prompt: t('Comment for the agent'), placeHolder: t('Say what should change here') };
    store.add(ports.sessions.onChange(() => this.sessionsChanged()));
    void loadTitles();
    this.sessionsChanged();
  }

  /** What VS Code hands over when the user has written one. */
  add({ thread, text }: Reply): void {
    const session = this.sessionOf(thread.uri);
    if (!session || text.trim() === '') {
      return;
    }
    const entry: Entry = { id: ++this.count, thread, text, session, status: 'waiting' };
    this.entries.set(entry.id, entry);
    this.threads.add(thread);
    thread.label = visible(titleOf(session.store.state), MAX_TITLE);
    thread.comments = [
      ...thread.comments,
      { author: { name: t('You') }, body: text, mode: vscode.CommentMode.Preview, label: t('Not sent') },
    ];
    thread.state = vscode.CommentThreadState.Unresolved;
    this.follow(session);
    void this.attach(session);
  }

  /** The user takes one thread back. */
  remove(thread: Thread): void {
    const sessions = new Set<Session>();
    for (const entry of this.entries.values()) {
      if (entry.thread === thread) {
        this.entries.delete(entry.id);
        void (entry.status === 'waiting' && sessions.add(entry.session));
      }
    }
    this.threads.delete(thread);
    thread.dispose();
    sessions.forEach((session) => void this.attach(session));
  }

  dispose(): void {
    this.followed.forEach((subscription) => subscription.dispose());
    this.threads.forEach((thread) => thread.dispose());
    this.store.dispose();
  }

  private sessionsChanged(): void {
    const { all } = this.ports.sessions;
    for (const [session, subscription] of this.followed) {
      if (!all.includes(session)) {
        subscription.dispose();
        this.followed.delete(session);
        [...this.entries.values()].filter((entry) => entry.session === session).forEach(({ thread }) => this.remove(thread));
      }
    }
    const running = all.filter(({ store }) => isRunning(store.state));
    const shownFor = JSON.stringify(running.map(({ roots }) => [roots.cwd, ...roots.additionalDirectories]));
    if (shownFor !== this.shownFor) {
      this.shownFor = shownFor;
      void this.learn(running).then(() => this.offer(running.length > 0));
    }
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

  /** The one in front, else the newest that works there. */
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
        isRunning(store.state) && folders.some((folder) => uri.fsPath.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep))
      );
    });
    return fits.find((session) => session === panels.active) ?? fits.at(-1);
  }

  /** All that wait, in the place of those that were there before; none takes the attachment away. */
  private async attach(session: Session): Promise<void> {
    const waiting = [...this.entries.values()].filter((entry) => entry.session === session && entry.status === 'waiting');
    const comments = await Promise.all(waiting.map((entry) => lineComment(entry)));
    this.ports.panels.attach(session, [commentsBlock(this.collection, comments)]);
  }

  private follow(session: Session): void {
    if (!this.followed.has(session)) {
      this.followed.set(
        session,
        session.store.onEvents((_, events, whole) => whole || events.forEach((event) => this.hear(session, event))),
      );
    }
  }

  private hear(session: Session, event: SessionEvent): void {
    if (event.type === 'message_queued' || (event.type === 'message' && event.role === 'user')) {
      const comments = (event.content ?? []).flatMap((block) => commentsIn(block) ?? []);
      for (const id of comments.flatMap(({ collection, ids }) => (collection === this.collection ? ids : []))) {
        const entry = this.entries.get(id);
        if (entry?.session === session) {
          entry.status = 'sent';
          if (event.type === 'message') {
            entry.turnId = event.messageId;
          }
          this.label(entry.thread);
        }
      }
    } else if (event.type === 'turn_ended') {
      this.ended(event.turnId, event.stopReason === 'end_turn' || event.stopReason === 'max_tokens');
    }
  }

  private ended(turnId: string, isAnswered: boolean): void {
    const ended = [...this.entries.values()].filter((entry) => entry.turnId === turnId);
    for (const entry of ended) {
      if (isAnswered) {
        this.entries.delete(entry.id);
      } else {
        // It goes along with the next comment, or with what the user sends again.
        entry.status = 'waiting';
        delete entry.turnId;
      }
    }
    new Set(ended.map(({ thread }) => thread)).forEach((thread) => this.label(thread));
  }

  /** Says of each comment of a thread where it is; one in which nothing waits any more is resolved. */
  private label(thread: Thread): void {
    const open = [...this.entries.values()].filter((entry) => entry.thread === thread);
    const answered = thread.comments.length - open.length;
    thread.comments = thread.comments.map(({ label: _, ...comment }, index) => {
      const entry = open[index - answered];
      return entry ? { ...comment, label: entry.status === 'sent' ? t('Sent') : t('Not sent') } : comment;
    });
    if (open.length === 0) {
      thread.state = vscode.CommentThreadState.Resolved;
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    }
  }
}

async function lineComment({ id, thread, text }: Entry): Promise<LineComment> {
  const { start, end } = thread.range ?? new vscode.Range(0, 0, 0, 0);
  const document = await vscode.workspace.openTextDocument(thread.uri);
  const last = document.lineAt(Math.min(end.line, document.lineCount - 1));
  const lines = document.getText(new vscode.Range(Math.min(start.line, last.lineNumber), 0, last.lineNumber, last.text.length));
  const place = thread.uri.scheme === 'file' ? thread.uri.fsPath : path.posix.basename(thread.uri.path);
  return { id, place, first: start.line + 1, end: end.line + 1, lines, text };
}
