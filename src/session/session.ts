/**
 * One conversation: where the rooms meet. Turns what the user wants into requests, what the agent does into events, and keeps nothing of the
 * conversation itself (that is the store's).
 */
import type { Dialect, Ongoing, TurnResult } from '../acp/dialect';
import type { Outcome, Settled } from '../acp/rpc';
import type { AuthMethod, ContentBlock } from '../core/content';
import type { SessionHappening } from '../core/event';
import { type Failure, failureOf, isAbort } from '../core/failure';
import type { AgentLaunch, Disposable, Roots } from '../core/ports';
import { fitPrompt } from '../core/promptContent';
import { canResume, showsSignIn, takesPrompts } from '../core/select';
import type { ViewAction } from '../core/view';
import type { Elicitations } from './elicitations';
import { Entrance } from './entrance';
import type { AgentLink, LinkListener } from './link';
import { SessionRooms, type RoomPorts } from './rooms';
import { SessionRoots } from './sessionRoots';
import type { AccountPort, RunningAgent } from './signIn';
import { SignInFlow, type Wanted } from './signInFlow';
import { SessionStore } from './store';

/** What a session needs from the rest of the product. */
export interface SessionPorts extends RoomPorts {
  readonly account: AccountPort;
  /** The running agent for this launch, started when nobody has one that is up to date. */
  link(launch: AgentLaunch, cwd: string): AgentLink;
  /** False for an agent that was started before something that only later ones know of. */
  isCurrent(link: AgentLink): boolean;
  /** Agents of this name that run are not up to date any more. */
  outdate(agentName: string): void;
  /** It lives on for those who are there; nobody else joins it. */
  retire(link: AgentLink): void;
  /** This session's user has signed in: others that wait for it may go on. */
  signedIn(session: Session, method: AuthMethod, link: AgentLink | undefined): void;
  signedOut(session: Session, link: AgentLink): void;
}

/** A session that the agent keeps, for the conversation to become. */
export interface AgentSession {
  readonly sessionId: string;
  readonly title?: string;
  /** ISO 8601 */
  readonly updatedAt?: string;
}

/** How long a closing agent may take to answer before it is stopped. */
const CLOSE_MS = 2000;

export class Session implements Disposable {
  readonly store: SessionStore;
  private readonly folders: SessionRoots;
  private readonly rooms: SessionRooms;
  private readonly entrance: Entrance;
  private readonly signingIn: SignInFlow;
  private readonly giveBackListeners = new Set<(text: string, others: readonly ContentBlock[]) => void>();
  private link: AgentLink | undefined;
  private membership: Disposable | undefined;
  private dialect: Dialect | undefined;
  /** What the running turn was started with. */
  private prompted: { readonly turnId: string; readonly content: readonly ContentBlock[] } | undefined;
  /** The method that a new process must be told of before anything else. */
  private authenticateFirst: AuthMethod | undefined;
  /** Why the agent is gone, while what waits for a sign-in holds the session. */
  private lost: Failure | undefined;
  /** A prompt that waits for the session to be brought back. */
  private unsent: readonly ContentBlock[] | undefined;
  /** The user has been told that the agent does not know of the further folders. */
  private folderRemark = false;
  /** The user has ended it, the agent has not confirmed yet. */
  private closing = false;
  private turns = 0;
  private notices = 0;
  private disposed = false;

  constructor(
    /** Ours, not the agent's: names the journal and the panel. */
    readonly key: string,
    /** The agent's name in settings. */
    readonly agentName: string,
    roots: Roots,
    private readonly ports: SessionPorts,
    /** Absent for a conversation that nothing can continue: it can only be read. */
    readonly launch?: AgentLaunch,
    /** Absent: a new session, or the one this conversation was. */
    private from?: AgentSession,
  ) {
    this.store = new SessionStore(ports.clock);
    this.folders = new SessionRoots(roots);
    this.rooms = new SessionRooms(key, agentName, this.folders, this.store, ports);
    const host = {
      clock: ports.clock,
      store: this.store,
      rooms: this.rooms,
      roots: this.folders,
      prologue: (dialect: Dialect, folders: Roots) => this.prologue(dialect, folders),
      entered: (remark?: Failure) => this.entered(remark),
      notEntered: (failure: Failure) => this.notEntered(failure),
    };
    this.entrance = new Entrance(host, from !== undefined);
    this.signingIn = new SignInFlow(this.store, {
      launch,
      cwd: roots.cwd,
      account: ports.account,
      agent: () => this.agent(),
      reconnect: (method) => this.reconnect(method),
      canRenew: () => this.canRenew(),
      outdate: () => ports.outdate(agentName),
      signedIn: (method) => ports.signedIn(this, method, this.link),
    });
  }

