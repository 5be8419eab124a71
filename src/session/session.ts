/**
 * One conversation: where the services meet. Turns what the user wants into requests, what the agent does into events, and keeps nothing of the
 * conversation itself (that is the store's).
 */
import { isReportUri } from '../core/fileChanges/reportAddress';
import type { AuthMethod, ContentBlock } from '../core/model/content';
import { type Failure, failureOf } from '../core/model/failure';
import type { AgentLaunch, Disposable, Roots } from '../core/model/ports';
import { notTaken } from '../core/model/promptContent';
import { canResume, isBusy, isCancelling } from '../core/model/select';
import { type SessionSetup, setupIn } from '../core/model/sessionSetup';
import { entryIdOf, isAbsent, type SessionState } from '../core/model/state';
import { failedTurn, repeatableTurn } from '../core/queue/retry';
import type { TerminalSize } from '../core/model/terminalSize';
import type { ViewAction } from '../core/protocol/view';
import { canResumeQueue, messageDestination, type SendNow, waitsForConfig } from '../core/queue/rules';
import { isDiskFull } from '../util/diskFull';
import type { RootPins } from '../util/rootPins';
import type { Consents } from './questions/consents';
import type { Elicitations } from './questions/elicitations';
import type { AgentConnection } from './agent/agentConnection';
import { ClientServices } from './clientServices';
import { SessionLifecycle } from './lifecycle/sessionLifecycle';
import { SessionRoots } from './lifecycle/sessionRoots';
import { MessageQueue } from './messageQueue';
import type { AgentDependencies, SessionReference } from './sessionDependencies';
import { SessionNotices } from './sessionNotices';
import { SessionStore } from './store';
import type { PromptListener, PromptReport } from './turns';

export type { SessionReference };

/** What a session needs from the rest of the product. */
export interface SessionDependencies extends AgentDependencies {
  /** This session's user has signed in: others that wait for it may go on. */
  signedIn(session: Session, method: AuthMethod, connection: AgentConnection | undefined): void;
  signedOut(session: Session, connection: AgentConnection): void;
  /** False when another extension host has this session's queued messages by now. */
  isQueueOurs(session: Session): boolean;
}

export class Session implements Disposable {
  readonly store: SessionStore;
  /** The folders it may touch; the further ones can change. */
  readonly roots: Roots;
  /** The messages that wait for the agent. */
  readonly queue: MessageQueue;
  /** What the user did with the agent's changes goes with the next prompt. Set by whoever follows those. */
  report: PromptReport | undefined;
  private readonly services: ClientServices;
  private readonly notices: SessionNotices;
  private readonly lifecycle: SessionLifecycle;
  /** Another window has it. */
  private isLeft = false;
  /** The turn whose prompt was sent again: the prompt may wait for the agent. */
  private retried: string | undefined;

  constructor(
    /** Ours, not the agent's: names the journal and the panel. */
    readonly key: string,
    /** The agent's name in settings. */
    readonly agentName: string,
    private readonly setupAtStart: SessionSetup,
    private readonly ports: SessionDependencies,
    /** Absent for a conversation that nothing can continue: it can only be read. */
    readonly launch?: AgentLaunch,
    /** Absent: a new session, or the one this conversation was. */
    from?: SessionReference,
    /** What the folders were when the user was asked about them. Absent: what they are when it starts. */
    pins?: RootPins,
    /** A replayed log: it is only read, has no folders and starts nothing, whatever its events say. */
    readonly isRecorded = false,
  ) {
    const store = (this.store = new SessionStore(ports.clock));
    const notices = (this.notices = new SessionNotices(store));
    const roots = (this.roots = new SessionRoots(setupAtStart, pins));
    const services = (this.services = new ClientServices(key, agentName, roots, store, ports));
    this.lifecycle = new SessionLifecycle(
      {
        agentName,
        launch,
        store,
        services,
        notices,
        roots,
        setup: setupAtStart,
        ports,
        signedIn: (method, connection) => ports.signedIn(this, method, connection),
        signedOut: (connection) => ports.signedOut(this, connection),
        report: () => this.report,
        sendQueued: () => this.queue.sendNext(),
      },
      from,
    );
    const send = (content: readonly ContentBlock[], turnId: string) => this.lifecycle.turns.prompt(content, turnId);
    this.queue = new MessageQueue({
      store,
      notices,
      agentName,
      isOurs: () => ports.isQueueOurs(this),
      send,
      steer: (content, settled) => this.lifecycle.turns.steer(content, settled),
      interrupt: () => this.lifecycle.cancelTurn(true),
    });
  }

  /** It is the conversation that was journaled, or recorded, so far. `next`: the number of the event after it. */
  restore(state: SessionState, next: number): void {
    this.store.adopt(state, next);
    this.lifecycle.restored();
  }

  /** What its agent is asked with, with the folders as they are now. */
  get setup(): SessionSetup {
    return setupIn(this.roots, this.setupAtStart);
  }

  /** Starts the agent, or joins it, and asks for a session. Also after a failure: the conversation so far stays. */
  open(): void {
    if (!this.isLeft) {
      this.lifecycle.open();
    }
  }

  /** Another window goes on with it: its agent is left, and it can only be read here. */
  leave(): void {
    this.isLeft = true;
    this.lifecycle.dispose();
    this.store.append({ type: 'disconnected', failure: { code: 'session.live_elsewhere' } });
  }

  /** It goes on, and is not on disk for now. */
  warnUnsaved(error: unknown): void {
    this.notices.warn('', isDiskFull(error) ? { code: 'session.disk_full' } : { code: 'session.not_saved', detail: String(error) });
  }

