/** The usage of a session so far, and of each turn. */
import type { TurnUsage, Usage } from '../model/content';
import { withEntries, type SessionState, type TurnUse } from '../model/state';

/** Usage reported directly after a turn's end counts for that turn, too. */
export function reduceUsage(before: SessionState, usage: Usage): SessionState {
  const state = { ...before, usage };
  const cost = costSince(before, usage);
  const use = { context: usage.used, ...(cost && { cost }) };
  if (state.turn) {
    return { ...state, turn: { ...state.turn, use: withUse(state.turn.use, use) } };
  }
  const last = state.entries.at(state.entries.length - 1);
  return last?.kind === 'turn' && !('absent' in last)
    ? withEntries(state, state.entries.replaceAt(state.entries.length - 1, { ...last, use: withUse(last.use, use) }))
    : state;
}

export function reduceTurnUsage(state: SessionState, tokens: TurnUsage): SessionState {
  return { ...state, turnUsage: tokens, ...(state.turn && { turn: { ...state.turn, use: withUse(state.turn.use, { tokens }) } }) };
}

/**
 * Returns the increase of the session's cumulative cost. Undefined when it is not known, such as for an older session whose cost was not reported.
 */
function costSince({ usage, turn }: SessionState, { cost }: Usage): Usage['cost'] {
  const earlier = usage?.cost ?? (turn?.isFirst && cost ? { amount: 0, currency: cost.currency } : undefined);
  if (!cost || earlier?.currency !== cost.currency || cost.amount < earlier.amount) {
    return undefined;
  }
  // Sums of decimal fractions are not exact. Rounding removes the error.
  return { amount: Number((cost.amount - earlier.amount).toPrecision(12)), currency: cost.currency };
}

function withUse(old: TurnUse | undefined, use: TurnUse): TurnUse {
  const cost =
    old?.cost && use.cost && old.cost.currency === use.cost.currency
      ? { amount: Number((old.cost.amount + use.cost.amount).toPrecision(12)), currency: use.cost.currency }
      : (use.cost ?? old?.cost);
  return { ...old, ...use, ...(cost && { cost }) };
}
