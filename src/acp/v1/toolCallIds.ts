/**
 * The tool calls of one session by the ids that the agent gives them. Ids shall be unique in a session, but agents that hand on what their model
 * counts begin anew in every turn: a call announced under the id of an earlier turn's call is another one, and must not overwrite it.
 */
import type { Fields } from '../json/fields';
import { isRecord } from '../json/fields';

export class ToolCallIds {
  private readonly calls = new Map<string, { readonly turn: number; readonly toolCallId: string }>();
  private turn = 0;

  /** What is announced from here on belongs to another turn. */
  nextTurn(): void {
    this.turn++;
  }

  /** The params of a permission request or an elicitation, with the conversation's id in the place of the agent's. */
  inQuestion(params: Fields): Fields {
    const { toolCall } = params;
    return this.renamed(isRecord(toolCall) ? { ...params, toolCall: this.renamed(toolCall) } : params);
  }

  /** The id under which the conversation has the call of an update; `isNew` when the conversation does not have the call yet. `announced`: by a `tool_call`, not a `tool_call_update`. */
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
