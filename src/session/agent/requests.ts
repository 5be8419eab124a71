/** Smaller things that a session asks of its agent, each a request with its answer. */
import type { Dialect } from '../../acp/dialect';
import type { Clock } from '../../core/model/ports';
import { showsSignIn } from '../../core/model/select';
import type { AgentAttachment } from '../lifecycle/agentAttachment';
import type { SessionNotices } from '../sessionNotices';
import type { SessionStore } from '../store';
import type { AgentConnection } from './agentConnection';

interface RequestDependencies {
  readonly store: SessionStore;
  readonly notices: SessionNotices;
  /** Undefined while there is no agent. */
  readonly attachment: AgentAttachment | undefined;
}

/** How long a closing agent may take to answer before it is stopped. */
const CLOSE_MS = 2000;

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
