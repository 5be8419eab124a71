/** Assigns messages of v1 that name no session, or a subagent, to the session that they belong to. */
import type { Client, SessionTarget } from '../dialect';
import { type Fields, isRecord } from '../json/fields';
import type { Subagents } from './subagents';
import { subagentsId } from '../../core/subagents/innerEvents';

/** Returns the session of `params`, as the client resolves it. Undefined when the client does not resolve it, or when the id has another type. */
export function targetOf(client: Client, method: string, params: Fields): SessionTarget | undefined {
  const named = params.sessionId ?? '';
  return typeof named === 'string' ? client.resolveSession?.(named, method, params._meta) : undefined;
}

/** Returns the target of a question, with the subagent whose tool call it is about. */
export function withCaller(subagents: Subagents, target: SessionTarget, { toolCall, toolCallId }: Fields): SessionTarget {
  const child = target.child ?? subagents.callerOf(target.sessionId, isRecord(toolCall) ? toolCall.toolCallId : toolCallId);
  return child === undefined ? target : { ...target, child };
}

/** The keys of the name and the id of the subagent that asks. Symbols, so that no field of the agent can be mistaken for them. */
const ASKED_BY = Symbol('asked by');
const SUBAGENT = Symbol('subagent');

/**
 * Returns the params of a request with the session that they belong to. A subagent's tool calls have ids of their own.
 *
 * @param name the subagent's name
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
    [SUBAGENT]: child,
    ...(isRecord(toolCall) &&
      typeof toolCall.toolCallId === 'string' && { toolCall: { ...toolCall, toolCallId: subagentsId(child, toolCall.toolCallId) } }),
    ...(typeof toolCallId === 'string' && { toolCallId: subagentsId(child, toolCallId) }),
  };
}

/** The name and the id of the subagent that asks, from the params of {@link withTarget}. */
export function askerOf(params: Fields): { readonly askedBy?: string; readonly subagentId?: string } {
  const { [ASKED_BY]: askedBy, [SUBAGENT]: subagentId } = params as { readonly [ASKED_BY]?: string; readonly [SUBAGENT]?: string };
  return { ...(askedBy !== undefined && { askedBy }), ...(subagentId !== undefined && { subagentId }) };
}
