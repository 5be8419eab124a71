/** Decodes updates as an agent sends them. */
import type { EventInput } from '../../../../src/core/model/event';
import { V1Updates } from '../../../../src/acp/v1/updates';

/** Decodes updates of one session, one after the other. */
export function decodeAll(updates: readonly object[], isOurs?: (terminalId: string) => boolean): EventInput[] {
  const decoder = new V1Updates(isOurs);
  return updates.flatMap((update) => decoder.decode('s', { sessionId: 's', update }));
}

export const decode = (update: object): EventInput[] => decodeAll([update]);

export const chunk = (text: string, more: object = {}, kind = 'agent_message_chunk'): object => ({
  sessionUpdate: kind,
  content: { type: 'text', text },
  ...more,
});
