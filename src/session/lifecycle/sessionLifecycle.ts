/**
 * A session's presence at its agent: joins the process, enters, goes on with another one after a sign-in, leaves, and says what became of it when
 * the agent is lost.
 */
import type { Dialect } from '../../acp/dialect';
import type { AuthMethod } from '../../core/model/content';
import type { SessionHappening } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import type { AgentLaunch, Disposable, Roots } from '../../core/model/ports';
import { showsSignIn } from '../../core/model/select';
import type { SessionSetup } from '../../core/model/sessionSetup';
import { Entrance } from './sessionOpener';
import type { AgentLink, LinkListener } from '../agent/agentConnection';
import { initialized, opened, titled } from './initialEvents';
import type { Remarks } from '../sessionNotices';
import type { SessionRooms } from '../clientServices';
import type { AgentPorts, AgentSession } from '../sessionDependencies';
import type { RunningAgent } from '../agent/signIn';
import type { SessionRoots } from './sessionRoots';
import { SignInFlow, type Wanted } from '../agent/signInFlow';
import type { SessionStore } from '../store';

/** Its session. */
export interface PresenceHost {
  readonly agentName: string;
  readonly launch: AgentLaunch | undefined;
  readonly store: SessionStore;
  readonly rooms: SessionRooms;
  readonly remarks: Remarks;
  /** As they are now. */
  readonly roots: SessionRoots;
  /** What the agent is asked with for these folders. */
  setup(roots: Roots): SessionSetup;
  readonly ports: Pick<AgentPorts, 'clock' | 'account' | 'link' | 'isCurrent' | 'outdate' | 'retire'>;
  signedIn(method: AuthMethod, link: AgentLink | undefined): void;
  /** It takes prompts: what waited for that goes on. */
  entered(): void;
  /** The agent will not answer any more. What is returned is called when the conversation says so. */
  abandon(): () => void;
}

export class Presence implements Disposable {
  readonly entrance: Entrance;
  readonly signingIn: SignInFlow;
  private link: AgentLink | undefined;
  private membership: Disposable | undefined;
  private dialect: Dialect | undefined;
  /** The method that a new process must be told of before anything else. */
  private authenticateFirst: AuthMethod | undefined;
  /** Why the agent is gone, while what waits for a sign-in holds the session. */
  private lost: Failure | undefined;
  private disposed = false;

  constructor(
    private readonly host: PresenceHost,
    /** Absent: a new session, or the one this conversation was. */
    private from: AgentSession | undefined,
  ) {
    const { launch, agentName, store, rooms, roots, ports } = host;
    this.entrance = new Entrance(
      {
        clock: ports.clock,
        store,
        rooms,
        roots,
        setup: (folders) => host.setup(folders),
        prologue: (dialect, folders) => this.prologue(dialect, folders),
        entered: (remark) => this.entered(remark),
        notEntered: (failure) => this.notEntered(failure),
      },
      from !== undefined,
    );
    this.signingIn = new SignInFlow(store, {
      launch,
      cwd: roots.cwd,
      account: ports.account,
      agent: () => this.agent(),
      reconnect: (method) => this.reconnect(method),
      canRenew: () => this.canRenew(),
      outdate: () => ports.outdate(agentName),
      signedIn: (method) => host.signedIn(method, this.link),
    });
  }

  /** The agent that runs; undefined while none does. */
  agent(): RunningAgent | undefined {
    const { link, dialect } = this;
    return link && dialect && { link, dialect, peer: this.host.rooms.peer };
  }

  /** It is with an agent, or on its way. */
  get isThere(): boolean {
    return this.membership !== undefined;
  }

  /** Starts the agent, or joins it, and asks for a session. Also after a failure: the conversation so far stays. */
  open(): void {
    const { launch, store } = this.host;
    if (launch && !this.disposed && !this.isThere && store.state.status !== 'ended') {
      this.start(launch);
    }
  }

  /** The same also for a session that was ended; no new one takes its place when that fails. */
  reopen(launch: AgentLaunch): void {
    if (!this.disposed && !this.isThere) {
      this.entrance.insist();
      this.start(launch);
    }
  }

  /** The event that says where it takes place, with these folders. */
  opened(roots: Roots): SessionHappening {
    const { agentName, store } = this.host;
    return opened(agentName, roots, this.from?.sessionId ?? store.state.sessionId);
  }

  /** The user does not wait for its start any more. */
  cancelStart(): void {
    if (this.host.store.state.status === 'starting') {
      this.failed({ code: 'agent.start_cancelled' });
    }
  }

  /** What held a session whose agent is gone does not any more. */
  afterGivingUp(): void {
    if (this.lost && !this.signingIn.holds) {
      this.failed(this.lost);
    }
  }

