/**
 * What of one session waits for a sign-in, and the sign-in that runs. Any request may fail for want of one (protocol page "Authentication");
 * what the user wanted of it is done again after each sign-in, never by itself, so nothing goes round in circles.
 */
import type { AuthMethod } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { AgentLaunch, Disposable } from '../../core/model/ports';
import { showsSignIn } from '../../core/model/select';
import type { SessionStore } from '../store';
import type { RunningAgent } from './agentRequest';
import { type AccountPort, authenticate, needsNewProcess, signInWith, type SignInStep } from './signIn';

/** What failed for want of a sign-in: the session itself, the running turn's prompt, or an option's value. Of each the newest counts. */
export type PendingRequest =
  | { readonly what: 'session' }
  | { readonly what: 'turn' }
  | { readonly what: 'config'; readonly configId: string; readonly value: string | boolean };

/** What comes of it, for whoever made the requests. */
export type SignInOutcome =
  /** The user has signed in, and the agent that runs knows. */
  | { readonly type: 'retry'; readonly request: PendingRequest }
  /** The user does not want to sign in; `failure` says what was asked for. */
  | { readonly type: 'give_up'; readonly request: PendingRequest; readonly failure: Failure }
  /** Only a process that is started from now on knows; with a method, it must be told of that. A session is asked for anew there. */
  | { readonly type: 'restart'; readonly authenticateFirst?: AuthMethod }
  /** The user has signed in here, by this method. */
  | { readonly type: 'signed_in'; readonly method: AuthMethod };

export interface SignInDependencies {
  readonly store: SessionStore;
  readonly launch: AgentLaunch | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly account: AccountPort;
  /** Undefined while none runs. */
  agent(): RunningAgent | undefined;
  /** True when there is a process of after the last sign-in, or can be, and this session's is older and can be left without loss. */
  canRenew(): boolean;
  /** The user has done what only processes started from now on know of. */
  outdate(): void;
  emit(outcome: SignInOutcome): void;
}

interface Attempt {
  readonly method: AuthMethod;
  ongoing?: Disposable;
}

/** Methods that a failure names, and UTF-16 units of each name: agents offer a handful. */
const MOST_NAMES = 20;
const MAX_NAME = 80;
/** JSON-RPC's "method not found". */
const NO_SUCH_METHOD = -32601;

export class SignInFlow {
  private pending: PendingRequest[] = [];
  private attempt: Attempt | undefined;
  /** What the agent said when it asked for it last. */
  private reason: Failure = { code: 'auth.required' };
  /** Methods whose kept values were tried, since something last worked. */
  private readonly tried = new Set<string>();

  private readonly store: SessionStore;

  constructor(private readonly dependencies: SignInDependencies) {
    this.store = dependencies.store;
  }

  /** True while the session or its prompt waits for the user, who is asked or signs in: it is kept, whatever becomes of the agent meanwhile. */
  get holds(): boolean {
    return (this.waitsFor('session') || this.waitsFor('turn')) && showsSignIn(this.store.state);
  }

  /** A turn runs that does not wait here: leaving the agent would break it off. */
  private get turnRuns(): boolean {
    return this.store.state.turn !== undefined && !this.waitsFor('turn');
  }

  private waitsFor(what: PendingRequest['what']): boolean {
    return this.pending.some((each) => each.what === what);
  }

  /** True when the agent says that signing in would help, and how. */
  helps({ code }: Failure): boolean {
    return code === 'auth.required' && this.store.state.authMethods.length > 0 && this.dependencies.launch !== undefined;
  }

  /** Asks the user; `request` waits for it. */
  want(failure: Failure, request: PendingRequest): void {
    this.put(request);
    this.reason = this.withMethods(failure);
    if (this.attempt) {
      return;
    }
    if (this.dependencies.canRenew() && !this.turnRuns) {
      this.restart(); // Somebody has signed in meanwhile: only this process does not know.
    } else {
      this.require();
    }
  }

  /** An agent that wants a sign-in does not say how: that was in its answer to `initialize`. */
  withMethods(failure: Failure): Failure {
    const { authMethods } = this.store.state;
    if (failure.code !== 'auth.required' || authMethods.length === 0) {
      return failure;
    }
    const names = authMethods.slice(0, MOST_NAMES).map(({ name }) => name.slice(0, MAX_NAME));
    return { ...failure, params: { ...failure.params, methods: names.join(', ') } };
  }

  /** Signs in by one of the agent's methods, one at a time. */
  start(methodId: string): void {
    const { launch, cwd, account } = this.dependencies;
    const { authMethods, agentName } = this.store.state;
    const method = authMethods.find((offered) => offered.methodId === methodId);
    if (this.attempt) {
      return;
    }
    if (!launch) {
      this.store.append({
        type: 'sign_in',
        status: 'failed',
        methodId,
        failure: { code: 'session.agent_removed', params: { agent: agentName } },
      });
    } else if (!method) {
      this.store.append({ type: 'sign_in', status: 'failed', failure: { code: 'auth.unknown_method' } });
    } else if (this.turnRuns && needsNewProcess(method)) {
      this.store.append({ type: 'sign_in', status: 'failed', methodId, failure: { code: 'turn.busy' } });
    } else {
      const askAgain = this.tried.has(methodId);
      this.tried.add(methodId);
      this.run(method, (settled) => signInWith(account, { launch, cwd, method, agent: this.dependencies.agent(), askAgain }, settled));
    }
  }

