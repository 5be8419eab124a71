/** Stops one tool call or terminal of the agent, which says that it can be stopped alone. The turn continues. */
import type { Failure } from '../../core/model/failure';
import type { AgentAttachment } from '../agent/agentAttachment';

export type StoppedWork = { readonly toolCallId: string } | { readonly terminalId: string };

/** Asks the agent to stop the work. `refused` is called when the agent does not accept that. */
export function stopWork(attachment: AgentAttachment, sessionId: string, work: StoppedWork, refused: (failure: Failure) => void): void {
  const dialect = attachment.agent?.dialect;
  const settled = attachment.whileAttached<void>((outcome) => {
    if (!outcome.ok) {
      refused(outcome.failure);
    }
  });
  if ('toolCallId' in work) {
    dialect?.cancelToolCall?.(sessionId, work.toolCallId, settled);
  } else {
    dialect?.cancelTerminal?.(sessionId, work.terminalId, settled);
  }
}