  /** Sends a prompt. What was wrong comes back when the session cannot take one now. */
  prompt(content: readonly ContentBlock[]): Failure | undefined {
    return this.lifecycle.turns.prompt(content);
  }

  /**
   * As {@link prompt}; while the agent starts or works the message is queued. Where the agent is gone and can bring the session back, that comes first. What was
   * wrong comes back when the message is neither sent nor queued.
   * @param now how it is sent at once where a turn runs, instead of being queued
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

  /** Sends the prompt of the last turn again, once. Does nothing for another turn. Returns why the prompt is neither sent nor queued. */
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
    // The agent has got the report of the user's changes, unless the turn failed.
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

  /** Queued messages that wait for the user are sent; where the agent is gone and can bring the session back, that comes first. */
  resumeQueue(): void {
    const { state } = this.store;
    if (!canResumeQueue(state) && !waitsForConfig(state)) {
      return;
    }
    this.lifecycle.options.giveUp();
    this.queue.resume();
    this.queue.sendNext();
    if (canResume(state)) {
      this.resume();
    }
  }

  /** A running agent has said what it takes; of one that starts nobody knows. */
  private notTaken(content: readonly ContentBlock[]): Failure | undefined {
    const { status, promptCapabilities } = this.store.state;
    return status === 'ready' ? notTaken(content, promptCapabilities) : undefined;
  }

  /** Leaves the agent's process, which no session joins from now on, and asks another one for the session. `byUser`: the user chose this session for it. */
  restartAgent(byUser: boolean): void {
    if (this.launch) {
      this.lifecycle.turns.endStopped();
      this.lifecycle.restartAgent(byUser);
    }
  }

  /** Brings the session back at its agent, also one that was ended. No new one takes its place when that fails. */
  resume(): void {
    if (this.isLeft || this.isRecorded) {
      return;
    }
    if (this.launch) {
      if (this.store.state.sessionId === undefined) {
        this.lifecycle.open(); // Its agent never had it: there is none that must be the one.
      } else {
        this.lifecycle.resume();
      }
    } else {
      this.notices.warn('', { code: 'session.agent_removed', params: { agent: this.agentName } });
    }
  }

  /**
   * Loads or resumes the session again with these folders beside its `cwd`, all of them absolute. What was wrong comes back; what the agent has
   * against it is told in the conversation, which goes on with the folders it had.
   */
  changeFolders(additionalDirectories: readonly string[]): Failure | undefined {
    return this.lifecycle.changeFolders(additionalDirectories);
  }

  /** Stops the running turn or the work between turns: open tool calls and questions end at once, the agent confirms later. A second call offers a restart. */
  cancel(): void {
    this.lifecycle.cancelTurn();
  }

  /** False when the answer came too late. */
  answerPermission(permissionId: string, optionId: string): boolean {
    return this.services.questions.answer(permissionId, { optionId });
  }

  /** The elicitations of this session, for whoever brings the user's answer. */
  get elicitations(): Elicitations {
    return this.services.elicitations;
  }

  /** The files that the user has agreed to show to the agent. */
  get consents(): Consents {
    return this.services.consents;
  }

  /** Sets one of the agent's options. */
  setConfig(configId: string, value: string | boolean): void {
    this.lifecycle.options.set(configId, value);
  }

  /** Ends a command that runs for the agent. */
  stopTerminal(terminalId: string): void {
    this.services.stopTerminal(terminalId).catch((error: unknown) => this.notices.warn(terminalId, failureOf(error)));
  }

  /** What the user types in a command's terminal. False when it reaches nobody. */
  typeInTerminal(terminalId: string, text: string): boolean {
    return this.services.typeInTerminal(terminalId, text);
  }

  /** The user looks at a command's terminal in a window of this size. */
  resizeTerminal(terminalId: string, size: TerminalSize): void {
    this.services.resizeTerminal(terminalId, size);
  }

  /** Actions of the view that are the session's own; false for those of the workbench. */
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
        this.resume();
        return true;
      case 'sign_out':
        this.signOut();
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

  /** Signs in by one of the agent's methods and then does again what failed for want of it; without a method, the user backs out. */
  signIn(methodId?: string): void {
    this.lifecycle.signInBy(methodId);
  }

  /** Signs out at the agent. */
  signOut(): void {
    this.lifecycle.signOut();
  }

  /** Somebody has signed in at this agent in another session: what waits here for that goes on. */
  onSignedInElsewhere(method: AuthMethod, connection: AgentConnection | undefined): void {
    this.lifecycle.onSignedInElsewhere(method, connection);
  }

  /** Somebody has signed out in another session of the same process. */
  onSignedOutElsewhere(connection: AgentConnection): void {
    this.lifecycle.onSignedOutElsewhere(connection);
  }

  /** What was not taken of a prompt, for the composer: its text, which may be empty, and what went with it. */
  onPromptReturned(listener: PromptListener): Disposable {
    return this.lifecycle.turns.onPromptReturned(listener);
  }

  /** The user is done with it: stops the turn, closes the session at the agent, and stops the process when it was the last. */
  async end(): Promise<void> {
    if (this.store.state.status !== 'ended' && !this.isRecorded) {
      if (!isCancelling(this.store.state)) {
        this.cancel();
      }
      await this.lifecycle.end();
    }
  }

  /** The window closes: what runs is stopped, nothing more is said to the agent. */
  dispose(): void {
    this.lifecycle.dispose();
    this.services.dispose();
  }
}
