/**
 * Runs the state machine of `lifecycle.ts` for one session: dispatches the events and performs the effects. Events that arrive during an effect are
 * queued.
 */
import type { Dialect } from '../../acp/dialect';
import { isRemote } from '../../core/agents/endpoint';
import type { AuthMethod } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import type { Disposable } from '../../core/platform/disposable';
import type { Roots } from '../../core/model/roots';
import { showsSignIn } from '../../core/model/select';
import { setupIn, type SessionSetup } from '../../core/model/sessionSetup';
import { shownValues } from '../../core/preferences/agentPreferences';
import type { AgentConnection, SessionPeer } from '../agent/agentConnection';
import type { RunningAgent } from '../agent/agentRequest';
import { type OptionRequestDependencies, OptionRequests } from '../agent/optionRequests';
import { closeSession, signOut } from '../agent/requests';
import { type PendingRequest, SignInFlow, type SignInOutcome } from '../agent/signInFlow';
import type { SessionReference } from './sessionDependencies';
import { Turns } from './turns';
import { AgentAttachment } from '../agent/agentAttachment';
import type { Adoption } from './adoption';
import { Folders } from './folders';
import { gapOf } from './gapNotice';
import { eventsBefore, initialized, opened, titled } from './initialEvents';
import { initialState, type LifecycleEffect, type LifecycleEvent, type LifecycleFacts, type LifecycleState, transition } from './lifecycle';
import { isSpoken } from '../state/replayTarget';
import type { LifecycleDependencies } from './lifecycleDependencies';
import type { RequestEffect } from './requestSetup';
import { SessionOpener } from './sessionOpener';
import { SessionServers } from './sessionServers';
import type { StoppedWork } from './stopWork';

export class SessionLifecycle implements Disposable {
  readonly turns: Turns;
  readonly folders: Folders;
  private readonly servers: SessionServers;
  /** The session's handlers for the agent's messages. The same object for all attachments. */
  private readonly peer: SessionPeer;
  private readonly signIn: SignInFlow;
  private readonly opener: SessionOpener;
  private state: LifecycleState;
  /** The current attachment; undefined while there is none. */
  private attachment: AgentAttachment | undefined;
  /** The start that waits for the user's decision about trust in its folders. */
  private starting: Disposable | undefined;
  /** The attachment before, which may still have a pending request for the session. */
  private previous: AgentAttachment | undefined;
  readonly options: OptionRequests;
  private readonly events: LifecycleEvent[] = [];
  private isDispatching = false;
  /** The values to set in the opened session: the user's last choices, for a new one, and those that the agent may not remember. */
  private chosen: Readonly<Record<string, string | boolean>> = {};
  /** Resolves when the agent has confirmed the end. */
  private closing: Promise<void> | undefined;
  /** The last frame of the adopted agent that the conversation has. */
  private storedFrame: number | undefined;

  /** @param reference the session to open; undefined for a new one, or for the conversation's own */
  constructor(
    private readonly deps: LifecycleDependencies,
    reference: SessionReference | undefined,
  ) {
    const { launch, store, services, notices, roots, shared } = deps;
    this.state = initialState(reference);
    this.signIn = new SignInFlow({
      store,
      launch,
      cwd: roots.cwd,
      account: shared.account,
      agent: () => this.attachment?.agent,
      canRenew: () => this.canRenew(),
      markStale: () => shared.markStale(deps.agentId),
      emit: (outcome) => this.onSignIn(outcome),
    });
    this.opener = new SessionOpener(
      shared.clock,
      store,
      services,
      (agent, at) => this.initialEvents(agent.dialect, at),
      (sessionId) => shared.leftUnprompted?.(deps, sessionId),
    );
    const attachment = (): AgentAttachment | undefined => this.attachment;
    this.turns = new Turns({ ...deps, signIn: this.signIn, attachment, turnEnded: () => deps.sendQueued() });
    const storedFrame = (): number | undefined => this.storedFrame;
    this.peer = {
      ...services.peer,
      onTurnStarted: () => this.turns.began(),
      onTurnEnded: (end) => this.turns.ended(end),
      get storedFrame() {
        return storedFrame();
      },
    };
    this.folders = new Folders(roots, notices, store);
    this.servers = new SessionServers(deps);
    const refused: OptionRequestDependencies['refused'] = (...args) => shared.optionRefused?.(deps.agentId, ...args);
    this.options = new OptionRequests({ ...deps, clock: shared.clock, signIn: this.signIn, attachment, refused });
  }

