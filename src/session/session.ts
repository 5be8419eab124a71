/**
 * One conversation: where the rooms meet. Turns what the user wants into requests, what the agent does into events, and keeps nothing of the
 * conversation itself (that is the store's).
 */
import type { AuthMethod, ContentBlock } from '../core/model/content';
import { type Failure, failureOf } from '../core/model/failure';
import type { AgentLaunch, Disposable, Roots } from '../core/model/ports';
import { canResume } from '../core/model/select';
import { type SessionSetup, setupIn } from '../core/model/sessionSetup';
import type { TerminalSize } from '../core/model/terminalSize';
import type { ViewAction } from '../core/protocol/view';
import type { RootPins } from '../util/rootPins';
import type { Elicitations } from './questions/elicitations';
import { Folders } from './lifecycle/folders';
import type { AgentLink } from './agent/agentConnection';
import { Presence } from './lifecycle/agentAttachment';
import { Remarks } from './sessionNotices';
import { closeSession, type RequestsHost, setConfig, signOut } from './agent/requests';
import { SessionRooms } from './clientServices';
import type { AgentPorts, AgentSession } from './sessionDependencies';
import { SessionRoots } from './lifecycle/sessionRoots';
import { SessionStore } from './store';
import { Turns } from './turns';

export type { AgentSession };

/** What a session needs from the rest of the product. */
export interface SessionPorts extends AgentPorts {
  /** This session's user has signed in: others that wait for it may go on. */
  signedIn(session: Session, method: AuthMethod, link: AgentLink | undefined): void;
  signedOut(session: Session, link: AgentLink): void;
}

export class Session implements Disposable {
  readonly store: SessionStore;
  private readonly folders: Folders;
  private readonly rooms: SessionRooms;
  private readonly presence: Presence;
  private readonly remarks: Remarks;
  private readonly turns: Turns;
  private readonly requests: RequestsHost;
  /** The user has ended it, the agent has not confirmed yet. */
  private closing = false;
  private disposed = false;

  constructor(
    /** Ours, not the agent's: names the journal and the panel. */
    readonly key: string,
    /** The agent's name in settings. */
    readonly agentName: string,
    private readonly setupAtStart: SessionSetup,
    private readonly ports: SessionPorts,
    /** Absent for a conversation that nothing can continue: it can only be read. */
    readonly launch?: AgentLaunch,
    /** Absent: a new session, or the one this conversation was. */
    from?: AgentSession,
    /** What the folders were when the user was asked about them. Absent: what they are when it starts. */
    pins?: RootPins,
  ) {
    const store = (this.store = new SessionStore(ports.clock));
    const remarks = (this.remarks = new Remarks(store));
    const folders = new SessionRoots(setupAtStart, pins);
    const rooms = (this.rooms = new SessionRooms(key, agentName, folders, store, ports));
    const presence = (this.presence = new Presence(
      {
        agentName,
        launch,
        store,
        rooms,
        remarks,
        roots: folders,
        setup: (changed) => setupIn(changed, setupAtStart),
        ports,
        signedIn: (method, link) => ports.signedIn(this, method, link),
        entered: () => this.entered(),
        abandon: () => this.turns.abandon(),
      },
      from,
    ));
    const { entrance, signingIn } = presence;
    const agent = presence.agent.bind(presence);
    this.requests = { store, signingIn, remarks, agent };
    this.turns = new Turns({ store, rooms, signingIn, agent });
    this.folders = new Folders(folders, {
      store,
      entrance,
      remarks,
      agent,
      opened: (changed) => presence.opened(changed),
      entered: () => this.entered(),
    });
  }

  /** Starts the agent, or joins it, and asks for a session. Also after a failure: the conversation so far stays. */
  open(): void {
    this.presence.open();
  }

  /** What its agent is asked with, with the folders as they are now. */
  get setup(): SessionSetup {
    return setupIn(this.roots, this.setupAtStart);
  }

  /** The folders it may touch; the further ones can change. */
  get roots(): Roots {
    return this.folders.roots;
  }

  /** Sends a prompt. What was wrong comes back when the session cannot take one now. */
  prompt(content: readonly ContentBlock[]): Failure | undefined {
    return this.turns.prompt(content);
  }

  /** As {@link prompt}; where the agent is gone and can bring the session back, that comes first, and what fails then is given back. */
  submit(content: readonly ContentBlock[]): Failure | undefined {
    if (!this.launch || this.store.state.status !== 'disconnected' || !canResume(this.store.state)) {
      return this.prompt(content);
    }
    this.turns.postpone(content);
    this.resume();
    return undefined;
  }

