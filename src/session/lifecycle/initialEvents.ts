/** What a conversation begins with, before anything is said in it. Pure. */
import type { Dialect } from '../../acp/dialect';
import type { UnstampedEvent } from '../../core/model/event';
import type { Roots } from '../../core/model/ports';
import type { SessionState } from '../../core/model/state';

/** Which agent, and where; `sessionId` when it is known which session it shall be. */
export function opened(agentName: string, { cwd, additionalDirectories }: Roots, sessionId: string | undefined): UnstampedEvent {
  return {
    type: 'session_opened',
    agentName,
    cwd,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

/** What the agent said of itself. */
export function initialized(dialect: Dialect): UnstampedEvent {
  const { protocolVersion, promptCapabilities, authMethods, offers, agent, initializeExtras: introduction } = dialect;
  return { type: 'agent_initialized', protocolVersion, promptCapabilities, authMethods, offers, ...(agent && { agent }), ...introduction };
}

/** What is known of it from elsewhere, as far as it is. */
export function titled(title: string | undefined, updatedAt: string | undefined): UnstampedEvent[] {
  if (title === undefined && updatedAt === undefined) {
    return [];
  }
  return [{ type: 'session_info', ...(title !== undefined && { title }), ...(updatedAt !== undefined && { updatedAt }) }];
}

/** What a conversation begins with, as far as it is known before the agent tells it. @param openedEvent where it takes place */
export function eventsBefore(openedEvent: UnstampedEvent, dialect: Dialect, { title, updatedAt, signIn }: SessionState): UnstampedEvent[] {
  return [openedEvent, initialized(dialect), ...(signIn ? [{ type: 'sign_in', ...signIn } as const] : []), ...titled(title, updatedAt)];
}
