/** The usage of a session so far, and of each turn. */
import type { SessionUsage, TurnUsage, Usage } from '../model/content';
import { withEntries, type SessionState, type TurnUse } from '../model/state';

type Cost = NonNullable<Usage['cost']>;

/** Usage reported directly after a turn's end counts for that turn, too. @param clearsCost the agent has withdrawn the cost */
export function reduceUsage(before: SessionState, usage: Usage, clearsCost = false): SessionState {
  const state = { ...before, usage: clearsCost ? usage : wholeUsage(before.usage, usage) };
  const cost = usage.cost && costSince(before, state.usage, usage.cost);
  const use = { context: usage.used, ...(cost && { cost }) };
  if (state.turn) {
    return { ...state, turn: { ...state.turn, use: withUse(state.turn.use, use) } };
  }
  if (state.work) {
    return { ...state, work: { ...state.work, use: withUse(state.work.use, use) } };
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
  const { usage } = state;
  return usage?.cost ? { ...state, usage: { ...usage, costBefore: { amount: usage.costBefore?.amount ?? 0, mayRestart: true } } } : state;
}

/** Adds the cost of the whole session, which never falls. An omitted cost stays. */
function wholeUsage(old: SessionUsage | undefined, usage: Usage): SessionUsage {
  const { cost } = usage;
  const last = old?.cost;
  if (!last || (cost && cost.currency !== last.currency)) {
    return usage;
  }
  if (!cost) {
    return { ...usage, cost: last, ...(old.costBefore && { costBefore: old.costBefore }) };
  }
  const { amount = 0, mayRestart } = old.costBefore ?? {};
  const before = mayRestart && cost.amount < rounded(last.amount - amount) ? last.amount : amount;
  const total = Math.max(last.amount, rounded(before + cost.amount));
  return { ...usage, cost: { ...cost, amount: total }, ...(before > 0 && { costBefore: { amount: before } }) };
}

/**
 * Returns the increase of the session's cost. Undefined when it is not known, such as for an older session whose cost was not reported, and for a
 * cost that the agent has lowered.
 */
function costSince({ usage, turn }: SessionState, after: SessionUsage, reported: Cost): Cost | undefined {
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
