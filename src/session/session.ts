/**
 * One conversation: connects the services. Translates the user's actions into requests and the agent's messages into events. The conversation
 * itself is in the store.
 */
import { isReportUri } from '../core/model/reportAddress';
import type { AuthMethod, ContentBlock } from '../core/model/content';
import { type Failure, failureOf } from '../core/model/failure';
import type { AgentLaunch } from '../core/model/agentLaunch';
import type { Disposable } from '../core/platform/disposable';
import type { Roots } from '../core/model/roots';
import { notTaken } from '../core/model/promptContent';
import { canResume, isBusy, isCancelling, isNew } from '../core/model/select';
import { type SessionSetup, setupIn } from '../core/model/sessionSetup';
import { entryIdOf, isAbsent, type SessionState } from '../core/model/state';
import { failedTurn, repeatableTurn } from '../core/queue/retry';
import type { TerminalSize } from '../core/model/terminalSize';
import type { ViewAction } from '../core/protocol/view';
import { canResumeQueue, messageDestination, type SendNow, waitsForConfig } from '../core/queue/rules';
import { isDiskFull } from '../util/diskFull';
import type { RootPins } from '../util/rootPins';
import type { FileEdit } from '../fs/fileService';
import type { Consents } from '../policy/consents';
import { endAllowEverything, type PermissionMode } from '../core/modes/permissionMode';
import type { ApplyEdits } from './client/editFiles';
import type { SessionCalls } from './mcp/sessionCalls';
import type { Elicitations } from './questions/elicitations';
import { lazy } from '../util/lazy';
import type { AgentConnection } from './agent/agentConnection';
import { ClientServices } from './client/clientServices';
import type { Adoption } from './lifecycle/adoption';
import { SessionLifecycle } from './lifecycle/sessionLifecycle';
import { SessionRoots } from './lifecycle/sessionRoots';
import { MessageQueue } from './messageQueue';
import type { AgentDependencies, SessionReference } from './lifecycle/sessionDependencies';
import { SandboxChoice } from './sandbox/sandboxChoice';
import { SessionNotices } from './state/sessionNotices';
import { SessionStore } from './state/store';
import type { PromptListener, PromptReport } from './lifecycle/turns';
import type { SessionAgent } from '../core/agents/agentIds';

export type { SessionReference };

/** The dependencies of a session. */
export interface SessionDependencies extends AgentDependencies {
  /** The user has signed in here: the agent's other sessions can continue. */
  signedIn(session: Session, method: AuthMethod, connection: AgentConnection | undefined): void;
  signedOut(session: Session, connection: AgentConnection): void;
  /** False when another extension host owns this session's queued messages. */
  isQueueOurs(session: Session): boolean;
}

export class Session implements Disposable {
  readonly store: SessionStore;
  /** The folders that the session may access. The additional ones can change. */
  readonly roots: Roots;
  /** See `AgentIdentity`. */
  readonly agentId: string;
  /** The agent's display name. */
  readonly agentName: string;
  /** The queued messages. */
  readonly queue: MessageQueue;
  /** The report of the user's edits for the next prompt. Set by the feature that tracks changes. */
  report: PromptReport | undefined;
  /** The new problems in files that the agent wrote, for the next prompt. Set by the feature that follows them. */
  problems: PromptReport | undefined;
  private readonly services: ClientServices;
  private readonly notices: SessionNotices;
  private readonly lifecycle: SessionLifecycle;
  readonly sandbox: SandboxChoice;
  /** True when another window owns the session. */
  private isLeft = false;
  /** True when the session has continued with the agent of an earlier window. */
  isAdopted = false;
  /** The turn that runs at an agent of an earlier window, and which this window continues. Set before the session is announced. */
  adoptedTurn: SessionState['turn'];
  /** The turn whose prompt was sent again. The prompt may wait for the agent. */
  private retried: string | undefined;

  /** The permission mode. Loaded with the first one that is not Ask. */
  private readonly modes = lazy(async () => {
    const { PermissionModes } = await import('./questions/permissionModes');
    return new PermissionModes({ store: this.store, setConfig: (id, value) => this.lifecycle.options.set(id, value) });
  });

