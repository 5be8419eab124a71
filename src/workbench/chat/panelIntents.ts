/** Handles a view's messages that neither its feed nor its page answers: passes them to the session or to services of the window. */
import * as vscode from 'vscode';
import { type DraftBlock, isMention } from '../../core/mentions/mention';
import type { ContentBlock } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import { GUARD_MS } from '../../core/model/guard';
import type { Clock, Roots } from '../../core/model/ports';
import { entryIdOf, isAbsent } from '../../core/model/state';
import { recordedIntent, restrictedIntent } from '../../core/protocol/recordedIntents';
import type { ChatLocation, FromView, LiveMention, StartPage, ViewAction } from '../../core/protocol/view';
import type { Drafts } from '../../session/journal/drafts';
import type { Session } from '../../session/session';
import type { ChangeIntent } from '../changes/changeIntent';
import type { CodeBlocks } from '../editor/codeBlocks';
import type { AgentPreferencesStore } from './agentPreferences';
import { returnPrompt } from './returnPrompt';
import type { Mailbox } from './mailbox';
import type { Mentions } from '../mentions/mentions';
import type { OpenHandlers } from '../editor/openHandlers';
import { isRestricted } from '../sessions/trust/restrictedMode';
import { showFailure } from '../shared/showFailure';

export interface PanelIntentDependencies {
  readonly clock: Clock;
  /** Opens the targets of links in an agent's text. */
  openHandlers(): Promise<OpenHandlers>;
  readonly drafts: Drafts;
  readonly code: CodeBlocks;
  readonly preferences: AgentPreferencesStore;
  /** Asks the user for files. */
  attachFiles(session: Session): void;
  /** Attaches dropped files. Only the page knows their addresses. */
  attachDropped(session: Session, uris: readonly string[]): void;
  /** Finds what can be mentioned in a message, and its content. */
  mentions(): Promise<Mentions>;
  /** No longer sends the active editor's context with messages. */
  stopContext(context: LiveMention['context']): void;
  /** Shows the command's terminal in the window's terminal panel. */
  showTerminal(session: Session, terminalId: string): Promise<void>;
  /** Asks the user for a folder, and for trust in it if necessary. Resolves to undefined when the user cancels. */
  chooseFolder(): Promise<Roots | undefined>;
  /** Returns the start page of an empty conversation. */
  startPage(session: Session): Promise<StartPage>;
  /** Handles messages about changes of files. Resolves to false when the file's changes are not recorded. */
  changes(session: Session, intent: ChangeIntent): Promise<boolean>;
  /** Opens a session by its key, or reports that it no longer exists. */
  openSession(sessionKey: string): void;
  /** Sets the location where sessions open, and moves this session there. */
  chooseChatLocation(location: ChatLocation, session?: Session): void;
  /** Sends an edited earlier message in a new session, together with the conversation before it. Resolves to the failure when that does not work. */
  resend(session: Session, entryId: string, content: readonly ContentBlock[]): Promise<Failure | undefined>;
  /** Runs a button of the view that does not belong to the session, such as log, settings or a new session. */
  act(action: ViewAction, session?: Session): void;
}

export class PanelIntents {
  /** The messages whose mentions are being read. */
  private sending: Promise<void> | undefined;

  constructor(
    private readonly session: Session,
    private readonly mailbox: Mailbox,
    private readonly ports: PanelIntentDependencies,
  ) {}

