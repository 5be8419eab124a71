/** Decodes the limits of the agent's account (RFD "Quotas and Limits"). An entry that cannot be read is left out, as the RFD asks for. */
import type { EventInput } from '../../core/model/event';
import type { Quantity, QuotaMeter, QuotaPool } from '../../core/account/quota';
import type { Fields } from '../json/fields';
import { isRecord, labelOf, restOf, textOf } from '../json/fields';
import { instantOf } from '../json/instant';

/** The most pools, and meters of a pool, that are kept. An account has a handful. */
export const MAX_POOLS = 50;

const SNAPSHOT: ReadonlySet<string> = new Set(['sessionUpdate', 'updatedAt', 'pools', '_meta']);

/** Returns the event of a `quota_update` or of the answer to `quota/read`; undefined when it has no pools. */
export function decodeQuota(raw: Fields): Extract<EventInput, { readonly type: 'quota' }> | undefined {
  if (!Array.isArray(raw.pools)) {
    return undefined;
  }
  const updatedAt = labelOf(raw.updatedAt);
  const extra = restOf(raw, SNAPSHOT);
  return {
    type: 'quota',
    pools: raw.pools.slice(0, MAX_POOLS).flatMap(decodePool),
    ...(updatedAt !== undefined && !Number.isNaN(Date.parse(updatedAt)) && { updatedAt }),
    ...(raw._meta !== undefined && raw._meta !== null && { meta: raw._meta }),
    ...(extra && { extra }),
  };
}

function decodePool(raw: unknown): QuotaPool[] {
  if (!isRecord(raw) || typeof raw.id !== 'string') {
    return [];
  }
  const meters = Array.isArray(raw.meters) ? raw.meters.slice(0, MAX_POOLS).flatMap(decodeMeter) : [];
  return [{ id: raw.id, ...texts(raw, ['label', 'state']), meters }];
}

function decodeMeter(raw: unknown): QuotaMeter[] {
  if (!isRecord(raw) || typeof raw.id !== 'string') {
    return [];
  }
  const meter: QuotaMeter = {
    id: raw.id,
    ...texts(raw, ['label', 'window', 'status']),
    ...(typeof raw.usedPercent === 'number' && Number.isFinite(raw.usedPercent) && { usedPercent: raw.usedPercent }),
    ...amount('used', raw.used),
    ...amount('limit', raw.limit),
    ...amount('remaining', raw.remaining),
    ...reset(raw.resetsAt),
  };
  const { usedPercent, used, remaining, status } = meter;
  return [usedPercent, used, remaining, status].some((each) => each !== undefined) ? [meter] : [];
}

function texts(raw: Fields, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (labelOf(raw[name]) === undefined ? [] : [[name, raw[name] as string]])));
}

function amount(name: 'used' | 'limit' | 'remaining', raw: unknown): { readonly [K in typeof name]?: Quantity } {
  const value = isRecord(raw) ? (typeof raw.value === 'number' ? String(raw.value) : labelOf(raw.value)) : undefined;
  if (value === undefined || !isRecord(raw)) {
    return {};
  }
  const unit = textOf(raw.unit);
  return { [name]: { value, ...(unit !== undefined && { unit }) } };
}

function reset(raw: unknown): { readonly resetsAt?: number } {
  const resetsAt = instantOf(raw);
  return resetsAt === undefined ? {} : { resetsAt };
}
