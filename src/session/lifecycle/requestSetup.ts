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

export type RequestEffect = Extract<LifecycleEffect, { readonly type: 'request_session' }>;

/**
 * Returns the setup with these parts, records new instructions in the conversation, and requests the options of a new session.
 *
 * @param configured the instructions of the settings, for a new session
 * @param isCurrent false once the session has left the agent
 */
export async function requestSetup(
  deps: LifecycleDependencies,
  setup: SessionSetup,
  effect: RequestEffect,
  attachment: AgentAttachment,
  configured: Promise<Instructions | undefined> | undefined,
  isCurrent: () => boolean,
): Promise<SessionSetup> {
  const { store, shared, agentId } = deps;
  const instructions = instructionsOf(effect, store.state.instructions, await configured);
  const { agent } = attachment;
  if (!agent || !isCurrent()) {
    return setup;
  }
  const { systemPrompt, options } = agent.dialect.sessionCapabilities;
  const isNew = effect.method === 'new';
  const isSent = systemPrompt !== undefined;
  const sent = instructions && { ...instructions, mode: systemPrompt === 'override' ? instructions.mode : ('append' as const) };
  if (sent && isNew) {
    store.append({ type: 'instructions', ...sent, isSent });
  }
  if (isNew) {
    requestOptions(attachment, agent, setup, deps);
  }
  const values = isNew && options ? { ...shared.chosenOptions?.(agentId), ...setup.preferred } : {};
  return { ...setup, ...(sent && isSent && { instructions: sent }), ...(Object.keys(values).length > 0 && { values }) };
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
function requestOptions(attachment: AgentAttachment, agent: RunningAgent, setup: SessionSetup, { store }: LifecycleDependencies): void {
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