  act(requested: FromView): void {
    const { session, ports } = this;
    const isLimited = isRestricted();
    const intent = isLimited ? restrictedIntent(requested) : session.isRecorded ? recordedIntent(requested) : requested;
    switch (intent?.type) {
      case 'prompt':
        return this.prompt(intent);
      case 'resend':
        return this.read(
          intent.content,
          (content) => void ports.resend(session, intent.entryId, content).then((failure) => failure && this.refuse(content, failure)),
        );
      case 'retry_prompt':
        return this.warn(session.retryPrompt(intent.turnId));
      case 'draft':
        return ports.drafts.set(session.key, intent);
      case 'cancel':
        return session.cancel();
      case 'confirm_cancel':
        return void import('../permission/confirmStop').then(({ confirmStop }) => confirmStop(session));
      case 'edit_queued':
        return this.warn(session.queue.edit(intent.queueId));
      case 'save_queued':
        return this.warn(session.queue.save(intent.queueId, intent.text, intent.kept));
      case 'cancel_queued_edit':
        return session.queue.cancelEdit(intent.queueId);
      case 'move_queued':
        return this.warn(session.queue.move(intent.queueId, intent.index));
      case 'remove_queued':
        return this.warn(session.queue.remove(intent.queueId));
      case 'send_queued':
        return this.warn(session.queue.sendNow(intent.queueId, intent.now));
      case 'resume_queue':
        return session.resumeQueue();
      case 'attach_files':
        return ports.attachFiles(session);
      case 'find_mentions':
        return void ports.mentions().then((all) => all.find(session, intent.queryId, intent.text, (message) => this.mailbox.post(message)));
      case 'pick_mention':
        return void ports.mentions().then((all) => {
          const mention = all.picked(intent.pick);
          return mention && this.mailbox.post({ type: 'attach', blocks: [mention] });
        });
      case 'open_mention':
        return void ports.mentions().then((all) => all.open(session, intent.mention));
      case 'stop_context':
        return ports.stopContext(intent.context);
      case 'attach_uris':
        return ports.attachDropped(session, intent.uris);
      case 'answer_permission':
        return this.answerPermission(intent);
      case 'answer_elicitation':
        return void this.answerElicitation(intent);
      case 'open_elicitation':
        return void this.openPageOf(intent.requestKey);
      case 'sign_in':
        return session.signIn(intent.methodId);
      case 'set_config':
        ports.preferences.chose(session.agentId, intent.configId, intent.value);
        return session.setConfig(intent.configId, intent.value);
      case 'mark_favorite':
        return ports.preferences.mark(session.agentId, intent.configId, intent.value, intent.isFavorite);
      case 'stop_terminal':
        return session.stopTerminal(intent.terminalId);
      case 'show_terminal':
        return void ports.showTerminal(session, intent.terminalId);
      case 'copy':
        return void vscode.env.clipboard.writeText(intent.text);
      case 'insert_code':
        return void ports.code.act(intent, session.roots);
      case 'apply_code':
      case 'run_code':
        return void this.useCode(intent);
      case 'files':
        return void this.findFiles(intent.texts);
      case 'open_location':
        return this.open((openHandlers) => openHandlers.openPlace(session.roots, intent));
      case 'open_link':
        return this.open((openHandlers) => openHandlers.openLink(session.roots, intent.href));
      case 'open_diff':
        return this.open((openHandlers) =>
          openHandlers.openDiff(session.store.state, session.roots, intent.entryId, intent.content, intent.change),
        );
      case 'open_turn_file':
        return void this.openTurnFile(intent);
      case 'change_report':
      case 'review_changes':
      case 'restore_checkpoint':
        return void ports.changes(session, intent);
      case 'open_content':
        return this.open((openHandlers) => openHandlers.openContent(session.store.state, intent.entryId, intent.content));
      case 'start_page':
        return void ports.startPage(session).then((start) => this.mailbox.post({ type: 'start_page', ...start }));
      case 'open_session':
        return ports.openSession(intent.sessionKey);
      case 'set_chat_location':
        return ports.chooseChatLocation(intent.location, session);
      case 'action':
        // A read-only session handles no actions itself.
        return void ((!isLimited && session.act(intent.action)) || ports.act(intent.action, session));
    }
  }

  /** Applies or runs code. For a replayed log the user chooses the folder. */
  private async useCode(intent: Extract<FromView, { type: 'apply_code' | 'run_code' }>): Promise<void> {
    const { session, ports } = this;
    const roots = session.isRecorded ? await ports.chooseFolder() : session.roots;
    if (roots) {
      await ports.code.act(intent, roots);
    }
  }

