/** Smaller things that a session asks of its agent, each a request with its answer. */
import type { Dialect } from '../../acp/dialect';
import type { Failure } from '../../core/model/failure';
import type { Clock } from '../../core/model/ports';
import { showsSignIn } from '../../core/model/select';
import type { Remarks } from '../sessionNotices';
import type { RunningAgent } from './signIn';
import type { SignInFlow } from './signInFlow';
import type { SessionStore } from '../store';

/** Its session. */
export interface RequestsHost {
  readonly store: SessionStore;
  readonly signingIn: SignInFlow;
  readonly remarks: Remarks;
  /** Undefined while none runs. */
  agent(): RunningAgent | undefined;
}

/** How long a closing agent may take to answer before it is stopped. */
const CLOSE_MS = 2000;

/** Sets one of the agent's options; where signing in helps, it is done again after that. */
export function setConfig(host: RequestsHost, configId: string, value: string | boolean): void {
  const { store, signingIn, remarks } = host;
  const { sessionId, config } = store.state;
  if (sessionId === undefined) {
    return;
  }
  host.agent()?.dialect.setConfig(sessionId, configId, value, (outcome) => {
    const giveUp = (failure: Failure): void =>
      remarks.warn(config.find((option) => option.configId === configId)?.name ?? configId, failure);
    if (outcome.ok) {
      store.append(...outcome.value);
    } else if (signingIn.helps(outcome.failure)) {
      signingIn.want(outcome.failure, { what: `config ${configId}`, again: () => setConfig(host, configId, value), giveUp });
    } else {
      giveUp(outcome.failure);
    }
  });
}

/** Signs out, unless a sign-in is asked for just now. `signedOut` is called when the agent has done it. */
export function signOut({ store, remarks, agent }: RequestsHost, signedOut: (link: RunningAgent['link']) => void): void {
  const asked = agent();
  if (!asked || showsSignIn(store.state)) {
    return;
  }
  asked.dialect.logout?.((outcome) => {
    if (agent()?.link !== asked.link) {
      return; // Left meanwhile: the next process says how it is.
    }
    // Who must sign in before signing out is signed out.
    if (outcome.ok || outcome.failure.code === 'auth.required') {
      store.append({ type: 'sign_in', status: 'signed_out' });
      signedOut(asked.link);
    } else {
      remarks.warn(store.state.agentName, outcome.failure);
    }
  });
}

/** Says that the session is over, where the agent can be told. Resolves when it has confirmed, or had its time. */
export async function closeSession(dialect: Dialect, sessionId: string, clock: Clock): Promise<void> {
  if (!dialect.closeSession) {
    return;
  }
  const close = dialect.closeSession.bind(dialect);
  await new Promise<void>((resolve) => {
    const limit = clock.after(CLOSE_MS, resolve);
    close(sessionId, () => {
      limit.dispose();
      resolve();
    });
  });
}
