/**
 * Signs in at an agent by one of its methods (protocol page "Authentication"). {@link SignInUi} provides the terminal and the input boxes that a
 * method needs.
 */
import type { SignInSecret } from '../../core/account/signInSecret';
import type { AuthMethod } from '../../core/model/content';
import { type Failure, failureOf } from '../../core/model/failure';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Disposable } from '../../core/platform/disposable';
import { type RunningAgent, sendRequest } from './agentRequest';

/** The terminal and the input boxes for signing in, implemented by `workbench`. `signal` aborts when the user cancels elsewhere. */
export interface SignInUi {
  /**
   * Runs the agent's own program in a visible terminal, with the method's `args` appended and its `env` applied. Resolves when the program has
   * exited with status 0.
   * @throws Fault `auth.program_failed`, `auth.terminal_closed`, `auth.unsafe_variable`, `auth.not_finished`, or the reason why it did not start
   */
  runInTerminal(launch: AgentLaunch, cwd: string, method: AuthMethod, signal: AbortSignal): Promise<void>;
  /**
   * Asks for the values of `method.vars` and stores them for each later start of this agent.
   * @throws Fault `auth.not_finished` when the user cancels, `auth.unsafe_variable`
   */
  askVariables(launch: AgentLaunch, method: AuthMethod, signal: AbortSignal): Promise<void>;
  /** True when the values of `method.vars` are stored: each agent that was started afterwards has them in its environment. */
  hasVariables(launch: AgentLaunch, method: AuthMethod): boolean;
  /**
   * Asks for the secret of a method that asks for one, unless it is stored and did not fail before.
   * @throws Fault `auth.not_finished` when the user cancels
   */
  askSecret(launch: AgentLaunch, method: AuthMethod, again: boolean, signal: AbortSignal): Promise<void>;
  /** The secret of `method`, after {@link askSecret}. */
  secret(launch: AgentLaunch, method: AuthMethod): SignInSecret | undefined;
}

/**
 * The next step. `done`: the running agent continues. `reconnect`: a new process is needed. `authenticate`: a new process is needed, which must
 * then receive `authenticate`.
 */
export type SignInStep = { readonly next: 'done' | 'reconnect' | 'authenticate' } | { readonly failure: Failure };

export interface SignInRequest {
  readonly launch: AgentLaunch;
  /** Absolute. */
  readonly cwd: string;
  readonly method: AuthMethod;
  /** Undefined when no agent is running. The next process then receives `authenticate`. */
  readonly agent?: RunningAgent | undefined;
  /** True when the stored values did not work, so that the user is asked for new ones. */
  readonly askAgain?: boolean;
}

/** True for methods whose credentials only a new process reads. */
export function needsNewProcess({ type }: AuthMethod): boolean {
  return type === 'terminal' || type === 'env_var';
}

/**
 * Runs one method and reports the outcome asynchronously. Disposing cancels the attempt, also at the agent. Only a success of `authenticate` is
 * still reported then.
 */
export function signInWith(account: SignInUi, request: SignInRequest, settled: (step: SignInStep) => void): Disposable {
  const { launch, cwd, method, agent, askAgain } = request;
  switch (method.type) {
    case 'terminal':
      return attempt((signal) => account.runInTerminal(launch, cwd, method, signal), 'reconnect', settled);
    case 'env_var':
      if (agent && !askAgain && account.hasVariables(launch, method)) {
        return authenticate(agent, method.methodId, settled); // The values are in the agent's environment already.
      }
      return attempt((signal) => account.askVariables(launch, method, signal), 'authenticate', settled);
    default:
      if (method.asks) {
        return signInWithSecret(account, request, settled);
      }
      return agent ? authenticate(agent, method.methodId, settled) : attempt(async () => undefined, 'authenticate', settled);
  }
}

function signInWithSecret(account: SignInUi, request: SignInRequest, settled: (step: SignInStep) => void): Disposable {
  const { launch, method, agent, askAgain = false } = request;
  const asking: Disposable = attempt(
    (signal) => account.askSecret(launch, method, askAgain, signal),
    'authenticate',
    (step) =>
      'next' in step && agent ? (ongoing = authenticate(agent, method.methodId, settled, account.secret(launch, method))) : settled(step),
  );
  let ongoing = asking;
  return { dispose: () => ongoing.dispose() };
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

/** Sends `authenticate`: for methods of type `agent`, and for a restarted agent that has the new values. */
export function authenticate(
  agent: RunningAgent,
  methodId: string,
  settled: (step: SignInStep) => void,
  secret?: SignInSecret,
): Disposable {
  let givenUp = false;
  if (secret) {
    // The secret is removed from logs and failures as the header of a server is.
    agent.connection.redactSecretsOf([{ type: 'http', name: methodId, url: '', headers: secret.values }]);
  }
  const request = sendRequest<void>(
    agent,
    (dialect, answered) => dialect.authenticate(methodId, answered, secret),
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
