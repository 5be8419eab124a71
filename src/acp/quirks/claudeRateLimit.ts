/**
 * The rate limit that claude-agent-acp sends in `_meta` of `usage_update`: the object of its SDK. It describes the window that counts, and newer versions
 * list all in `unifiedWindows`. A `utilization` is a fraction.
 */
import type { QuotaMeter, QuotaPool } from '../../core/account/quota';
import { isRecord, labelOf } from '../json/fields';
import { instantOf } from '../json/instant';

const KEY = '_claude/rateLimit';

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['allowed', 'ok'],
  ['allowed_warning', 'warning'],
  ['rejected', 'exceeded'],
]);

/** A value above this one is a percentage. */
const MAX_FRACTION = 2;

const MAX_WINDOWS = 8;

/** Returns the pools with the windows that are named; undefined when there are none. @param meta of a `usage_update` */
export function claudeRateLimit(meta: unknown): readonly QuotaPool[] | undefined {
  const limit = isRecord(meta) ? meta[KEY] : undefined;
  if (!isRecord(limit)) {
    return undefined;
  }
  const { utilization, rateLimitType, resetsAt, overageStatus, overageResetsAt } = limit;
  const id = labelOf(rateLimitType) ?? 'plan';
  const windows = isRecord(limit.unifiedWindows) ? limit.unifiedWindows : {};
  const own = Object.hasOwn(windows, id) ? windows[id] : undefined;
  const plan = meter(id, limit.status, resetsAt, utilization ?? (isRecord(own) ? own.utilization : undefined));
  const others = Object.entries(windows)
    .slice(0, MAX_WINDOWS)
    .flatMap(([name, each]) => (isRecord(each) && name !== id ? (meter(name, each.status, each.resetsAt, each.utilization) ?? []) : []));
  const meters = [...(plan ? [plan] : []), ...others].filter((each) => each.id !== 'overage');
  const overage = meter('overage', overageStatus, overageResetsAt, undefined);
  const pools = [...(meters.length > 0 ? [{ id: 'plan', meters }] : []), ...(overage ? [{ id: 'extra_usage', meters: [overage] }] : [])];
  return pools.length > 0 ? pools : undefined;
}

function meter(id: string, status: unknown, resetsAt: unknown, utilization: unknown): QuotaMeter | undefined {
  const word = typeof status === 'string' ? (STATUSES.get(status) ?? status) : undefined;
  const used = typeof utilization === 'number' && Number.isFinite(utilization) ? percentOf(utilization) : undefined;
  const at = instantOf(resetsAt);
  return word === undefined && used === undefined
    ? undefined
    : {
        id,
        ...(word !== undefined && { status: word }),
        ...(used !== undefined && { usedPercent: used }),
        ...(at !== undefined && { resetsAt: at }),
      };
}

function percentOf(utilization: number): number {
  return Math.round(utilization <= MAX_FRACTION ? utilization * 1000 : utilization * 10) / 10;
}
