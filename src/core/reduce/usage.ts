/** The usage of a session so far, and of each turn. */
import type { TurnUsage, Usage } from '../model/content';
import { withEntries, type SessionState, type TurnUse } from '../model/state';

type Cost = NonNullable<Usage['cost']>;

/** Usage reported directly after a turn's end counts for that turn, too. */
export function reduceUsage(before: SessionState, usage: Usage): SessionState {
  const state = withUsage(before, usage);
  const cost = usage.cost && costSince(before, state, usage.cost);
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

/** Marks a connection to the agent, which may count its cost from 0 again. */
export function reduceConnected(state: SessionState): SessionState {
  return state.usage?.cost ? { ...state, costBefore: { amount: state.costBefore?.amount ?? 0, mayRestart: true } } : state;
}

/** Sets the usage with the cost of the whole session, which never falls. An omitted cost stays. */
function withUsage(state: SessionState, usage: Usage): SessionState {
  const { cost } = usage;
  const last = state.usage?.cost;
  if (!last || (cost && cost.currency !== last.currency)) {
    return { ...state, usage, costBefore: undefined };
  }
  if (!cost) {
    return { ...state, usage: { ...usage, cost: last } };
  }
  const { amount = 0, mayRestart } = state.costBefore ?? {};
  const before = mayRestart && cost.amount < rounded(last.amount - amount) ? last.amount : amount;
  const total = Math.max(last.amount, rounded(before + cost.amount));
  return {
    ...state,
    usage: { ...usage, cost: { ...cost, amount: total } },
    costBefore: before > 0 ? { amount: before } : undefined,
  };
}

/**
 * Returns the increase of the session's cost. Undefined when it is not known, such as for an older session whose cost was not reported, and for a
 * cost that the agent has lowered.
 */
function costSince({ usage, turn }: SessionState, after: SessionState, reported: Cost): Cost | undefined {
  const { currency } = reported;
  const earlier = usage?.cost ?? (turn?.isFirst ? { amount: 0, currency } : undefined);
  const total = rounded((after.costBefore?.amount ?? 0) + reported.amount);
  return earlier?.currency !== currency || total < earlier.amount ? undefined : { amount: rounded(total - earlier.amount), currency };
}

/** Sums of decimal fractions are not exact. Rounding removes the error. */
function rounded(amount: number): number {
  return Number(amount.toPrecision(12));
}

function withUse(old: TurnUse | undefined, use: TurnUse): TurnUse {
  const cost =
    old?.cost && use.cost && old.cost.currency === use.cost.currency
      ? { amount: rounded(old.cost.amount + use.cost.amount), currency: use.cost.currency }
      : (use.cost ?? old?.cost);
  return { ...old, ...use, ...(cost && { cost }) };
}
