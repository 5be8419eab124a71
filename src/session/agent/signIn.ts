/**
 * Signing in at an agent by one of its methods (protocol page "Authentication"). What a method needs of the window, a terminal or somewhere to
 * type a value, is behind {@link AccountPort}; nothing of the conversation is known here.
 */
import type { AuthMethod } from '../../core/model/content';
import { type Failure, failureOf } from '../../core/model/failure';
import type { AgentLaunch, Disposable } from '../../core/model/ports';
import { type RunningAgent, sendRequest } from './agentRequest';

/** What signing in needs of the window; `workbench` gives it. `signal` aborts when the user gives up elsewhere. */
export interface AccountPort {
  /**
   * Runs the agent's own program in a terminal that the user sees, with the method's `args` appended and `env` laid over. Resolves when it ended
   * with status 0. @throws Fault `auth.program_failed`, `auth.terminal_closed`, `auth.unsafe_variable`, `auth.not_finished`, or why it did not start
   */
  runInTerminal(launch: AgentLaunch, cwd: string, method: AuthMethod, signal: AbortSignal): Promise<void>;
  /**
   * Asks for the values of `method.vars` and keeps them for every later start of this agent.
   * @throws Fault `auth.not_finished` when the user backs out, `auth.unsafe_variable`
   */
  askVariables(launch: AgentLaunch, method: AuthMethod, signal: AbortSignal): Promise<void>;
  /** True when the values of `method.vars` are kept, and with them all agents that were started since. */
  hasVariables(launch: AgentLaunch, method: AuthMethod): boolean;
}

/**
 * done: the agent that runs goes on; reconnect: only a new process knows; authenticate: a new process, which then must be told `authenticate`.
 */
export type SignInStep = { readonly next: 'done' | 'reconnect' | 'authenticate' } | { readonly failure: Failure };

export interface SignInRequest {
  readonly launch: AgentLaunch;
  /** Absolute. */
  readonly cwd: string;
  readonly method: AuthMethod;
  /** Absent when it is not running: what it must be told waits for its next process. */
  readonly agent?: RunningAgent | undefined;
  /** The values that are kept did not help: they are asked for again. */
  readonly askAgain?: boolean;
}

/** True for methods whose success only a new process knows of. */
export function needsNewProcess({ type }: AuthMethod): boolean {
  return type === 'terminal' || type === 'env_var';
}

/**
 * Runs one method and tells how it went, in a later turn. Disposed, the attempt is given up, also at the agent; only `authenticate` may be
 * answered with success all the same, which is then told.
 */
export function signInWith(account: AccountPort, request: SignInRequest, settled: (step: SignInStep) => void): Disposable {
  const { launch, cwd, method, agent, askAgain } = request;
  switch (method.type) {
    case 'terminal':
      return attempt((signal) => account.runInTerminal(launch, cwd, method, signal), 'reconnect', settled);
    case 'env_var':
      if (agent && !askAgain && account.hasVariables(launch, method)) {
        return authenticate(agent, method.methodId, settled); // They are in its environment already.
      }
      return attempt((signal) => account.askVariables(launch, method, signal), 'authenticate', settled);
    default:
      return agent ? authenticate(agent, method.methodId, settled) : attempt(async () => undefined, 'authenticate', settled);
  }
}

function attempt(
  run: (signal: AbortSignal) => Promise<void>,
  next: 'reconnect' | 'authenticate',
  settled: (step: SignInStep) => void,
): Disposable {
  const abort = new AbortController();
  void run(abort.signal)
    .then(
      (): SignInStep => ({ next }),
      (error: unknown): SignInStep => ({ failure: failureOf(error) }),
    )
    .then((step) => abort.signal.aborted || settled(step));
  return { dispose: () => abort.abort() };
}

/** The request itself, for methods of type `agent` and for an agent that was started anew with its values. */
export function authenticate(agent: RunningAgent, methodId: string, settled: (step: SignInStep) => void): Disposable {
  let givenUp = false;
  const request = sendRequest<void>(
    agent,
    (dialect, answered) => dialect.authenticate(methodId, answered),
    (outcome) => {
      if (outcome.ok) {
        agent.connection.authenticatedBy.add(methodId);
        settled({ next: 'done' });
      } else if (!givenUp) {
        settled({ failure: outcome.failure });
      }
    },
  );
  return {
    dispose: () => {
      givenUp = true;
      request.disown();
      request.cancel();
    },
  };
}