  get connection(): AgentConnection | undefined {
    return this.attachment?.connection;
  }

  /** Takes over the status of a conversation that was restored from a journal. */
  restored(): void {
    if (this.state.name === 'disconnected' && this.deps.store.state.status === 'ended') {
      this.state = initialState(this.state.target.reference, true);
    }
  }

  /** Starts or joins the agent and requests a session. After a failure the conversation is kept. */
  open(): void {
    if (this.deps.launch) {
      this.dispatch({ type: 'open' });
    }
  }

  /** Like `open`, also for an ended session. A failure does not lead to a new session. */
  resume(): void {
    this.dispatch({ type: 'resume' });
  }

  /** Continues with the agent of an earlier window. */
  adopt(adoption: Adoption): void {
    this.storedFrame = adoption.storedFrame;
    this.dispatch({ type: 'adopt', adoption });
  }

  readonly cancelStart = (): void => this.dispatch({ type: 'cancel_start' });

  changeFolders(additionalDirectories: readonly string[]): Failure | undefined {
    const wanted = this.folders.wanted(additionalDirectories);
    if ('failure' in wanted) {
      return wanted.failure;
    }
    this.dispatch({ type: 'change_folders', roots: wanted.roots });
    return undefined;
  }

  /** Stops the running turn; see {@link Turns.cancel}. */
  cancelTurn(interrupting = false): void {
    this.turns.cancel(interrupting);
    this.afterGivingUp();
  }

  /** Stops one tool call or terminal of the agent. */
  async stopWork(work: StoppedWork): Promise<void> {
    const { stopWork } = await import('./stopWork');
    const { sessionId } = this.deps.store.state;
    if (this.attachment && sessionId !== undefined) {
      stopWork(this.attachment, sessionId, work, (failure) => this.deps.notices.warn('', failure));
    }
  }

  /** Makes the agent forget this message of the user and everything after it. */
  async rewindBefore(entryId: string): Promise<Failure | undefined> {
    const { rewindBefore } = await import('./rewind');
    return rewindBefore(this.attachment, this.deps.store, entryId);
  }

  /** Signs in by this method. Without one, the user cancels. */
  signInBy(methodId: string | undefined): void {
    const { name } = this.state;
    if (name === 'ended' || name === 'closing' || name === 'disposed') {
      return;
    }
    if (methodId !== undefined) {
      this.signIn.start(methodId);
    } else {
      this.signIn.dismiss();
      this.afterGivingUp();
    }
  }

  /** Signs out at the agent. @param offer then shows the ways to sign in, also at an agent that cannot sign out */
  signOut(offer = false): void {
    signOut({ ...this.deps, attachment: this.attachment }, this.deps.signedOut, offer ? () => this.signIn.offer() : undefined);
  }

  /** Continues the waiting requests after a sign-in at this agent in another session. */
  onSignedInElsewhere(method: AuthMethod, connection: AgentConnection | undefined): void {
    const { store } = this.deps;
    if (this.attachment && this.attachment.connection === connection && !showsSignIn(store.state)) {
      store.append({ type: 'sign_in', status: 'signed_in', methodId: method.methodId });
    }
    this.signIn.onSignedInElsewhere(method);
  }

  onSignedOutElsewhere(connection: AgentConnection): void {
    const { store } = this.deps;
    if (this.attachment?.connection === connection && !showsSignIn(store.state)) {
      store.append({ type: 'sign_in', status: 'signed_out' });
    }
  }

