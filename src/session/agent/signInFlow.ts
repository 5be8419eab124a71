/**
 * What of one session waits for a sign-in, and the sign-in that runs. Any request may fail for want of one (protocol page "Authentication");
 * what the user wanted of it is done again after each sign-in, never by itself, so nothing goes round in circles.
 */
import type { AuthMethod } from '../../core/model/content';
import type { Failure } from '../../core/model/failure';
import type { AgentLaunch, Disposable } from '../../core/model/ports';
import { showsSignIn } from '../../core/model/select';
import { type AccountPort, authenticate, needsNewProcess, type RunningAgent, signInWith, type SignInStep } from './signIn';
import type { SessionStore } from '../store';

/** What failed for want of a sign-in. */
export interface Wanted {
  /** The session itself, the running turn's prompt, or an option's value: of each the newest counts. */
  readonly what: 'session' | 'turn' | `config ${string}`;
  again(): void;
  /** The user does not want to sign in; `failure` says what was asked for. */
  giveUp(failure: Failure): void;
}

/** Its session. */
export interface SignInHost {
  readonly launch: AgentLaunch | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly account: AccountPort;
  /** Undefined while none runs. */
  agent(): RunningAgent | undefined;
  /** Goes on with a process that was started after the last sign-in; with a method, one that must be told of it. */
  reconnect(authenticateFirst?: AuthMethod): void;
  /** True when there is such a process, or can be, and this session's is older and can be left without loss. */
  canRenew(): boolean;
  /** The user has done what only processes started from now on know of. */
  outdate(): void;
  /** The user has signed in. */
  signedIn(method: AuthMethod): void;
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
  private waiting: Wanted[] = [];
  private attempt: Attempt | undefined;
  /** What the agent said when it asked for it last. */
  private reason: Failure = { code: 'auth.required' };
  /** Methods whose kept values were tried, since something last worked. */
  private readonly tried = new Set<string>();

  constructor(
    private readonly store: SessionStore,
    private readonly host: SignInHost,
  ) {}

  /** True while the session or its prompt waits for the user, who is asked or signs in: it is kept, whatever becomes of the agent meanwhile. */
  get holds(): boolean {
    return (this.waitsFor('session') || this.waitsFor('turn')) && showsSignIn(this.store.state);
  }

  /** A turn runs that does not wait here: leaving the agent would break it off. */
  private get turnRuns(): boolean {
    return this.store.state.turn !== undefined && !this.waitsFor('turn');
  }

  private waitsFor(what: Wanted['what']): boolean {
    return this.waiting.some((each) => each.what === what);
  }

  /** True when the agent says that signing in would help, and how. */
  helps({ code }: Failure): boolean {
    return code === 'auth.required' && this.store.state.authMethods.length > 0 && this.host.launch !== undefined;
  }

  /** Asks the user; `wanted` waits for it. */
  want(failure: Failure, wanted: Wanted): void {
    this.put(wanted);
    this.reason = this.withMethods(failure);
    if (this.attempt) {
      return;
    }
    if (this.host.canRenew() && !this.turnRuns) {
      this.host.reconnect(); // Somebody has signed in meanwhile: only this process does not know.
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
    const { launch, cwd, account } = this.host;
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
      this.run(method, (settled) => signInWith(account, { launch, cwd, method, agent: this.host.agent(), askAgain }, settled));
    }
  }

  /** A new process must be told of the method before it is asked for `session`. */
  authenticateFirst(method: AuthMethod, agent: RunningAgent, session: Wanted): void {
    this.put(session);
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
    if (this.endAttempt() && this.waiting.length > 0) {
      this.require(); // That way did not work out; there may be another.
      return;
    }
    const given = this.waiting.splice(0);
    this.store.append({ type: 'sign_in', status: 'dismissed', ...(given.length > 0 && { failure: this.reason }) });
    given.forEach((wanted) => wanted.giveUp(this.reason));
  }

  /** Stop: the prompt that waits is not sent any more. False when none does. */
  giveUpTurn(): boolean {
    const turn = this.take('turn');
    if (turn && this.waiting.length === 0 && showsSignIn(this.store.state)) {
      this.endAttempt();
      this.store.append({ type: 'sign_in', status: 'dismissed', failure: this.reason });
    }
    turn?.giveUp(this.reason);
    return turn !== undefined;
  }

  /** The session is there, or there again: what waited for it is done. */
  goOn(): void {
    this.waiting.splice(0).forEach((wanted) => wanted.again());
  }

  /** A new session is asked for in place of the one that waits. */
  forgetSession(): void {
    this.take('session');
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
    if (this.waiting.length > 0) {
      this.endAttempt();
      this.succeed(method, !needsNewProcess(method) || this.turnRuns ? 'done' : method.type === 'env_var' ? 'authenticate' : 'reconnect');
    }
  }

  /** Nothing waits any more; whoever calls tells why. */
  clear(): Wanted[] {
    this.endAttempt();
    return this.waiting.splice(0);
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
    if (!isCurrent && !('next' in step && !this.attempt && this.waiting.length > 0)) {
      return;
    }
    this.attempt = undefined;
    const { method } = attempt;
    if ('next' in step) {
      if (needsNewProcess(method) && step.next !== 'done') {
        this.host.outdate();
      }
      this.succeed(method, step.next);
      if (step.next !== 'authenticate') {
        this.host.signedIn(method);
      }
    } else if (step.failure.code === 'auth.not_finished') {
      this.backOut();
    } else {
      this.store.append({ type: 'sign_in', status: 'failed', methodId: method.methodId, failure: step.failure });
    }
  }

  private succeed(method: AuthMethod, next: 'done' | 'reconnect' | 'authenticate'): void {
    if (next === 'authenticate') {
      this.host.reconnect(method);
      return;
    }
    this.store.append({ type: 'sign_in', status: 'signed_in', methodId: method.methodId });
    if (next === 'reconnect' || !this.host.agent()) {
      this.host.reconnect();
      return;
    }
    const session = this.take('session');
    if (session) {
      session.again();
    } else {
      this.goOn();
    }
  }

  /** As it was before the method was chosen. */
  private backOut(): void {
    if (this.waiting.length > 0) {
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

  private put(wanted: Wanted): void {
    this.take(wanted.what);
    this.waiting.push(wanted);
  }

  private take(what: Wanted['what']): Wanted | undefined {
    const taken = this.waiting.find((each) => each.what === what);
    this.waiting = this.waiting.filter((each) => each !== taken);
    return taken;
  }
}
