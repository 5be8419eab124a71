/** Sign-out, and the end of a session at its agent. */
import type { Dialect } from '../../acp/dialect';
import type { Clock } from '../../core/platform/clock';
import { showsSignIn } from '../../core/model/select';
import type { AgentAttachment } from './agentAttachment';
import type { SessionNotices } from '../state/sessionNotices';
import type { SessionStore } from '../state/store';
import type { AgentConnection } from './agentConnection';

interface RequestDependencies {
  readonly store: SessionStore;
  readonly notices: SessionNotices;
  /** Undefined while there is no agent. */
  readonly attachment: AgentAttachment | undefined;
}

/** ms that a closing agent may take to answer before it is stopped. */
const CLOSE_MS = 2000;

/**
 * Signs out, unless a sign-in is shown. `signedOut` is called after the agent has confirmed.
 * @param offer called after that, and at once for an agent that cannot sign out
 */
export function signOut(
  { store, notices, attachment }: RequestDependencies,
  signedOut: (connection: AgentConnection) => void,
  offer?: () => void,
): void {
  const agent = attachment?.agent;
  if (!attachment || !agent || showsSignIn(store.state)) {
    return;
  }
  const settled = attachment.whileAttached<void>((outcome) => {
    // `auth.required` means that the user is already signed out.
    if (outcome.ok || outcome.failure.code === 'auth.required') {
      store.append({ type: 'sign_in', status: 'signed_out' });
      signedOut(agent.connection);
      offer?.();
    } else {
      notices.warn(store.state.agentName, outcome.failure);
    }
  });
  if (agent.dialect.logout) {
    agent.dialect.logout(settled);
  } else {
    offer?.();
  }
}

/** Closes the session at agents that support it. Resolves when the agent has answered, or after `CLOSE_MS`. */
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