  /** Starts the agent, or joins it, and asks for a session. Also after a failure: the conversation so far stays. */
  open(): void {
    const { launch } = this;
    if (!launch || this.disposed || this.membership || this.store.state.status === 'ended') {
      return;
    }
    this.start(launch);
  }

  /** The folders it may touch; the further ones can change. */
  get roots(): Roots {
    return this.folders;
  }

  private start(launch: AgentLaunch): void {
    const { title, updatedAt } = this.from ?? {};
    this.store.append(this.opened(this.roots), ...titled(title, updatedAt));
    this.from = undefined;
    this.lost = undefined;
    const { owing } = this.entrance;
    if (owing) {
      this.ports.retire(owing);
    }
    this.link = this.ports.link(launch, this.roots.cwd);
    // The link may end while it is being joined: the membership is then already of no use.
    const membership = this.link.join(this.listener());
    if (this.store.state.status === 'failed') {
      membership.dispose();
    } else {
      this.membership = membership;
    }
  }

  /** Sends a prompt. What was wrong comes back when the session cannot take one now. */
  prompt(content: readonly ContentBlock[]): Failure | undefined {
    const { state } = this.store;
    if (!takesPrompts(state) || !this.dialect || state.sessionId === undefined) {
      return { code: state.turn ? 'turn.busy' : state.status === 'ended' ? 'session.ended' : 'session.not_ready' };
    }
    const { refused } = fitPrompt(content, state.promptCapabilities);
    if (refused.length > 0) {
      return { code: 'turn.not_taken', params: { types: [...new Set(refused.map(({ type }) => type))].join(', ') } };
    }
    const turnId = `turn-${this.store.seq}-${++this.turns}`;
    this.store.append({ type: 'turn_started', turnId }, { type: 'message', role: 'user', messageId: turnId, content });
    this.send(turnId, content);
    return undefined;
  }

  /** As {@link prompt}; where the agent is gone and can bring the session back, that comes first, and what fails then is given back. */
  submit(content: readonly ContentBlock[]): Failure | undefined {
    if (!this.launch || this.store.state.status !== 'disconnected' || !canResume(this.store.state)) {
      return this.prompt(content);
    }
    this.unsent = content;
    this.resume();
    return undefined;
  }

  /** Brings the session back at its agent, also one that was ended. No new one takes its place when that fails. */
  resume(): void {
    const { launch } = this;
    if (!launch) {
      this.notice('', { code: 'session.agent_removed', params: { agent: this.agentName } });
    } else if (!this.disposed && !this.membership && !this.closing) {
      this.entrance.insist();
      this.start(launch);
    }
  }

  /**
   * Loads or resumes the session again with these folders beside its `cwd`, all of them absolute. What was wrong comes back; what the agent has
   * against it is told in the conversation, which goes on with the folders it had.
   */
  changeFolders(additionalDirectories: readonly string[]): Failure | undefined {
    const agent = this.agent();
    const { state } = this.store;
    if (!takesPrompts(state) || !agent || state.sessionId === undefined) {
      return { code: state.turn ? 'turn.busy' : state.status === 'ended' ? 'session.ended' : 'session.not_ready' };
    }
    const { offers } = state;
    if (!offers.additionalDirectories || !(offers.load || offers.resume)) {
      return { code: 'session.folders_fixed' };
    }
    const roots = new SessionRoots({ cwd: this.roots.cwd, additionalDirectories });
    this.store.append(this.opened(roots));
    this.entrance.change(agent, state.sessionId, roots, (failure) => {
      if (failure) {
        this.store.append(this.opened(this.roots), { type: 'session_ready', sessionId: state.sessionId! });
        this.notice('', failure);
      } else {
        this.folders.change(roots.additionalDirectories);
      }
      this.entered();
    });
    return undefined;
  }

  /** Stops the running turn: open tool calls and what waits for an answer end at once, the agent confirms later. */
  cancel(): void {
    const { turn, sessionId } = this.store.state;
    if (!turn || turn.cancelling || sessionId === undefined) {
      return;
    }
    this.store.append({ type: 'turn_cancelling' });
    if (this.signingIn.giveUpTurn()) {
      this.afterGivingUp(); // Nothing runs at the agent: nobody would confirm.
      return;
    }
    this.dialect?.cancel(sessionId);
    this.rooms.settleRequests('cancelled');
  }