  /** Leaves the agent's process, which later starts do not join, and requests the session from a new one. `byUser`: see `lifecycleTypes.ts`. */
  readonly restartAgent = (byUser: boolean): void => this.dispatch({ type: 'restart_agent', byUser });

  /** Ends the session for the user. Resolves when the agent has confirmed that, or its time has expired. */
  async end(): Promise<void> {
    this.dispatch({ type: 'end' });
    await this.closing;
  }

  /** Detaches when the window closes. Later responses are ignored. */
  dispose(): void {
    this.signIn.clear();
    this.servers.detach(true);
    this.dispatch({ type: 'dispose' });
    this.turns.dispose();
  }

  private dispatch(event: LifecycleEvent): void {
    this.events.push(event);
    if (this.isDispatching) {
      return;
    }
    this.isDispatching = true;
    try {
      for (let next = this.events.shift(); next; next = this.events.shift()) {
        const { state, effects } = transition(this.state, next, this.facts());
        this.state = state;
        effects.forEach((effect) => this.perform(effect));
      }
    } finally {
      this.isDispatching = false;
    }
  }

  private facts(): LifecycleFacts {
    const { launch, store } = this.deps;
    const { sessionId, authMethods, reconnect, capabilities } = store.state;
    const { connection, agent } = this.attachment ?? {};
    return {
      sessionId,
      isSpoken: isSpoken(store.state),
      // Other clients may have used the session meanwhile. An idle one that reconnects by itself says so instead, unless it knows of other clients.
      isReplayWanted: reconnect && !capabilities.reportsTurns ? reconnect.wasBusy : launch !== undefined && isRemote(launch),
      canLoad: agent?.dialect.loadSession !== undefined,
      canResume: agent?.dialect.resumeSession !== undefined,
      canFork: agent?.dialect.forkSession !== undefined,
      isOpenElsewhere: sessionId !== undefined && connection !== undefined && connection.isClaimed(sessionId),
      canSignIn: authMethods.length > 0 && launch !== undefined,
      isHeld: this.signIn.holds,
    };
  }

  private perform(effect: LifecycleEffect): void {
    const { store, notices, roots, setup, shared, agentId, launch } = this.deps;
    switch (effect.type) {
      case 'start':
        return this.start(effect.reference, effect.byUser);
      case 'join_kept':
        return this.joinKept(effect.adoption);
      case 'adopt_session':
        return this.adoptSession(effect.adoption);
      case 'record_agent':
        return store.append(initialized(effect.dialect));
      case 'authenticate':
        return this.attachment?.withAgent((agent) => this.signIn.authenticateFirst(effect.method, agent));
      case 'require_sign_in':
        return this.signIn.want(effect.failure, { what: 'session' });
      case 'request_session':
        return this.attachment?.withAgent((agent, attachment) => {
          if (effect.roots) {
            store.append(this.openedEvent(effect.roots));
          }
          const wantedRoots = effect.roots ?? roots;
          this.servers.of(wantedRoots, agent, (mcpServers) =>
            this.withSetup(attachment, agent, effect, setupIn(wantedRoots, { ...setup, mcpServers }), (wanted) =>
              this.opener.request(attachment, agent, { ...effect, setup: wanted }, (outcome) =>
                this.dispatch(
                  outcome.ok ? { type: 'session_opened', opened: outcome.value } : { type: 'session_refused', failure: outcome.failure },
                ),
              ),
            ),
          );
        });
      case 'accept_session': {
        this.chosen = {
          ...(effect.method === 'new' && { ...shared.chosenOptions?.(agentId), ...setup.preferred }),
          // Values before the first session are the agent's defaults.
          ...(store.state.sessionId !== undefined && shownValues(store.state.config)),
        };
        const gap = gapOf(store.state, launch, effect);
        [this.opener.accept(effect), gap].forEach((remark) => remark && notices.inform(remark));
        return;
      }
      case 'accept_folders':
        this.chosen = shownValues(store.state.config);
        this.opener.accept({ ...effect, isUnrecorded: false });
        return roots.change(effect.roots.additionalDirectories);
      case 'keep_folders':
        roots.change(roots.additionalDirectories);
        store.append(this.openedEvent(roots), { type: 'session_ready', sessionId: store.state.sessionId ?? '' });
        return notices.warn('', effect.failure);
      case 'send_pending':
        return this.sendPending();
      case 'fail': {
        this.signIn.clear();
        const untaken = this.turns.take();
        store.append({ type: effect.event, failure: effect.failure });
        // A prompt that the conversation has kept stays there: a remote agent may have it, and Retry is shown again with the connection.
        return untaken || !launch || !isRemote(launch) ? this.turns.returnPrompt(untaken) : undefined;
      }
      case 'record_end':
        this.signIn.clear();
        // Counts a running turn as stopped by the user: its prompt is not returned.
        this.turns.take();
        this.deps.services.ended();
        return store.append({ type: 'session_ended' });
      case 'close_session':
        return this.close();
      case 'detach':
        return this.detach();
    }
  }

