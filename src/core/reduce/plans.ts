/**
 * Plans belong to turns. The plans of a running turn are the session's. Its end moves them to the turn's entry, finished or not, and the next turn
 * starts without plans.
 */
import type { PlanBody } from '../model/content';
import { applyPatch } from '../model/patch';
import type { Plans, SessionState, TurnEntry } from '../model/state';
import { upsertEntry } from './messages';

/** A plan update between turns belongs to the agent's work, otherwise to the last turn; before the first turn, to none. */
export function reducePlanUpdate(state: SessionState, planId: string, plan: PlanBody): SessionState {
  const isWorking = state.work !== undefined && !state.work.isLate;
  const turn = state.turn || isWorking || Object.hasOwn(state.plans, planId) ? undefined : lastTurn(state);
  return turn === undefined
    ? { ...state, plans: { ...state.plans, [planId]: plan } }
    : upsertEntry<TurnEntry>(state, turn, (old) => ({ ...old!, plans: { ...old!.plans, [planId]: plan } }));
}

export function reducePlanRemoved(state: SessionState, planId: string): SessionState {
  return { ...state, plans: without(state.plans, planId) };
}

/** Returns the plans that an ended turn stores. */
export function plansOf({ turn, plans }: Pick<SessionState, 'turn' | 'plans'>): { readonly plans?: Plans } {
  const all = Object.entries({ ...turn?.earlierPlans, ...plans }).filter(([, plan]) => plan.type !== 'items' || plan.entries.length > 0);
  return all.length > 0 ? { plans: Object.fromEntries(all) } : {};
}

function lastTurn({ entries }: SessionState): string | undefined {
  for (let index = entries.length - 1; index >= 0; index--) {
    const slot = entries.headAt(index)!;
    if (slot.kind === 'turn') {
      return slot.entryId;
    }
  }
  return undefined;
}

function without(plans: Plans, planId: string): Plans {
  return applyPatch<Record<string, unknown>>(plans, { [planId]: null }) as Plans;
}
