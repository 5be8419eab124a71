/** The initial events of a conversation, before its first message. Pure. */
import type { Dialect } from '../../acp/dialect';
import type { EventInput } from '../../core/model/event';
import type { Roots } from '../../core/model/roots';
import type { SessionState } from '../../core/model/state';

/** The event that names the agent and the folders. `sessionId`: the session to open, if it is known. */
export function opened(agentName: string, { cwd, additionalDirectories }: Roots, sessionId: string | undefined): EventInput {
  return {
    type: 'session_opened',
    agentName,
    cwd,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

/** The event with the agent's `initialize` response. */
export function initialized(dialect: Dialect): EventInput {
  const { protocolVersion, promptCapabilities, authMethods, sessionCapabilities, agent, initializeExtras: introduction } = dialect;
  return {
    type: 'agent_initialized',
    protocolVersion,
    promptCapabilities,
    authMethods,
    offers: sessionCapabilities,
    ...(agent && { agent }),
    ...introduction,
  };
}

/** The event with the known title and time of the last change; empty when both are unknown. */
export function titled(title: string | undefined, updatedAt: string | undefined): EventInput[] {
  if (title === undefined && updatedAt === undefined) {
    return [];
  }
  return [{ type: 'session_info', ...(title !== undefined && { title }), ...(updatedAt !== undefined && { updatedAt }) }];
}

/** The initial events of a conversation, as far as they are known before the replay. @param openedEvent names the folders */
export function eventsBefore(openedEvent: EventInput, dialect: Dialect, state: SessionState): EventInput[] {
  const { title, updatedAt, signIn, instructions } = state;
  return [
    openedEvent,
    initialized(dialect),
    ...(instructions ? [{ type: 'instructions', ...instructions } as const] : []),
    ...(signIn ? [{ type: 'sign_in', ...signIn } as const] : []),
    ...titled(title, updatedAt),
  ];
}
