/**
 * The requests of one session that wait for a sign-in, and the running sign-in. Any request may fail because the user is not signed in (protocol
 * page "Authentication"). Pending requests are repeated only after the user has signed in, so that they cannot loop.
 */
import type { AuthMethod } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Disposable } from '../../core/platform/disposable';
import { showsSignIn } from '../../core/model/select';
import type { SessionStore } from '../state/store';
import type { RunningAgent } from './agentRequest';
import { type SignInUi, authenticate, needsNewProcess, signInWith, type SignInStep } from './signIn';

/** A request that failed because the user is not signed in, to be retried after a sign-in. A newer request of the same kind replaces it. */
export type PendingRequest =
  | { readonly what: 'session' }
  | { readonly what: 'turn' }
  | { readonly what: 'config'; readonly configId: string; readonly value: string | boolean };

/** The outcomes, for the code that made the requests. */
export type SignInOutcome =
  /** The user has signed in, and the running agent has the credentials. */
  | { readonly type: 'retry'; readonly request: PendingRequest }
  /** The user does not want to sign in. `failure` is the failure that led to the question. */
  | { readonly type: 'give_up'; readonly request: PendingRequest; readonly failure: Failure }
  /** Only a new process has the credentials. It receives `authenticate` first when there is a method, then the request for the session. */
  | { readonly type: 'restart'; readonly authenticateFirst?: AuthMethod }
  /** The user has signed in here, by this method. */
  | { readonly type: 'signed_in'; readonly method: AuthMethod };

export interface SignInDependencies {
  readonly store: SessionStore;
  readonly launch: AgentLaunch | undefined;
  /** The session's working folder. Absolute. */
  readonly cwd: string;
  readonly account: SignInUi;
  /** Undefined while no agent is running. */
  agent(): RunningAgent | undefined;
  /** True when this session's process is older than the last sign-in, can be left without loss, and a newer process exists or can be started. */
  canRenew(): boolean;
  /** Retires the agent's processes: only new ones have the credentials. */
  markStale(): void;
  emit(outcome: SignInOutcome): void;
}

interface Attempt {
  readonly method: AuthMethod;
  ongoing?: Disposable;
}

/** Names of methods in a failure, and UTF-16 units of each name. Agents offer a handful. */
const MAX_NAMES = 20;
const MAX_NAME = 80;
/** JSON-RPC's "method not found". */
const NO_SUCH_METHOD = -32601;

/** Adds the names of the agent's methods to the failure of a request that needs a sign-in. */
export function withMethodNames(failure: Failure, authMethods: readonly AuthMethod[]): Failure {
  if (failure.code !== 'auth.required' || authMethods.length === 0) {
    return failure;
  }
  const names = authMethods.slice(0, MAX_NAMES).map(({ name }) => name.slice(0, MAX_NAME));
  return { ...failure, params: { ...failure.params, methods: names.join(', ') } };
}

export class SignInFlow {
  private pending: PendingRequest[] = [];
  private attempt: Attempt | undefined;
  /** The failure that the agent reported last when it required a sign-in. */
  private reason: Failure = { code: 'auth.required' };
  /** Methods whose stored values were tried since a request last succeeded. */
  private readonly tried = new Set<string>();

  private readonly store: SessionStore;

  constructor(private readonly deps: SignInDependencies) {
    this.store = deps.store;
  }

  /** True while the session or its prompt waits for the user to sign in. The attachment is then kept even if the agent ends. */
  get holds(): boolean {
    return (this.waitsFor('session') || this.waitsFor('turn')) && showsSignIn(this.store.state);
  }

  /** True while a turn runs that does not wait for a sign-in: leaving the agent would interrupt it. */
  private get turnRuns(): boolean {
    return this.store.state.turn !== undefined && !this.waitsFor('turn');
  }

  private waitsFor(what: PendingRequest['what']): boolean {
    return this.pending.some((each) => each.what === what);
  }

  /** True when the agent requires a sign-in and offers methods for it. */
  helps({ code }: Failure): boolean {
    return code === 'auth.required' && this.store.state.authMethods.length > 0 && this.deps.launch !== undefined;
  }

  /** Asks the user to sign in. `request` waits for it. */
  want(failure: Failure, request: PendingRequest): void {
    this.put(request);
    this.reason = this.withMethods(failure);
    if (this.attempt) {
      return;
    }
    if (this.deps.canRenew() && !this.turnRuns) {
      this.restart(); // The user has signed in meanwhile: only this process lacks the credentials.
    } else {
      this.require();
    }
  }