  /** Calls `request` with the whole setup, at once unless parts of it have to be loaded. */
  private withSetup(
    attachment: AgentAttachment,
    agent: RunningAgent,
    effect: RequestEffect,
    setup: SessionSetup,
    request: (setup: SessionSetup) => void,
  ): void {
    const { shared, roots } = this.deps;
    const { systemPrompt, options } = agent.dialect.sessionCapabilities;
    const configured = effect.method === 'new' ? shared.instructions?.(this.deps, roots.cwd) : undefined;
    if (!configured && !systemPrompt && !options) {
      request(setup);
      return;
    }
    const isCurrent = (): boolean => this.attachment === attachment;
    void import('./requestSetup')
      .then((loaded) => loaded.requestSetup(this.deps, setup, effect, attachment, configured, isCurrent))
      // An update of the extension may have deleted the file.
      .catch(() => setup)
      .then((whole) => isCurrent() && request(whole));
  }

  private start(reference: SessionReference | undefined, byUser: boolean): void {
    const { launch, store, roots, shared, agentName } = this.deps;
    if (!launch) {
      this.dispatch({ type: 'agent_ended', failure: { code: 'session.agent_removed', params: { agent: agentName } } });
      return;
    }
    store.append(this.openedEvent(roots, reference?.sessionId), ...titled(reference?.title, reference?.updatedAt));
    if (this.previous?.isOpenPending) {
      shared.retire(this.previous.connection);
    }
    shared.servers?.prepare?.();
    let isSettled = false;
    const starting = shared.start({ launch, roots, byUser, sandbox: this.deps.sandbox.announce() }, (outcome) => {
      isSettled = true;
      this.starting = undefined;
      return outcome.ok ? this.join(outcome.value) : this.dispatch({ type: 'start_refused', failure: outcome.failure });
    });
    this.starting = isSettled ? undefined : starting;
  }

  private joinKept({ agent: adopted }: Adoption): void {
    const { launch, roots, shared, sandbox } = this.deps;
    let isSettled = false;
    const joining =
      launch &&
      shared.start({ launch, roots, byUser: false, sandbox: sandbox.announce(), adopted }, (outcome) => {
        isSettled = true;
        this.starting = undefined;
        return outcome.ok ? this.join(outcome.value) : this.dispatch({ type: 'start_refused', failure: outcome.failure });
      });
    this.starting = isSettled ? undefined : joining;
  }

  private adoptSession(adoption: Adoption): void {
    const { store, services, key, sendQueued, roots } = this.deps;
    this.attachment?.withAgent((agent, attachment) => {
      adoption.begin({ store, services, turns: this.turns, attachment, dialect: agent.dialect });
      const server = adoption.agent.kept.servers?.[key];
      void (server && this.servers.continue(roots, agent, server));
    });
    adoption.agent.settled(key, true);
    sendQueued();
  }