  /** False when the answer came too late. */
  answerPermission(permissionId: string, optionId: string): boolean {
    return this.ports.permissions.answer(this.key, permissionId, optionId);
  }

  /** The elicitations of this session, for whoever brings the user's answer. */
  get elicitations(): Elicitations {
    return this.rooms.elicitations;
  }

  setConfig(configId: string, value: string | boolean): void {
    const { sessionId, config } = this.store.state;
    if (!this.dialect || sessionId === undefined) {
      return;
    }
    this.dialect.setConfig(sessionId, configId, value, (outcome) => {
      const giveUp = (failure: Failure): void => this.notice(config.find((option) => option.configId === configId)?.name ?? configId, failure);
      if (outcome.ok) {
        this.store.append(...outcome.value);
      } else if (this.signingIn.helps(outcome.failure)) {
        this.signingIn.want(outcome.failure, { what: `config ${configId}`, again: () => this.setConfig(configId, value), giveUp });
      } else {
        giveUp(outcome.failure);
      }
    });
  }

  stopTerminal(terminalId: string): void {
    this.rooms.stopTerminal(terminalId).catch((error: unknown) => this.notice(terminalId, failureOf(error)));
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
        if (this.store.state.status === 'starting') {
          this.failed({ code: 'agent.start_cancelled' });
        }
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
    if (this.store.state.status === 'ended' || this.disposed) {
      return;
    }
    if (methodId !== undefined) {
      this.signingIn.start(methodId);
    } else {
      this.signingIn.dismiss();
      this.afterGivingUp();
    }
  }

  signOut(): void {
    const { link } = this;
    if (!link || showsSignIn(this.store.state)) {
      return;
    }
    this.dialect?.logout?.((outcome) => {
      if (this.link !== link) {
        return; // Left meanwhile: the next process says how it is.
      }
      // Who must sign in before signing out is signed out.
      if (outcome.ok || outcome.failure.code === 'auth.required') {
        this.store.append({ type: 'sign_in', status: 'signed_out' });
        this.ports.signedOut(this, link);
      } else {
        this.notice(this.agentName, outcome.failure);
      }
    });
  }

  /** Somebody has signed in at this agent in another session: what waits here for that goes on. */
  onSignedInElsewhere(method: AuthMethod, link: AgentLink | undefined): void {
    if (this.link && this.link === link && !showsSignIn(this.store.state)) {
      this.store.append({ type: 'sign_in', status: 'signed_in', methodId: method.methodId });
    }
    this.signingIn.onSignedInElsewhere(method);
  }

  onSignedOutElsewhere(link: AgentLink): void {
    if (this.link === link && !showsSignIn(this.store.state)) {
      this.store.append({ type: 'sign_in', status: 'signed_out' });
    }
  }

  /** What was not taken of a prompt, for the composer: its text, which may be empty, and what went with it. */
  onGiveBack(listener: (text: string, others: readonly ContentBlock[]) => void): Disposable {
    this.giveBackListeners.add(listener);
    return { dispose: () => void this.giveBackListeners.delete(listener) };
  }

  /** The user is done with it: stops the turn, closes the session at the agent, and stops the process when it was the last. */
  async end(): Promise<void> {
    if (this.store.state.status === 'ended') {
      return;
    }
    this.cancel();
    const { dialect } = this;
    const { sessionId, status } = this.store.state;
    this.signingIn.clear();
    if (this.unsent) {
      this.giveBack(this.unsent);
      this.unsent = undefined;
    }
    this.closing = true;
    this.store.append({ type: 'session_ended' });
    if (status === 'ready' && sessionId !== undefined && dialect?.closeSession) {
      const close = dialect.closeSession.bind(dialect);
      await new Promise<void>((resolve) => {
        const limit = this.ports.clock.after(CLOSE_MS, resolve);
        close(sessionId, () => {
          limit.dispose();
          resolve();
        });
      });
    }
    this.closing = false;
    this.leave();
  }

  /** The window closes: what runs is stopped, nothing more is said to the agent. */
  dispose(): void {
    this.disposed = true;
    this.signingIn.clear();
    this.leave();
    this.rooms.dispose();
    this.giveBackListeners.clear();
  }

  private listener(): LinkListener {
    return {
      onProgress: (command, line) => {
        if (this.store.state.status === 'starting') {
          this.store.append({ type: 'start_progress', command, ...(line !== undefined && { line }) });
        }
      },
      onReady: (dialect) => this.onAgent(dialect),
      onEnd: (failure) => this.fail(failure),
    };
  }

