/** The limits of the agent's account, as last reported. */
import type { SessionEvent } from '../model/event';
import type { Quota, QuotaPool } from '../account/quota';
import type { SessionState } from '../model/state';

type QuotaReported = Extract<SessionEvent, { readonly type: 'quota' }>;

/** A snapshot that is older than the present one is ignored. Otherwise it replaces the present one as a whole. */
export function reduceQuota(state: SessionState, { pools, updatedAt, merge }: QuotaReported): SessionState {
  const { quota } = state;
  if (isOlder(updatedAt, quota?.updatedAt)) {
    return state;
  }
  const next: Quota = { pools: merge ? merged(quota?.pools ?? [], pools) : pools, ...(updatedAt !== undefined && { updatedAt }) };
  return { ...state, quota: next };
}

/** Marks a connection to the agent, whose first snapshot counts whatever its time is. */
export function reduceQuotaConnected(state: SessionState): SessionState {
  return state.quota?.updatedAt === undefined ? state : { ...state, quota: { pools: state.quota.pools } };
}

function isOlder(updatedAt: string | undefined, present: string | undefined): boolean {
  return updatedAt !== undefined && present !== undefined && Date.parse(updatedAt) < Date.parse(present);
}

/** Adds meters to the known ones. A meter that is known already is replaced. */
function merged(known: readonly QuotaPool[], added: readonly QuotaPool[]): QuotaPool[] {
  const pools = [...known];
  for (const pool of added) {
    const index = pools.findIndex(({ id }) => id === pool.id);
    const { meters, ...rest } = pool;
    const before = pools[index]?.meters ?? [];
    const kept = before.map((meter) => meters.find(({ id }) => id === meter.id) ?? meter);
    const fresh = meters.filter(({ id }) => !before.some((meter) => meter.id === id));
    pools[index < 0 ? pools.length : index] = { ...pools[index], ...rest, meters: [...kept, ...fresh] };
  }
  return pools;
}
