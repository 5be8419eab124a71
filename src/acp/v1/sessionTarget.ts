/** Assigns messages of v1 that name no session, or a sub-session, to the session that they belong to. */
import type { Client, SessionTarget } from '../dialect';
import { type Fields, isRecord } from '../json/fields';
import { childId } from './subSessions';

/** Returns the session of `params`, as the client resolves it. Undefined when the client does not resolve it, or when the id has another type. */
export function targetOf(client: Client, method: string, params: Fields): SessionTarget | undefined {
  const named = params.sessionId ?? '';
  return typeof named === 'string' ? client.resolveSession?.(named, method, params._meta) : undefined;
}

/** The key of the name of the sub-session that asks. A symbol, so that no field of the agent can be mistaken for it. */
const ASKED_BY = Symbol('asked by');

/**
 * Returns the params of a request with the session that they belong to. A sub-session's tool calls have ids of their own.
 *
 * @param name the sub-session's name
 */
export function withTarget(params: Fields, { sessionId, child }: SessionTarget, name: string | undefined): Fields {
  if (child === undefined) {
    return { ...params, sessionId };
  }
  const { toolCall, toolCallId } = params;
  return {
    ...params,
    sessionId,
    [ASKED_BY]: name,
    ...(isRecord(toolCall) &&
      typeof toolCall.toolCallId === 'string' && { toolCall: { ...toolCall, toolCallId: childId(child, toolCall.toolCallId) } }),
    ...(typeof toolCallId === 'string' && { toolCallId: childId(child, toolCallId) }),
  };
}

/** The name of the sub-session that asks, from the params of {@link withTarget}. */
export function askerOf(params: Fields): { readonly askedBy?: string } {
  const { [ASKED_BY]: askedBy } = params as { readonly [ASKED_BY]?: string };
  return askedBy === undefined ? {} : { askedBy };
}