  constructor(
    /** The host's key, not the agent's id. Names the journal and the panel. */
    readonly key: string,
    agent: SessionAgent,
    private readonly setupAtStart: SessionSetup,
    private readonly deps: SessionDependencies,
    /** Undefined for a conversation that can only be read. */
    readonly launch?: AgentLaunch,
    /** Undefined for a new session, or for the conversation's own. */
    from?: SessionReference,
    /** The folders that the user has agreed to. Undefined: they are pinned when the session starts. */
    pins?: RootPins,
    /** True for a replayed log: it is read-only, has no folders and starts no process, whatever its events contain. */
    readonly isRecorded = false,
  ) {
    const { agentId, agentName } = agent;
    this.agentId = agentId;
    this.agentName = agentName;
    const store = (this.store = new SessionStore(deps.clock));
    const notices = (this.notices = new SessionNotices(store));
    const roots = (this.roots = new SessionRoots(setupAtStart, pins));
    const sandbox = (this.sandbox = new SandboxChoice(agent, store, deps.sandboxModeOf));
    const services = (this.services = new ClientServices(
      key,
      { agentId, agentName },
      roots,
      store,
      deps,
      sandbox,
      () => this.queue.sendNext(),
      (text) => this.lifecycle.turns.tellAgent(text),
    ));
    this.lifecycle = new SessionLifecycle(
      {
        key,
        agentId,
        agentName,
        launch,
        store,
        services,
        notices,
        roots,
        sandbox,
        setup: setupAtStart,
        shared: deps,
        signedIn: (method, connection) => deps.signedIn(this, method, connection),
        signedOut: (connection) => deps.signedOut(this, connection),
        reports: () => [this.problems, this.report],
        sendQueued: () => this.queue.sendNext(),
      },
      from,
    );
    const send = (content: readonly ContentBlock[], turnId: string) => this.lifecycle.turns.prompt(content, turnId);
    this.queue = new MessageQueue({
      store,
      notices,
      agentName,
      isOurs: () => deps.isQueueOurs(this),
      send,
      steer: (content, settled) => this.lifecycle.turns.steer(content, settled),
      interrupt: () => this.lifecycle.cancelTurn(true),
    });
  }

  /** Takes over the state of a journal or recording. `next`: the sequence number of the next event. */
  restore(state: SessionState, next: number): void {
    // A journal never contains Allow everything, unless someone else has written it.
    this.store.adopt(endAllowEverything(state), next);
    this.lifecycle.restored();
    if (state.permissionMode) {
      void this.modes();
    }
  }

  /** The parameters of the session requests, with the current folders. */
  get setup(): SessionSetup {
    return setupIn(this.roots, this.setupAtStart);
  }

  /** Starts or joins the agent and requests a session. After a failure the conversation is kept. */
  open(): void {
    if (!this.isLeft) {
      this.lifecycle.open();
    }
  }

  /** Continues with the agent of an earlier window, which has the session open. */
  adopt(adoption: Adoption): void {
    this.isAdopted = true;
    this.lifecycle.adopt(adoption);
  }

  /** Leaves the agent because another window takes the session over. The session can only be read here. */
  leave(): void {
    this.isLeft = true;
    this.lifecycle.dispose();
    this.store.append({ type: 'disconnected', failure: { code: 'session.live_elsewhere' } });
  }

  /** Warns that the journal cannot be written. The session continues. */
  warnUnsaved(error: unknown): void {
    this.notices.warn('', isDiskFull(error) ? { code: 'session.disk_full' } : { code: 'session.not_saved', detail: String(error) });
  }

  /** Sends a prompt. Returns a failure when the session cannot accept one now. */
  prompt(content: readonly ContentBlock[]): Failure | undefined {
    return this.lifecycle.turns.prompt(content);
  }

  /**
   * Sends a prompt like {@link prompt}, or queues it while the agent starts or works. Resumes the session first if the agent has ended and can
   * reopen it. Returns a failure when the message is neither sent nor queued.
   * @param now how the message is sent at once while a turn runs, instead of being queued
   */
  submit(content: readonly ContentBlock[], now?: SendNow): Failure | undefined {
    const destination = this.launch ? messageDestination(this.store.state) : 'turn';
    if (destination === 'turn' || destination === 'refused') {
      return this.prompt(content);
    }
    const problem =
      this.notTaken(content) ?? this.queue.add(content, destination === 'queue' && isBusy(this.store.state) ? now : undefined);
    if (!problem && destination === 'resume') {
      this.resume();
    }
    return problem;
  }

