/**
 * Subagents in the contract have an older form than RFD "Subagent Sessions": `subagent_spawned` and `subagent_state_update`. Their sessions cannot be
 * cancelled, and send no messages between sessions.
 */
import { type Fields, isPresent, isRecord, labelOf } from '../../json/fields';

/** Returns the update in the form of the RFD; the same update when it is another one. Values without a place in that form have other names. */
export function standardSubagentUpdate(update: Fields): Fields {
  const { sessionUpdate, subagentSessionId, name, task, capabilities, state, prompt, ...others } = update;
  switch (sessionUpdate) {
    case 'subagent_spawned': {
      const shown = labelOf(task);
      return {
        ...others,
        sessionUpdate: 'subagent_update',
        sessionId: subagentSessionId,
        title: name,
        description: shown ?? prompt,
        ...(shown === undefined ? isPresent(task) && { task } : isPresent(prompt) && { prompt }),
        capabilities: standardCapabilities(capabilities ?? {}),
        state: { state: 'running' },
        ...(isPresent(state) && { reported: state }),
      };
    }
    case 'subagent_state_update': {
      const known = standardState(state);
      return {
        ...others,
        ...(isPresent(name) && { title: name }),
        ...(isPresent(task) && { task }),
        ...(isPresent(prompt) && { prompt }),
        ...(isPresent(capabilities) && { capabilities: standardCapabilities(capabilities) }),
        sessionUpdate: 'subagent_update',
        sessionId: subagentSessionId,
        state: known ?? { state: 'unknown' },
        ...(!known && isPresent(state) && { reported: state }),
      };
    }
    default:
      return update;
  }
}

function standardCapabilities(capabilities: unknown): unknown {
  if (!isRecord(capabilities)) {
    return capabilities;
  }
  const { cancel, ...others } = capabilities;
  return cancel === true
    ? { ...others, cancel: {} }
    : { ...others, ...(isPresent(cancel) && cancel !== false && { malformed: { cancel } }) };
}

function standardState(state: unknown): Fields | undefined {
  switch (state) {
    case 'completed':
      return { state: 'idle', stopReason: 'end_turn' };
    case 'cancelled':
      return { state: 'idle', stopReason: 'cancelled' };
    case 'failed':
      return { state: 'idle', stopReason: 'error' };
    default:
      return undefined;
  }
}
