/** The parameters of a request for a session (protocol page "Session Setup", RFD "Client-Provided System Prompt"). */
import type { Instructions } from '../../core/account/instructions';
import { type SessionSetup, setupIn } from '../../core/model/sessionSetup';
import type { RunningAgent } from '../agent/agentRequest';
import type { LifecycleDependencies } from './lifecycleDependencies';
import type { LifecycleEffect } from './lifecycleTypes';
import type { SessionServers } from './sessionServers';

type RequestEffect = Extract<LifecycleEffect, { readonly type: 'request_session' }>;

/** Records new instructions in the conversation. */
export function requestSetup(
  deps: LifecycleDependencies,
  servers: SessionServers,
  effect: RequestEffect,
  agent: RunningAgent,
): SessionSetup {
  const { setup, roots } = deps;
  const mcpServers = servers.passed(setup.mcpServers, agent);
  const instructions = instructionsOf(deps, effect);
  const { systemPrompt, options } = agent.dialect.sessionCapabilities;
  const isSent = systemPrompt !== undefined;
  const sent = instructions && { ...instructions, mode: systemPrompt === 'override' ? instructions.mode : ('append' as const) };
  if (sent && effect.method === 'new') {
    deps.store.append({ type: 'instructions', ...sent, isSent });
  }
  const values = effect.method === 'new' && options ? deps.shared.chosenOptions?.(deps.agentId) : undefined;
  return setupIn(effect.roots ?? roots, { ...setup, mcpServers, ...(sent && isSent && { instructions: sent }), ...(values && { values }) });
}

/** An existing session keeps its instructions, although the setting may have changed. A fork has those of the forked session. */
function instructionsOf(
  { store, shared, agentId, agentName, roots }: LifecycleDependencies,
  effect: RequestEffect,
): Instructions | undefined {
  if (effect.method === 'new') {
    return shared.instructions?.({ agentId, agentName }, roots.cwd);
  }
  if (effect.method !== 'fork') {
    return store.state.instructions;
  }
  const forked = effect.fork?.fork?.findLast((event) => event.type === 'instructions');
  return forked?.type === 'instructions' ? { mode: forked.mode, parts: forked.parts } : undefined;
}