  /** Sends the prompt of the last turn again, once. Ignores other turns. Returns a failure when the prompt is neither sent nor queued. */
  retryPrompt(turnId: string): Failure | undefined {
    const { state } = this.store;
    const message = state.entries.get(entryIdOf.message('user', turnId));
    if (
      repeatableTurn(state)?.turnId !== turnId ||
      this.retried === turnId ||
      !message ||
      isAbsent(message) ||
      message.kind !== 'message'
    ) {
      return undefined;
    }
    this.retried = turnId;
    this.queue.stopWaiting();
    // The agent has received the report of the user's changes, unless the turn failed.
    const isReported = failedTurn(state) === undefined;
    const content = isReported ? message.content.filter((block) => block.type !== 'resource' || !isReportUri(block.uri)) : message.content;
    const problem = this.submit(content);
    if (problem) {
      this.retried = undefined;
    } else {
      this.lifecycle.turns.forgetKept();
    }
    return problem;
  }

  /**
   * Sends the paused messages. Resumes the session first if the agent has ended and can reopen it.
   * @param byUser false when no user decides to send them without options that the agent does not confirm
   */
  resumeQueue(byUser = true): void {
    const { state } = this.store;
    if (!canResumeQueue(state) && !waitsForConfig(state)) {
      return;
    }
    if (byUser) {
      this.lifecycle.options.giveUp();
    }
    this.queue.resume();
    this.queue.sendNext();
    if (canResume(state)) {
      this.resume();
    }
  }

  /** The capabilities of an agent that is starting are unknown, so only a ready agent's are checked. */
  private notTaken(content: readonly ContentBlock[]): Failure | undefined {
    const { status, promptCapabilities } = this.store.state;
    return status === 'ready' ? notTaken(content, promptCapabilities) : undefined;
  }

  /** Leaves the agent's process, which later starts do not join, and requests the session from a new one. `byUser`: the user chose this session. */
  restartAgent(byUser: boolean): void {
    if (this.launch) {
      this.lifecycle.turns.endStopped();
      this.lifecycle.restartAgent(byUser);
    }
  }

  /** Reopens the session at its agent, also an ended one. A failure does not lead to a new session. */
  resume(): void {
    if (this.isLeft || this.isRecorded) {
      return;
    }
    if (this.launch) {
      const { sessionId, failure, isFromAgent } = this.store.state;
      if (sessionId === undefined || (failure?.code === 'agent.idle' && isNew(this.store.state) && !isFromAgent)) {
        this.lifecycle.open(); // The agent has no session with messages yet, so `open` may create one.
      } else {
        this.lifecycle.resume();
      }
    } else {
      this.notices.warn('', { code: 'session.agent_removed', params: { agent: this.agentName } });
    }
  }

  /**
   * Reopens the session with these additional folders, all of them absolute. Returns a failure when that cannot be requested. A refusal by the
   * agent is shown in the conversation, which continues with its previous folders.
   */
  changeFolders(additionalDirectories: readonly string[]): Failure | undefined {
    return this.lifecycle.changeFolders(additionalDirectories);
  }

  /**
   * Stops the running turn or the work between turns. Open tool calls and questions end at once; the agent confirms later. A second call offers a
   * restart.
   */
  cancel(): void {
    this.lifecycle.cancelTurn();
  }

  /** False when the question has ended already. */
  answerPermission(permissionId: string, optionId: string): boolean {
    return this.services.questions.answer(permissionId, { optionId });
  }

  /**
   * Makes the agent forget this message of the user and everything after it, if it can. The conversation stays as it is, and gets a notice. Resolves to
   * the failure when the agent did not do so.
   */
  rewindBefore(entryId: string): Promise<Failure | undefined> {
    return this.lifecycle.rewindBefore(entryId);
  }

  /** The elicitations of this session, for the code that receives the user's answers. */
  get elicitations(): Elicitations {
    return this.services.elicitations;
  }

  /** The files that the user has agreed to show to the agent. */
  get consents(): Consents {
    return this.services.consents;
  }

  /** The calls of the editor's tools. Loads their code. */
  editorCalls(): Promise<SessionCalls> {
    return this.services.editorCalls();
  }

  /** Sets one of the agent's options. */
  setConfig(configId: string, value: string | boolean): void {
    this.lifecycle.options.set(configId, value);
  }

