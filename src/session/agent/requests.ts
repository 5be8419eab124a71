/** Smaller things that a session asks of its agent, each a request with its answer. */
import type { Dialect } from '../../acp/dialect';
import { nextDefault } from '../../core/preferences/agentPreferences';
import type { UnstampedEvent } from '../../core/model/event';
import type { Clock } from '../../core/model/ports';
import { showsSignIn } from '../../core/model/select';
import type { AgentAttachment } from '../lifecycle/agentAttachment';
import type { SessionNotices } from '../sessionNotices';
import type { SessionStore } from '../store';
import type { AgentConnection } from './agentConnection';
import type { SignInFlow } from './signInFlow';

interface RequestDependencies {
  readonly store: SessionStore;
  readonly notices: SessionNotices;
  /** Undefined while there is no agent. */
  readonly attachment: AgentAttachment | undefined;
}

/** How long a closing agent may take to answer before it is stopped. */
const CLOSE_MS = 2000;

/** Sets one of the agent's options; where signing in helps, it is done again after that. */
export function setConfig(
  { store, notices, attachment, signIn }: RequestDependencies & { readonly signIn: SignInFlow },
  configId: string,
  value: string | boolean,
  /** Called when the agent has answered, whatever that was, or cannot be asked. */
  done: () => void = () => undefined,
): void {
  const { sessionId } = store.state;
  if (sessionId === undefined || !attachment?.agent) {
    return done();
  }
  const settled = attachment.whileAttached<readonly UnstampedEvent[]>((outcome) => {
    if (outcome.ok) {
      store.append(...outcome.value);
    } else if (signIn.helps(outcome.failure)) {
      signIn.want(outcome.failure, { what: 'config', configId, value });
    } else {
      notices.warnOfConfig(configId, outcome.failure);
    }
    done();
  });
  attachment.agent.dialect.setConfig(sessionId, configId, value, settled);
}

/** Sets options to these values where the agent offers them, one after the other: one can change what another offers. Then calls `done`. */
export function setOptions(
  dependencies: Parameters<typeof setConfig>[0],
  values: Readonly<Record<string, string | boolean>>,
  done: () => void,
): void {
  const left = { ...values };
  const next = (): void => {
    const option = nextDefault(dependencies.store.state.config, left);
    if (!option) {
      return done();
    }
    delete left[option.configId];
    setConfig(dependencies, option.configId, option.value, next);
  };
  next();
}

/** Signs out, unless a sign-in is asked for just now. `signedOut` is called when the agent has done it. */
export function signOut({ store, notices, attachment }: RequestDependencies, signedOut: (connection: AgentConnection) => void): void {
  const agent = attachment?.agent;
  if (!attachment || !agent || showsSignIn(store.state)) {
    return;
  }
  const settled = attachment.whileAttached<void>((outcome) => {
    // Who must sign in before signing out is signed out.
    if (outcome.ok || outcome.failure.code === 'auth.required') {
      store.append({ type: 'sign_in', status: 'signed_out' });
      signedOut(agent.connection);
    } else {
      notices.warn(store.state.agentName, outcome.failure);
    }
  });
  agent.dialect.logout?.(settled);
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