  private join(connection: AgentConnection): void {
    const { store } = this.deps;
    const attachment = new AgentAttachment(connection, this.peer);
    this.attachment = attachment;
    attachment.join({
      onProgress: (command, line) => {
        if (store.state.status === 'starting') {
          store.append({ type: 'start_progress', command, ...(line !== undefined && { line }) });
        }
      },
      onReady: (dialect) => this.dispatch({ type: 'agent_ready', dialect, authenticatedBy: connection.authenticatedBy }),
      onEnd: (failure) => this.dispatch({ type: 'agent_ended', failure }),
    });
  }

  private close(): void {
    const { store, shared } = this.deps;
    const dialect = this.attachment?.agent?.dialect;
    const { sessionId } = store.state;
    const closed = dialect && sessionId !== undefined ? closeSession(dialect, sessionId, shared.clock) : Promise.resolve();
    this.closing = closed.then(() => this.dispatch({ type: 'closed' }));
  }

  private detach(): void {
    const { attachment } = this;
    this.attachment = undefined;
    this.storedFrame = undefined;
    this.starting?.dispose();
    this.starting = undefined;
    attachment?.detach();
    this.servers.detach();
    this.options.reset();
    this.turns.detach();
    this.opener.detach();
    this.deps.services.close();
    attachment?.dispose();
    this.previous = attachment ?? this.previous;
  }

  /** Continues the work that waited for an open session. */
  private sendPending(): void {
    this.folders.warnOfUntold();
    this.servers.warnOfLeftOut();
    const { chosen } = this;
    this.chosen = {};
    // A prompt that waited for a sign-in must not reach another mode than the user sees.
    this.options.setAll(chosen, () => this.signIn.retryAll());
  }

  private onSignIn(outcome: SignInOutcome): void {
    switch (outcome.type) {
      case 'retry':
        return this.retry(outcome.request);
      case 'give_up':
        return this.giveUp(outcome.request, outcome.failure);
      case 'restart':
        return this.dispatch({
          type: 'restart_signed_in',
          ...(outcome.authenticateFirst && { authenticateFirst: outcome.authenticateFirst }),
        });
      case 'signed_in':
        return this.deps.signedIn(outcome.method, this.attachment?.connection);
    }
  }

  private retry(request: PendingRequest): void {
    switch (request.what) {
      case 'session':
        return this.dispatch({ type: 'signed_in' });
      case 'turn':
        return this.turns.sendAgain();
      case 'config':
        return this.options.set(request.configId, request.value);
    }
  }

  private giveUp(request: PendingRequest, failure: Failure): void {
    switch (request.what) {
      case 'session':
        return this.dispatch({ type: 'sign_in_given_up', failure });
      case 'turn':
        return this.turns.giveUp(failure);
      case 'config':
        return this.deps.notices.warnOfConfig(request.configId, request.value, failure);
    }
  }

  private afterGivingUp(): void {
    if (!this.signIn.holds) {
      this.dispatch({ type: 'sign_in_given_up' });
    }
  }

  /** True when a newer process exists that has the credentials, and the agent can reopen the conversation there. */
  private canRenew(): boolean {
    const { store, shared } = this.deps;
    const { connection, agent } = this.attachment ?? {};
    const isForgotten = store.state.status !== 'starting' && !agent?.dialect.loadSession && !agent?.dialect.resumeSession;
    return connection !== undefined && !shared.isCurrent(connection) && !isForgotten;
  }

  /** The event that names the folders of the session. */
  private openedEvent(roots: Roots, sessionId = this.deps.store.state.sessionId): EventInput {
    return opened(this.deps.agentName, roots, sessionId);
  }

  /** The initial events of the conversation, as far as they are known before the replay. */
  private initialEvents(dialect: Dialect, roots: Roots): EventInput[] {
    return eventsBefore(this.openedEvent(roots), dialect, this.deps.store.state);
  }
}
