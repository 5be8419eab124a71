/**
 * Maps the ids that an agent gives the tool calls of one session. Ids should be unique in a session, but agents that pass on their model's counters
 * start again in every turn. A call with the id of an earlier turn's call is a different call and must not overwrite it.
 */
import type { Fields } from '../json/fields';
import { isRecord } from '../json/fields';

export class ToolCallIds {
  private readonly calls = new Map<string, { readonly turn: number; readonly toolCallId: string }>();
  private turn = 0;

  /** Calls announced from here on belong to another turn. */
  nextTurn(): void {
    this.turn++;
  }

  /** Adds a call of this turn, which another window has announced. */
  adopt(given: string, toolCallId: string): void {
    this.calls.set(given, { turn: this.turn, toolCallId });
  }

  /** Returns the params of a permission request or an elicitation, with the conversation's id instead of the agent's. */
  inQuestion(params: Fields): Fields {
    const { toolCall } = params;
    return this.renamed(isRecord(toolCall) ? { ...params, toolCall: this.renamed(toolCall) } : params);
  }

  /**
   * Returns the conversation's id for the call of an update; `isNew` when the conversation does not contain the call yet. @param announced true for a
   * `tool_call`, false for a `tool_call_update`
   */
  take(given: string, announced: boolean, mint: () => string): { readonly toolCallId: string; readonly isNew: boolean } {
    const known = this.calls.get(given);
    if (known && !(announced && known.turn !== this.turn)) {
      return { toolCallId: known.toolCallId, isNew: false };
    }
    const toolCallId = known ? given + mint() : given;
    this.calls.set(given, { turn: this.turn, toolCallId });
    return { toolCallId, isNew: true };
  }

  private renamed(fields: Fields): Fields {
    const { toolCallId } = fields;
    return typeof toolCallId === 'string' ? { ...fields, toolCallId: this.calls.get(toolCallId)?.toolCallId ?? toolCallId } : fields;
  }
}
