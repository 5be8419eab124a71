/**
 * OpenCode and related agents keep their plan in a tool of their own, `todowrite`, and never send the `plan` of protocol page "Agent Plan". The
 * tool's input becomes the plan. The tool call itself stays unchanged. An agent that sends both reports the same plan twice, under one id.
 */
import type { PlanEntry } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import type { Fields } from '../json/fields';
import { isRecord } from '../json/fields';

/**
 * The plan in a `tool_call` or `tool_call_update` of such a tool; empty for another tool, or when the list is not a plan.
 * @param planId the id that the protocol version gives an agent's one plan
 * @param decodeEntries the protocol version's decoder of a plan's entries
 */
export function todoPlan(
  { title, rawInput }: Fields,
  planId: string,
  decodeEntries: (raw: readonly unknown[], malformed: unknown[]) => PlanEntry[],
): EventInput[] {
  if (title !== 'todowrite' || !isRecord(rawInput) || !Array.isArray(rawInput.todos)) {
    return [];
  }
  const malformed: unknown[] = [];
  const entries = decodeEntries(rawInput.todos, malformed);
  return malformed.length === 0 ? [{ type: 'plan_update', planId, plan: { type: 'items', entries } }] : [];
}