  /** Somebody has signed in at this agent in another session: what waits here for that goes on. */
  onSignedInElsewhere(method: AuthMethod, link: AgentLink | undefined): void {
    const { store } = this.host;
    if (this.link && this.link === link && !showsSignIn(store.state)) {
      store.append({ type: 'sign_in', status: 'signed_in', methodId: method.methodId });
    }
    this.signingIn.onSignedInElsewhere(method);
  }

  onSignedOutElsewhere(link: AgentLink): void {
    const { store } = this.host;
    if (this.link === link && !showsSignIn(store.state)) {
      store.append({ type: 'sign_in', status: 'signed_out' });
    }
  }

  leave(): void {
    this.entrance.leave(this.link);
    this.authenticateFirst = undefined;
    this.dialect = undefined;
    this.host.rooms.close();
    const { membership } = this;
    this.membership = undefined;
    this.link = undefined;
    membership?.dispose();
  }

  dispose(): void {
    this.disposed = true;
    this.signingIn.clear();
    this.leave();
  }

  private start(launch: AgentLaunch): void {
    const { store, roots, ports } = this.host;
    const { title, updatedAt } = this.from ?? {};
    // Before there is an agent that could change them.
    roots.pin();
    store.append(this.opened(roots), ...titled(title, updatedAt));
    this.from = undefined;
    this.lost = undefined;
    const { owing } = this.entrance;
    if (owing) {
      ports.retire(owing);
    }
    this.link = ports.link(launch, roots.cwd);
    // The link may end while it is being joined: the membership is then already of no use.
    const membership = this.link.join(this.listener());
    if (store.state.status === 'failed') {
      membership.dispose();
    } else {
      this.membership = membership;
    }
  }

  private listener(): LinkListener {
    const { store } = this.host;
    return {
      onProgress: (command, line) => {
        if (store.state.status === 'starting') {
          store.append({ type: 'start_progress', command, ...(line !== undefined && { line }) });
        }
      },
      onReady: (dialect) => this.onAgent(dialect),
      onEnd: (failure) => this.fail(failure),
    };
  }

  private onAgent(dialect: Dialect): void {
    const { link, authenticateFirst } = this;
    this.dialect = dialect;
    this.host.store.append(initialized(dialect));
    this.authenticateFirst = undefined;
    const agent = this.agent();
    if (authenticateFirst && agent && !link?.authenticatedBy.has(authenticateFirst.methodId)) {
      this.signingIn.authenticateFirst(authenticateFirst, agent, this.entering());
    } else {
      this.enter();
    }
  }

  /** What it begins with, as far as it is known before the agent tells it. */
  private prologue(dialect: Dialect, roots: Roots): SessionHappening[] {
    const { title, updatedAt, signIn } = this.host.store.state;
    return [
      this.opened(roots),
      initialized(dialect),
      ...(signIn ? [{ type: 'sign_in', ...signIn } as const] : []),
      ...titled(title, updatedAt),
    ];
  }

  private enter(): void {
    const agent = this.agent();
    if (agent) {
      this.entrance.enter(agent);
    }
  }

  private entering(): Wanted {
    return { what: 'session', again: () => this.enter(), giveUp: (failure) => this.fail(failure) };
  }

  /** `remark`: what the user should know of how it came to that. */
  private entered(remark?: Failure): void {
    if (remark) {
      this.host.remarks.say(remark);
    }
    this.host.entered();
  }

  private notEntered(failure: Failure): void {
    if (this.signingIn.helps(failure)) {
      this.signingIn.want(failure, this.entering());
    } else {
      this.fail(failure);
    }
  }

  /** True when another process, of after a sign-in, can take over without the conversation being forgotten. */
  private canRenew(): boolean {
    const { link, dialect } = this;
    const { store, ports } = this.host;
    const { status } = store.state;
    return link !== undefined && !ports.isCurrent(link) && (status === 'starting' || !!(dialect?.loadSession ?? dialect?.resumeSession));
  }

  /** Goes on with a process that knows of the sign-in. */
  private reconnect(authenticateFirst?: AuthMethod): void {
    this.leave();
    this.signingIn.forgetSession();
    this.authenticateFirst = authenticateFirst;
    this.open();
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
    const { store } = this.host;
    const { status } = store.state;
    const abandoned = this.host.abandon();
    this.lost = undefined;
    this.signingIn.clear();
    if (status === 'starting') {
      store.append({ type: 'session_failed', failure });
    } else if (status === 'ready') {
      store.append({ type: 'disconnected', failure });
    }
    abandoned();
    this.leave();
  }
}