  private opened({ cwd, additionalDirectories }: Roots): SessionHappening {
    const sessionId = this.from?.sessionId ?? this.store.state.sessionId;
    return {
      type: 'session_opened',
      agentName: this.agentName,
      cwd,
      ...(additionalDirectories.length > 0 && { additionalDirectories }),
      ...(sessionId !== undefined && { sessionId }),
    };
  }

  private onAgent(dialect: Dialect): void {
    const { link, authenticateFirst } = this;
    this.dialect = dialect;
    this.store.append(initialized(dialect));
    this.authenticateFirst = undefined;
    const agent = this.agent();
    if (authenticateFirst && agent && !link?.authenticatedBy.has(authenticateFirst.methodId)) {
      this.signingIn.authenticateFirst(authenticateFirst, agent, this.entering());
    } else {
      this.enter();
    }
  }

  private agent(): RunningAgent | undefined {
    const { link, dialect } = this;
    return link && dialect && { link, dialect, peer: this.rooms.peer };
  }

  private enter(): void {
    const agent = this.agent();
    if (agent) {
      this.entrance.enter(agent);
    }
  }

  /** What it begins with, as far as it is known before the agent tells it. */
  private prologue(dialect: Dialect, roots: Roots): SessionHappening[] {
    const { title, updatedAt, signIn } = this.store.state;
    return [
      this.opened(roots),
      initialized(dialect),
      ...(signIn ? [{ type: 'sign_in', ...signIn } as const] : []),
      ...titled(title, updatedAt),
    ];
  }

  /** It takes prompts: what waited for that goes on. */
  private entered(remark?: Failure): void {
    if (remark) {
      this.say(remark);
    }
    const { offers } = this.store.state;
    const { additionalDirectories } = this.roots;
    if (additionalDirectories.length > 0 && !offers.additionalDirectories && !this.folderRemark) {
      this.folderRemark = true;
      this.say({ code: 'session.folders_untold', params: { folders: additionalDirectories.join(', ') } });
    }
    this.signingIn.goOn();
    const { unsent } = this;
    this.unsent = undefined;
    const refused = unsent && this.prompt(unsent);
    if (refused) {
      this.notice(this.agentName, refused);
      this.giveBack(unsent);
    }
  }

  private notEntered(failure: Failure): void {
    if (this.signingIn.helps(failure)) {
      this.signingIn.want(failure, this.entering());
    } else {
      this.fail(failure);
    }
  }

  private entering(): Wanted {
    return { what: 'session', again: () => this.enter(), giveUp: (failure) => this.fail(failure) };
  }

  private send(turnId: string, content: readonly ContentBlock[]): void {
    const { dialect, link } = this;
    const { sessionId, promptCapabilities, turn } = this.store.state;
    if (!dialect || !link || sessionId === undefined) {
      return;
    }
    if (turn?.turnId !== turnId) {
      // The conversation was told again meanwhile, without this prompt, which the agent never took.
      this.store.append({ type: 'turn_started', turnId }, { type: 'message', role: 'user', messageId: turnId, content });
    }
    this.prompted = { turnId, content };
    this.request<TurnResult>(
      link,
      (settled) => dialect.prompt(sessionId, fitPrompt(content, promptCapabilities).content, settled),
      (outcome) => {
        // When the window closes, the journal shall say that the turn was interrupted, not that it failed.
        if (!this.disposed) {
          this.onTurn(turnId, content, outcome);
        }
      },
    );
  }