  private async findFiles(texts: readonly string[]): Promise<void> {
    const { session, mailbox } = this;
    if (session.isRecorded) {
      // A log refers to another machine's files, so no file is looked up.
      return mailbox.post({ type: 'files', files: texts.map((text) => ({ text, is: 'nothing' })) });
    }
    const { fileReferences } = await import('../editor/fileReferences');
    mailbox.post({ type: 'files', files: await fileReferences(session.roots, session.store.state, texts) });
  }

  /** Opens the recorded change of a turn, or else the file that the agent reported. */
  private async openTurnFile(intent: Extract<FromView, { type: 'open_turn_file' }>): Promise<void> {
    const { session, ports } = this;
    if (session.isRecorded || !(await ports.changes(session, intent))) {
      this.open((openHandlers) => openHandlers.openTurnFile(session.store.state, session.roots, intent.entryId, intent.file));
    }
  }

  private open(what: (openHandlers: OpenHandlers) => Promise<void>): void {
    void this.ports.openHandlers().then(what);
  }

  /** The page guards its own buttons. An answer that arrives before a user could have read the question is ignored, whatever page sent it. */
  private answerPermission({ permissionId, optionId }: Extract<FromView, { type: 'answer_permission' }>): void {
    const { session, ports } = this;
    const asked = session.store.state.entries.get(entryIdOf.permission(permissionId));
    if (asked && !isAbsent(asked) && ports.clock.now() - asked.at >= GUARD_MS) {
      session.answerPermission(permissionId, optionId);
    }
  }

  /**
   * Opens a requested web page first: the agent learns of the user's consent only when the page was opened. The view is notified of every answer
   * that was not sent.
   */
  private async answerElicitation({ requestKey, action, content }: Extract<FromView, { type: 'answer_elicitation' }>): Promise<void> {
    const { elicitations } = this.session;
    if (action === 'accept' && elicitations.pageOf(requestKey) !== undefined && !(await this.openPageOf(requestKey))) {
      this.mailbox.post({ type: 'elicitation_problems', requestKey, problems: [] });
      return;
    }
    const problems = await elicitations.answer(requestKey, action, content);
    if (problems.length > 0) {
      this.mailbox.post({ type: 'elicitation_problems', requestKey, problems });
    }
  }

  private async openPageOf(requestKey: string): Promise<boolean> {
    const url = this.session.elicitations.pageOf(requestKey);
    return url !== undefined && (await (await this.ports.openHandlers()).openPage(url));
  }

  private warn(failure: Failure | undefined): void {
    if (failure) {
      void showFailure('warning', failure);
    }
  }

  /** Sends a message. A message that the session does not accept returns to the composer as a whole. */
  private prompt({ content: said, now }: Extract<FromView, { type: 'prompt' }>): void {
    this.read(said, (content) => {
      const failure = this.session.submit(content, now);
      if (failure) {
        this.refuse(content, failure);
      } else {
        const { agentId, store } = this.session;
        this.ports.preferences.said(agentId, content, store.state.commands);
      }
    });
  }

  /** Reads the content of mentions before sending. Later messages wait, so that the order is kept. */
  private read(content: readonly DraftBlock[], send: (content: readonly ContentBlock[]) => void): void {
    if (this.sending === undefined && !content.some(isMention)) {
      return send(content.filter((block) => !isMention(block)));
    }
    const sending = (this.sending ?? Promise.resolve()).then(async () => {
      const resolved = await (await this.ports.mentions()).resolve(this.session, content);
      if (resolved) {
        send(resolved);
      } else {
        this.mailbox.post({ type: 'restore_message', content });
      }
    });
    this.sending = sending;
    void sending.finally(() => (this.sending = this.sending === sending ? undefined : this.sending));
  }

  private refuse(content: readonly ContentBlock[], failure: Failure): void {
    returnPrompt(this.mailbox, content);
    this.warn(failure);
  }
}
