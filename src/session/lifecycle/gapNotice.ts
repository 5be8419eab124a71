/** The notice of what a conversation may lack when a remote agent opens it again. Pure. */
import { isRemote } from '../../core/agents/endpoint';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Failure } from '../../core/model/failure';
import type { SessionState } from '../../core/model/state';
import { isSpoken } from '../state/replayTarget';
import type { LifecycleEffect } from './lifecycleTypes';

/**
 * Returns the notice after a reconnect, and after a resume without a replay, because other clients may have used the session meanwhile. Undefined when
 * nothing is missing.
 * @param state the conversation before the agent's response is applied to it
 */
export function gapOf(
  state: SessionState,
  launch: AgentLaunch | undefined,
  { method, isUnrecorded }: Pick<Extract<LifecycleEffect, { readonly type: 'accept_session' }>, 'method' | 'isUnrecorded'>,
): Failure | undefined {
  const isSilent = method === 'resume' && !isUnrecorded && isSpoken(state) && launch !== undefined && isRemote(launch);
  const host = state.reconnect?.host ?? (isSilent ? new URL(launch.url).host : undefined);
  return host === undefined ? undefined : { code: 'session.reconnected', params: { host, method } };
}