  private onTurn(turnId: string, content: readonly ContentBlock[], outcome: Outcome<TurnResult>): void {
    const turn = this.store.state.turn?.turnId === turnId ? this.store.state.turn : undefined;
    const end = (stopReason: string, failure?: Failure): void => {
      this.store.append({ type: 'turn_ended', turnId, stopReason, ...(failure && { failure }) });
      this.rooms.turnStopped(turnId);
    };
    if (outcome.ok) {
      const { happenings, stopReason } = outcome.value;
      this.store.append(...happenings, { type: 'turn_ended', turnId, stopReason });
      if (stopReason !== 'cancelled') {
        this.signingIn.accepted();
      }
      if (stopReason === 'refusal') {
        this.giveBack(content);
      } else if (stopReason === 'cancelled') {
        this.rooms.turnStopped(turnId);
      }
      return;
    }
    const failure = this.signingIn.withMethods(outcome.failure);
    if (turn?.cancelling && isAbort(failure)) {
      // Agents shall answer `cancelled` (page "Prompt Turn"), but some let through the error that their stopping raised.
      end('cancelled');
    } else if (turn?.cancelling && failure.code === 'auth.required') {
      end('cancelled');
      this.giveBack(content); // Not a word of it was taken.
    } else if (turn && this.signingIn.helps(failure)) {
      const giveUp = (): void => {
        const { turn: running } = this.store.state;
        if (running?.turnId === turnId) {
          end(running.cancelling ? 'cancelled' : 'error', running.cancelling ? undefined : failure);
        }
        this.giveBack(content);
      };
      this.signingIn.want(failure, { what: 'turn', again: () => this.send(turnId, content), giveUp });
    } else if (turn) {
      end('error', failure);
      this.giveBack(content);
    }
  }

  /** True when another process, of after a sign-in, can take over without the conversation being forgotten. */
  private canRenew(): boolean {
    const { link, dialect } = this;
    const { status } = this.store.state;
    return link !== undefined && !this.ports.isCurrent(link) && (status === 'starting' || !!(dialect?.loadSession ?? dialect?.resumeSession));
  }

  /** Goes on with a process that knows of the sign-in. */
  private reconnect(authenticateFirst?: AuthMethod): void {
    this.leave();
    this.signingIn.forgetSession();
    this.authenticateFirst = authenticateFirst;
    this.open();
  }

  /** What held a session whose agent is gone does not any more. */
  private afterGivingUp(): void {
    if (this.lost && !this.signingIn.holds) {
      this.failed(this.lost);
    }
  }

  /** The agent is gone, or never came, or was not waited for. */
  private fail(failure: Failure): void {
    if (this.signingIn.holds && !this.disposed) {
      // Some agents end when they may not do what was asked: signing in is still what helps, and starts them anew.
      this.leave();
      this.lost = failure;
    } else {
      this.failed(failure);
    }
  }

  private failed(failure: Failure): void {
    const { status, turn } = this.store.state;
    const { unsent } = this;
    this.lost = undefined;
    this.unsent = undefined;
    this.signingIn.clear();
    if (status === 'starting') {
      this.store.append({ type: 'session_failed', failure });
    } else if (status === 'ready') {
      this.store.append({ type: 'disconnected', failure });
    }
    if (turn && turn.turnId === this.prompted?.turnId && (status === 'starting' || status === 'ready')) {
      this.giveBack(this.prompted.content);
    }
    if (unsent) {
      this.giveBack(unsent);
    }
    this.leave();
  }

  private leave(): void {
    this.entrance.leave(this.link);
    this.authenticateFirst = undefined;
    this.dialect = undefined;
    this.rooms.close();
    const { membership } = this;
    this.membership = undefined;
    this.link = undefined;
    membership?.dispose();
  }

  /** A request during which the agent may ask something back by the request's id. */
  private request<T>(link: AgentLink, start: (settled: Settled<T>) => Ongoing, settled: Settled<T>): void {
    let owned: Disposable | undefined = undefined;
    const { requestId } = start((outcome) => {
      owned?.dispose();
      settled(outcome);
    });
    owned = link.own(requestId, this.rooms.peer);
  }

  private say(failure: Failure): void {
    this.store.append({ type: 'notice', noticeId: `session-${this.store.seq}`, severity: 'info', title: '', failure });
  }

  private notice(title: string, failure: Failure): void {
    this.store.append({ type: 'notice', noticeId: `notice-${this.store.seq}-${++this.notices}`, severity: 'error', title, failure });
  }

  private giveBack(content: readonly ContentBlock[]): void {
    const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
    const others = content.filter(({ type }) => type !== 'text');
    if (text || others.length > 0) {
      this.giveBackListeners.forEach((listener) => listener(text, others));
    }
  }
}

function titled(title: string | undefined, updatedAt: string | undefined): SessionHappening[] {
  if (title === undefined && updatedAt === undefined) {
    return [];
  }
  return [{ type: 'session_info', ...(title !== undefined && { title }), ...(updatedAt !== undefined && { updatedAt }) }];
}

function initialized(dialect: Dialect): SessionHappening {
  const { protocolVersion, promptCapabilities, authMethods, offers, agent, introduction } = dialect;
  return { type: 'agent_initialized', protocolVersion, promptCapabilities, authMethods, offers, ...(agent && { agent }), ...introduction };
}