  /** A new process must be told of the method before it is asked for the session, which waits for that. */
  authenticateFirst(method: AuthMethod, agent: RunningAgent): void {
    this.put({ what: 'session' });
    this.run(method, (settled) =>
      authenticate(agent, method.methodId, (step) => {
        // Some that read their values at the start have nothing to be told.
        const unknown = 'failure' in step && method.type === 'env_var' && step.failure.params?.['code'] === NO_SUCH_METHOD;
        settled(unknown ? { next: 'done' } : step);
      }),
    );
  }

  /** The user backs out: of the attempt that runs, or else of signing in at all. */
  dismiss(): void {
    if (!showsSignIn(this.store.state)) {
      return;
    }
    if (this.endAttempt() && this.pending.length > 0) {
      this.require(); // That way did not work out; there may be another.
      return;
    }
    const given = this.pending.splice(0);
    this.store.append({ type: 'sign_in', status: 'dismissed', ...(given.length > 0 && { failure: this.reason }) });
    given.forEach((request) => this.giveUp(request));
  }

  /** Stop: the prompt that waits is not sent any more. False when none does. */
  giveUpTurn(): boolean {
    const turn = this.take('turn');
    if (turn && this.pending.length === 0 && showsSignIn(this.store.state)) {
      this.endAttempt();
      this.store.append({ type: 'sign_in', status: 'dismissed', failure: this.reason });
    }
    if (turn) {
      this.giveUp(turn);
    }
    return turn !== undefined;
  }

  /** The session is there, or there again: what waited for it is done. */
  retryAll(): void {
    this.pending.splice(0).forEach((request) => this.dependencies.emit({ type: 'retry', request }));
  }

  /** The agent did something that it does only for who is signed in. */
  accepted(): void {
    this.tried.clear();
    if (this.store.state.signIn?.status === 'dismissed') {
      this.store.append({ type: 'sign_in', status: 'signed_in' });
    }
  }

  /** Somebody has signed in at this agent in another session. */
  onSignedInElsewhere(method: AuthMethod): void {
    if (this.pending.length > 0) {
      this.endAttempt();
      this.succeed(method, !needsNewProcess(method) || this.turnRuns ? 'done' : method.type === 'env_var' ? 'authenticate' : 'reconnect');
    }
  }

  /** Nothing waits any more; whoever calls tells why. */
  clear(): void {
    this.endAttempt();
    this.pending = [];
  }

  private run(method: AuthMethod, start: (settled: (step: SignInStep) => void) => Disposable): void {
    this.store.append({ type: 'sign_in', status: 'running', methodId: method.methodId });
    const attempt: Attempt = { method };
    this.attempt = attempt;
    const ongoing = start((step) => this.settled(attempt, step));
    if (this.attempt === attempt) {
      attempt.ongoing = ongoing;
    }
  }

  private settled(attempt: Attempt, step: SignInStep): void {
    const isCurrent = this.attempt === attempt;
    // Given up, and the agent says yes all the same: what still waits goes on, unless the user tries something else.
    if (!isCurrent && !('next' in step && !this.attempt && this.pending.length > 0)) {
      return;
    }
    this.attempt = undefined;
    const { method } = attempt;
    if ('next' in step) {
      if (needsNewProcess(method) && step.next !== 'done') {
        this.dependencies.outdate();
      }
      this.succeed(method, step.next);
      if (step.next !== 'authenticate') {
        this.dependencies.emit({ type: 'signed_in', method });
      }
    } else if (step.failure.code === 'auth.not_finished') {
      this.backOut();
    } else {
      this.store.append({ type: 'sign_in', status: 'failed', methodId: method.methodId, failure: step.failure });
    }
  }

  private succeed(method: AuthMethod, next: 'done' | 'reconnect' | 'authenticate'): void {
    if (next === 'authenticate') {
      this.restart(method);
      return;
    }
    this.store.append({ type: 'sign_in', status: 'signed_in', methodId: method.methodId });
    if (next === 'reconnect' || !this.dependencies.agent()) {
      this.restart();
      return;
    }
    const session = this.take('session');
    if (session) {
      this.dependencies.emit({ type: 'retry', request: session });
    } else if (this.store.state.status === 'ready') {
      this.retryAll();
    }
  }

  /** As it was before the method was chosen. */
  private backOut(): void {
    if (this.pending.length > 0) {
      this.require();
    } else {
      this.store.append({ type: 'sign_in', status: 'dismissed' });
    }
  }

  private require(): void {
    this.store.append({ type: 'sign_in', status: 'required', failure: this.reason });
  }

  private endAttempt(): boolean {
    const { attempt } = this;
    this.attempt = undefined;
    attempt?.ongoing?.dispose();
    return attempt !== undefined;
  }

  /** A session is asked for anew, in place of the one that waits. */
  private restart(authenticateFirst?: AuthMethod): void {
    this.take('session');
    this.dependencies.emit({ type: 'restart', ...(authenticateFirst && { authenticateFirst }) });
  }

  private giveUp(request: PendingRequest): void {
    this.dependencies.emit({ type: 'give_up', request, failure: this.reason });
  }

  private put(request: PendingRequest): void {
    this.take(request.what, request.what === 'config' ? request.configId : undefined);
    this.pending.push(request);
  }

  private take(what: PendingRequest['what'], configId?: string): PendingRequest | undefined {
    const isIt = (each: PendingRequest): boolean => each.what === what && (each.what !== 'config' || each.configId === configId);
    const taken = this.pending.find(isIt);
    this.pending = this.pending.filter((each) => each !== taken);
    return taken;
  }
}
