/**
 * Signing in at an agent by one of its methods (protocol page "Authentication"). What a method needs of the window, a terminal or somewhere to
 * type a value, is behind {@link AccountPort}; nothing of the conversation is known here.
 */
import type { Dialect } from '../acp/dialect';
import type { AuthMethod } from '../core/content';
import { type Failure, failureOf } from '../core/failure';
import type { AgentLaunch, Disposable } from '../core/ports';
import type { AgentLink, RequestPeer } from './link';

/** What signing in needs of the window; `workbench` gives it. */
export interface AccountPort {
  /**
   * Runs the agent's own program in a terminal that the user sees, with the method's `args` appended and `env` laid over, and waits for its end.
   * True when it ended with status 0. `signal` aborts when the user gives up elsewhere.
   */
  runInTerminal(launch: AgentLaunch, cwd: string, method: AuthMethod, signal: AbortSignal): Promise<boolean>;
  /** Asks for the values of `method.vars` and keeps them for every later start of this agent. False when the user backs out. */
  askVariables(launch: AgentLaunch, method: AuthMethod, signal: AbortSignal): Promise<boolean>;
}

/** done: the same agent goes on; reconnect: only a new process knows; authenticate: a new process, which then must be told `authenticate`. */
export type SignInStep = { readonly next: 'done' | 'reconnect' | 'authenticate' } | { readonly failure: Failure };

export interface SignInRequest {
  readonly launch: AgentLaunch;
  readonly cwd: string;
  readonly link: AgentLink;
  readonly dialect: Dialect;
  readonly method: AuthMethod;
  /** Asked what the agent elicits meanwhile. */
  readonly peer: RequestPeer;
}

/** Runs one method. `settled` is called once, unless the result is disposed first: then the attempt is given up, also at the agent. */
export function signInWith(account: AccountPort, request: SignInRequest, settled: (step: SignInStep) => void): Disposable {
  const { launch, cwd, link, dialect, method, peer } = request;
  return method.type === 'terminal' || method.type === 'env_var'
    ? signInAlone(account, launch, cwd, method, settled)
    : authenticate(link, dialect, method.methodId, peer, settled);
}

/** As {@link signInWith}, when the agent is not running: what the agent itself must be told waits for its next process. */
export function signInAlone(
  account: AccountPort,
  launch: AgentLaunch,
  cwd: string,
  method: AuthMethod,
  settled: (step: SignInStep) => void,
): Disposable {
  const abort = new AbortController();
  const attempt = async (): Promise<SignInStep> => {
    if (method.type === 'terminal') {
      return (await account.runInTerminal(launch, cwd, method, abort.signal)) ? { next: 'reconnect' } : NOT_FINISHED;
    }
    if (method.type === 'env_var') {
      return (await account.askVariables(launch, method, abort.signal)) ? { next: 'authenticate' } : NOT_FINISHED;
    }
    return { next: 'authenticate' };
  };
  void attempt()
    .catch((error: unknown): SignInStep => ({ failure: failureOf(error) }))
    .then((step) => abort.signal.aborted || settled(step));
  return { dispose: () => abort.abort() };
}

const NOT_FINISHED: SignInStep = { failure: { code: 'auth.not_finished' } };

/** The request itself, for methods of type `agent` and for an agent that was started anew with its values. */
export function authenticate(
  link: AgentLink,
  dialect: Dialect,
  methodId: string,
  peer: RequestPeer,
  settled: (step: SignInStep) => void,
): Disposable {
  let over = false;
  const ongoing = dialect.authenticate(methodId, (outcome) => {
    owned.dispose();
    if (!over) {
      over = true;
      settled(outcome.ok ? { next: 'done' } : { failure: outcome.failure });
    }
  });
  const owned = link.own(ongoing.requestId, peer);
  return {
    dispose: () => {
      if (!over) {
        over = true;
        ongoing.cancel();
      }
    },
  };
}