  /** Sets those of the agent's options that it offers, one after the other. Calls `whenSet` when the agent has them, or refused them. */
  setOptions(values: Readonly<Record<string, string | boolean>>, whenSet: () => void): void {
    this.lifecycle.options.setAll(values, whenSet);
  }

  /** Sets what is answered without the user. Ignored for a conversation that can only be read. */
  async setPermissionMode(mode: PermissionMode): Promise<void> {
    const modes = await this.modes();
    if (this.launch && !this.isLeft && this.store.state.status !== 'ended') {
      modes.set(mode);
    }
  }

  /** Stops the work of one subagent. */
  stopSubagent(subagentId: string): void {
    this.lifecycle.turns.cancelSubagent(subagentId);
  }

  /** Stops one tool call, if the agent can do that now. */
  stopToolCall(toolCallId: string): void {
    void this.lifecycle.stopWork({ toolCallId });
  }

  /** Stops a background task of the agent. */
  stopTask(taskId: string): void {
    this.lifecycle.turns.stopTask(taskId);
  }

  /** Ends a command that runs for the agent, or in a terminal of the agent. */
  stopTerminal(terminalId: string): void {
    const { terminals } = this.store.state;
    if (Object.hasOwn(terminals, terminalId) && terminals[terminalId]!.canCancel) {
      void this.lifecycle.stopWork({ terminalId });
      return;
    }
    this.services.stopTerminal(terminalId).catch((error: unknown) => this.notices.warn(terminalId, failureOf(error)));
  }

  /** Makes an edit of the editor for the agent, all files or none. Rejects with the `Fault` of a file that may not be written. */
  editFiles(edits: readonly FileEdit[], apply: ApplyEdits, signal: AbortSignal): Promise<void> {
    return this.services.editFiles(edits, apply, signal);
  }

  /** Sends the user's input to a command's terminal. False when no command receives it. */
  typeInTerminal(terminalId: string, text: string): boolean {
    return this.services.typeInTerminal(terminalId, text);
  }

  /** Sets the size of the view in which the user sees a command's terminal. */
  resizeTerminal(terminalId: string, size: TerminalSize): void {
    this.services.resizeTerminal(terminalId, size);
  }

  /** Performs the session's own actions of the view. False for actions of the workbench. */
  act(action: ViewAction): boolean {
    if (this.isRecorded) {
      return false;
    }
    switch (action) {
      case 'retry':
      case 'trust_folder':
      case 'restart':
        this.open();
        return true;
      case 'resume':
      case 'reconnect':
        this.resume();
        return true;
      case 'sign_out':
        this.signOut();
        return true;
      case 'switch_account':
        this.lifecycle.signOut(true);
        return true;
      case 'cancel_start':
        this.lifecycle.cancelStart();
        return true;
      case 'end_session':
        void this.end();
        return true;
      default:
        return false;
    }
  }

  /** The connection to the agent that starts or runs for this session; undefined without one. */
  get connection(): AgentConnection | undefined {
    return this.lifecycle.connection;
  }

  /** Signs in by one of the agent's methods and repeats the requests that needed it. Without a method, the user cancels. */
  signIn(methodId?: string): void {
    this.lifecycle.signInBy(methodId);
  }

  /** Signs out at the agent. */
  signOut(): void {
    this.lifecycle.signOut();
  }

  /** Continues the waiting requests after a sign-in at this agent in another session. */
  onSignedInElsewhere(method: AuthMethod, connection: AgentConnection | undefined): void {
    this.lifecycle.onSignedInElsewhere(method, connection);
  }

  /** Records a sign-out in another session of the same process. */
  onSignedOutElsewhere(connection: AgentConnection): void {
    this.lifecycle.onSignedOutElsewhere(connection);
  }

  /** Reports a prompt that the agent did not accept, for the composer: its text, which may be empty, and its attachments. */
  onPromptReturned(listener: PromptListener): Disposable {
    return this.lifecycle.turns.onPromptReturned(listener);
  }

  /** Ends the session for the user: stops the turn, closes the session at the agent, and stops the process when no other session uses it. */
  async end(): Promise<void> {
    if (this.store.state.status !== 'ended' && !this.isRecorded) {
      if (!isCancelling(this.store.state)) {
        this.cancel();
      }
      await this.lifecycle.end();
    }
  }

  /** Stops the running services when the window closes, without a message to the agent. */
  dispose(): void {
    this.lifecycle.dispose();
    this.services.dispose();
  }
}
