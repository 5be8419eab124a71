/** The facts of a replay beside the conversation's entries: options, commands, usage, plans and terminals of the agent. */
import type { SessionEvent } from '../model/event';
import { isAbsent, type SessionState } from '../model/state';

/** Event types of which only the last event counts. */
const LAST: ReadonlySet<SessionEvent['type']> = new Set(['config_options', 'config_value', 'available_commands', 'usage', 'turn_usage']);

/**
 * Returns the events to be added to the record, in their order. The record's title and time stay, if it has them. Plans and outputs are added and
 * never replaced.
 *
 * @param isReplayed whether the record has a conversation, whose title and time the replay must not change
 */
export function factsOf(record: SessionState, replay: SessionState, events: readonly SessionEvent[], isReplayed: boolean): SessionEvent[] {
  const facts = new Map<string, SessionEvent>();
  const plans = plansIn(record);
  events.forEach((event, at) => {
    const key = LAST.has(event.type) ? `${event.type} ${event.type === 'config_value' ? event.configId : ''}` : String(at);
    const fact = factOf(record, event, plans, isReplayed);
    if (fact) {
      facts.delete(key); // A later fact takes a later position, too.
      facts.set(key, fact);
    }
  });
  return [...facts.values(), ...terminalCorrections(record, replay, events)];
}

function factOf(record: SessionState, event: SessionEvent, plans: ReadonlySet<string>, isReplayed: boolean): SessionEvent | undefined {
  switch (event.type) {
    case 'session_info': {
      if (!isReplayed) {
        return event;
      }
      const { title, updatedAt, ...rest } = event;
      const isNews = (record.title === undefined && title) || (record.updatedAt === undefined && updatedAt);
      return isNews
        ? {
            ...rest,
            ...(record.title === undefined && title && { title }),
            ...(record.updatedAt === undefined && updatedAt && { updatedAt }),
          }
        : undefined;
    }
    case 'plan_update':
      return plans.has(event.planId) ? undefined : event;
    case 'plan_removed':
      return record.plans[event.planId] || plans.has(event.planId) ? undefined : event;
    case 'terminal_update':
    case 'terminal_output':
      return record.terminals[event.terminalId] ? undefined : event;
    default:
      return LAST.has(event.type) ? event : undefined;
  }
}

/** Returns the ids of the plans that the record has, of any turn. */
function plansIn({ plans, turn, entries }: SessionState): ReadonlySet<string> {
  const ids = new Set([...Object.keys(plans), ...Object.keys(turn?.earlierPlans ?? {})]);
  for (const slot of entries) {
    if (slot.kind === 'turn' && !isAbsent(slot)) {
      Object.keys(slot.plans ?? {}).forEach((planId) => ids.add(planId));
    }
  }
  return ids;
}

/** Returns output that continues the record's output of a terminal, and exit statuses. */
function terminalCorrections(record: SessionState, replay: SessionState, events: readonly SessionEvent[]): SessionEvent[] {
  const at = events[events.length - 1]?.at ?? 0;
  return Object.values(replay.terminals).flatMap(({ terminalId, output, exitStatus, ours }): SessionEvent[] => {
    const known = record.terminals[terminalId];
    if (!known || ours) {
      return [];
    }
    const isLonger = known.dropped === 0 && output.length > known.output.length && output.startsWith(known.output);
    const ended = known.exitStatus ? undefined : exitStatus;
    return isLonger || ended
      ? [{ type: 'terminal_update', at, terminalId, ...(isLonger && { output }), ...(ended && { exitStatus: ended }) }]
      : [];
  });
}
