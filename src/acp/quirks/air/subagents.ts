/**
 * Subagents in the contract have an older form than RFD "Subagent Sessions": `subagent_spawned` and `subagent_state_update`. Their sessions cannot be
 * cancelled, and send no messages between sessions.
 */
import { type Fields, isRecord, labelOf } from '../../json/fields';

/** Returns the update in the form of the RFD; the same update when it is another one. */
export function standardSubagentUpdate(update: Fields): Fields {
  const { sessionUpdate, subagentSessionId, name, task, capabilities, state, prompt, ...others } = update;
  switch (sessionUpdate) {
    case 'subagent_spawned':
      return {
        ...others,
        sessionUpdate: 'subagent_update',
        sessionId: subagentSessionId,
        title: name,
        description: labelOf(task) ?? prompt,
        capabilities: isRecord(capabilities) && capabilities.cancel === true ? { cancel: {} } : {},
        state: { state: 'running' },
      };
    case 'subagent_state_update':
      return { ...others, sessionUpdate: 'subagent_update', sessionId: subagentSessionId, state: standardState(state) };
    default:
      return update;
  }
}

function standardState(state: unknown): Fields {
  switch (state) {
    case 'completed':
      return { state: 'idle', stopReason: 'end_turn' };
    case 'cancelled':
      return { state: 'idle', stopReason: 'cancelled' };
    case 'failed':
      return { state: 'idle', stopReason: 'error' };
    default:
      return { state: 'unknown' };
  }
}