  /** Offers the agent's methods although no request waits for a sign-in, so that the user can choose another account. */
  offer(): void {
    if (!showsSignIn(this.store.state)) {
      this.reason = this.withMethods({ code: 'auth.required' });
      this.require();
    }
  }

  /** Adds the names of the methods to the failure: the agent lists them only in its `initialize` response. */
  withMethods(failure: Failure): Failure {
    return withMethodNames(failure, this.store.state.authMethods);
  }

  /** Starts a sign-in by one of the agent's methods, unless one is running. */
  start(methodId: string): void {
    const { launch, cwd, account } = this.deps;
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
      this.run(method, (settled) => signInWith(account, { launch, cwd, method, agent: this.deps.agent(), askAgain }, settled));
    }
  }

  /** Sends `authenticate` to a new process before the request for the session, which waits for the response. */
  authenticateFirst(method: AuthMethod, agent: RunningAgent): void {
    this.put({ what: 'session' });
    this.run(method, (settled) =>
      authenticate(
        agent,
        method.methodId,
        (step) => {
          // Agents that read their values at the start may not support `authenticate`.
          const unknown = 'failure' in step && method.type === 'env_var' && step.failure.params?.['code'] === NO_SUCH_METHOD;
          settled(unknown ? { next: 'done' } : step);
        },
        this.deps.launch && this.deps.account.secret(this.deps.launch, method),
      ),
    );
  }

  /** Cancels the running attempt; without one, declines to sign in. */
  dismiss(): void {
    if (!showsSignIn(this.store.state)) {
      return;
    }
    if (this.endAttempt() && this.pending.length > 0) {
      this.require(); // Another method may work.
      return;
    }
    const given = this.pending.splice(0);
    this.store.append({ type: 'sign_in', status: 'dismissed', ...(given.length > 0 && { failure: this.reason }) });
    given.forEach((request) => this.giveUp(request));
  }

  /** Drops the waiting prompt when the user stops the turn. False when no prompt is waiting. */
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

  /** Repeats the waiting requests, after the session has opened or reopened. */
  retryAll(): void {
    const waiting = this.pending.splice(0);
    const options = waiting.filter(({ what }) => what === 'config');
    // The prompt must reach the mode that the user sees.
    [...options, ...waiting.filter((each) => !options.includes(each))].forEach((request) => this.deps.emit({ type: 'retry', request }));
  }

  /** Records that a request succeeded for which the agent requires a sign-in. */
  accepted(): void {
    this.tried.clear();
    if (this.store.state.signIn?.status === 'dismissed') {
      this.store.append({ type: 'sign_in', status: 'signed_in' });
    }
  }

  /** Repeats the waiting requests after a sign-in at this agent in another session. */
  onSignedInElsewhere(method: AuthMethod): void {
    if (this.pending.length > 0) {
      this.endAttempt();
      this.succeed(method, !needsNewProcess(method) || this.turnRuns ? 'done' : method.type === 'env_var' ? 'authenticate' : 'reconnect');
    }
  }

  /** Drops the waiting requests without reporting an outcome. The caller reports it. */
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
    // An attempt that was cancelled, but that the agent still confirms, lets the waiting requests continue unless another attempt is running.
    if (!isCurrent && !('next' in step && !this.attempt && this.pending.length > 0)) {
      return;
    }
    this.attempt = undefined;
    const { method } = attempt;
    if ('next' in step) {
      if (needsNewProcess(method) && step.next !== 'done') {
        this.deps.markStale();
      }
      this.succeed(method, step.next);
      if (step.next !== 'authenticate') {
        this.deps.emit({ type: 'signed_in', method });
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
    if (next === 'reconnect' || !this.deps.agent()) {
      this.restart();
      return;
    }
    const session = this.take('session');
    if (session) {
      this.deps.emit({ type: 'retry', request: session });
    } else if (this.store.state.status === 'ready') {
      this.retryAll();
    }
  }

  /** Restores the state before the method was chosen. */
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

  /** Restarts the process. The new one requests the session in place of the waiting request. */
  private restart(authenticateFirst?: AuthMethod): void {
    this.take('session');
    this.deps.emit({ type: 'restart', ...(authenticateFirst && { authenticateFirst }) });
  }

  private giveUp(request: PendingRequest): void {
    this.deps.emit({ type: 'give_up', request, failure: this.reason });
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