  /** Brings the session back at its agent, also one that was ended. No new one takes its place when that fails. */
  resume(): void {
    const { launch } = this;
    if (!launch) {
      this.remarks.warn('', { code: 'session.agent_removed', params: { agent: this.agentName } });
    } else if (!this.closing) {
      this.presence.reopen(launch);
    }
  }

  /**
   * Loads or resumes the session again with these folders beside its `cwd`, all of them absolute. What was wrong comes back; what the agent has
   * against it is told in the conversation, which goes on with the folders it had.
   */
  changeFolders(additionalDirectories: readonly string[]): Failure | undefined {
    return this.folders.change(additionalDirectories);
  }

  /** Stops the running turn: open tool calls and what waits for an answer end at once, the agent confirms later. */
  cancel(): void {
    if (!this.turns.cancel()) {
      this.presence.afterGivingUp();
    }
  }

  /** False when the answer came too late. */
  answerPermission(permissionId: string, optionId: string): boolean {
    return this.ports.permissions.answer(this.key, permissionId, optionId);
  }

  /** The elicitations of this session, for whoever brings the user's answer. */
  get elicitations(): Elicitations {
    return this.rooms.elicitations;
  }

  /** Sets one of the agent's options. */
  setConfig(configId: string, value: string | boolean): void {
    setConfig(this.requests, configId, value);
  }

  /** Ends a command that runs for the agent. */
  stopTerminal(terminalId: string): void {
    this.rooms.stopTerminal(terminalId).catch((error: unknown) => this.remarks.warn(terminalId, failureOf(error)));
  }

  /** What the user types in a command's terminal. False when it reaches nobody. */
  typeInTerminal(terminalId: string, text: string): boolean {
    return this.rooms.typeInTerminal(terminalId, text);
  }

  /** The user looks at a command's terminal in a window of this size. */
  resizeTerminal(terminalId: string, size: TerminalSize): void {
    this.rooms.resizeTerminal(terminalId, size);
  }

  /** Actions of the view that are the session's own; false for those of the workbench. */
  act(action: ViewAction): boolean {
    switch (action) {
      case 'retry':
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
        this.presence.cancelStart();
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
    const { signingIn } = this.presence;
    if (this.store.state.status === 'ended' || this.disposed) {
      return;
    }
    if (methodId !== undefined) {
      signingIn.start(methodId);
    } else {
      signingIn.dismiss();
      this.presence.afterGivingUp();
    }
  }

  /** Signs out at the agent. */
  signOut(): void {
    signOut(this.requests, (link) => this.ports.signedOut(this, link));
  }

  /** Somebody has signed in at this agent in another session: what waits here for that goes on. */
  onSignedInElsewhere(method: AuthMethod, link: AgentLink | undefined): void {
    this.presence.onSignedInElsewhere(method, link);
  }

  /** Somebody has signed out in another session of the same process. */
  onSignedOutElsewhere(link: AgentLink): void {
    this.presence.onSignedOutElsewhere(link);
  }

  /** What was not taken of a prompt, for the composer: its text, which may be empty, and what went with it. */
  onGiveBack(listener: (text: string, others: readonly ContentBlock[]) => void): Disposable {
    return this.turns.onGiveBack(listener);
  }

  /** The user is done with it: stops the turn, closes the session at the agent, and stops the process when it was the last. */
  async end(): Promise<void> {
    if (this.store.state.status === 'ended') {
      return;
    }
    this.cancel();
    const { sessionId, status } = this.store.state;
    const dialect = this.presence.agent()?.dialect;
    this.presence.signingIn.clear();
    this.turns.giveBackUnsent();
    this.closing = true;
    this.store.append({ type: 'session_ended' });
    if (status === 'ready' && sessionId !== undefined && dialect) {
      await closeSession(dialect, sessionId, this.ports.clock);
    }
    this.closing = false;
    this.presence.leave();
  }

  /** The window closes: what runs is stopped, nothing more is said to the agent. */
  dispose(): void {
    this.disposed = true;
    this.turns.dispose();
    this.presence.dispose();
    this.rooms.dispose();
  }

  /** It takes prompts: what waited for that goes on. */
  private entered(): void {
    this.folders.remark();
    this.presence.signingIn.goOn();
    const refused = this.turns.goOn();
    if (refused) {
      this.remarks.warn(this.agentName, refused);
    }
  }
}
