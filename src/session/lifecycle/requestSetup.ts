/**
 * The parts of a request for a session that few agents take: instructions, initial values and options before the session (RFD "Client-Provided System
 * Prompt", unstable `session/options`). Loaded for such an agent, or when the user has instructions.
 */
import type { Instructions } from '../../core/account/instructions';
import type { EventInput } from '../../core/model/event';
import { choosesEarly } from '../../core/model/select';
import type { SessionSetup } from '../../core/model/sessionSetup';
import type { AgentAttachment } from '../agent/agentAttachment';
import type { RunningAgent } from '../agent/agentRequest';
import type { LifecycleDependencies } from './lifecycleDependencies';
import type { LifecycleEffect } from './lifecycleTypes';

type RequestEffect = Extract<LifecycleEffect, { readonly type: 'request_session' }>;

/**
 * Returns the setup with these parts, and records new instructions in the conversation.
 *
 * @param configured the instructions of the settings, for a new session
 */
export function requestSetup(
  { store, shared, agentId }: LifecycleDependencies,
  setup: SessionSetup,
  effect: RequestEffect,
  { dialect }: RunningAgent,
  configured: Instructions | undefined,
): SessionSetup {
  const instructions = instructionsOf(effect, store.state.instructions, configured);
  const { systemPrompt, options } = dialect.sessionCapabilities;
  const isSent = systemPrompt !== undefined;
  const sent = instructions && { ...instructions, mode: systemPrompt === 'override' ? instructions.mode : ('append' as const) };
  if (sent && effect.method === 'new') {
    store.append({ type: 'instructions', ...sent, isSent });
  }
  const values = effect.method === 'new' && options ? shared.chosenOptions?.(agentId) : undefined;
  return { ...setup, ...(sent && isSent && { instructions: sent }), ...(values && { values }) };
}

/** An existing session keeps its instructions, although the setting may have changed. A fork has those of the forked session. */
function instructionsOf(
  { method, fork }: RequestEffect,
  present: Instructions | undefined,
  configured: Instructions | undefined,
): Instructions | undefined {
  if (method !== 'fork') {
    return method === 'new' ? configured : present;
  }
  const forked = fork?.fork?.findLast((event) => event.type === 'instructions');
  return forked?.type === 'instructions' ? { mode: forked.mode, parts: forked.parts } : undefined;
}

/** Shows the options until the session is open, whose own options then count. */
export function requestOptions(
  attachment: AgentAttachment,
  agent: RunningAgent,
  setup: SessionSetup,
  { store }: LifecycleDependencies,
): void {
  if (!agent.dialect.sessionOptions) {
    return;
  }
  attachment.request<readonly EventInput[]>(
    agent,
    (dialect, answered) => dialect.sessionOptions!(setup, answered),
    (outcome) => {
      if (outcome.ok && choosesEarly(store.state)) {
        store.append(...outcome.value);
      }
    },
  );
}
