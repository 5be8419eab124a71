/** The limits of the agent's account, from the messages of one connection (RFD "Quotas and Limits", and the rate limit of claude-agent-acp). */
import type { QuotaPool } from '../../core/account/quota';
import type { EventInput } from '../../core/model/event';
import type { Fields } from '../json/fields';
import { claudeRateLimit } from '../quirks/claudeRateLimit';
import { decodeQuota, MAX_POOLS } from './quota';

interface Known {
  readonly pools: readonly QuotaPool[];
  /** RFC 3339 */
  readonly updatedAt?: string;
}

/** The most sessions to remember. */
const MAX_SESSIONS = 1000;

/** Each event has the complete limits. */
export class Limits {
  private readonly sessions = new Map<string, Known>();

  /** Returns the limits in an update of the session; undefined when it has none. */
  inUpdate(sessionId: string, update: Fields): EventInput | undefined {
    if (update.sessionUpdate === 'quota_update') {
      return this.snapshot(sessionId, update);
    }
    const added = update.sessionUpdate === 'usage_update' ? claudeRateLimit(update._meta) : undefined;
    if (!added) {
      return undefined;
    }
    const pools = merged(this.sessions.get(sessionId)?.pools ?? [], added);
    this.remember(sessionId, { pools });
    return { type: 'quota', pools };
  }

  /** Returns the event of a complete snapshot; undefined when it cannot be read. The later one of two snapshots counts. */
  snapshot(sessionId: string, raw: Fields): EventInput | undefined {
    const event = decodeQuota(raw);
    const known = this.sessions.get(sessionId);
    if (event?.type !== 'quota') {
      return undefined;
    }
    const { pools, updatedAt } = event;
    if (known?.updatedAt !== undefined && updatedAt !== undefined && Date.parse(updatedAt) < Date.parse(known.updatedAt)) {
      return { ...event, ...known };
    }
    this.remember(sessionId, { pools, ...(updatedAt !== undefined && { updatedAt }) });
    return event;
  }

  private remember(sessionId: string, known: Known): void {
    if (this.sessions.size >= MAX_SESSIONS && !this.sessions.has(sessionId)) {
      this.sessions.delete(this.sessions.keys().next().value!);
    }
    this.sessions.set(sessionId, known);
  }
}

/** Adds meters to the known ones. A meter that is known already is replaced. The newest of too many stay. */
function merged(known: readonly QuotaPool[], added: readonly QuotaPool[]): QuotaPool[] {
  const pools = [...known];
  for (const pool of added) {
    const index = pools.findIndex(({ id }) => id === pool.id);
    const { meters, ...rest } = pool;
    const before = pools[index]?.meters ?? [];
    const kept = before.map((meter) => meters.find(({ id }) => id === meter.id) ?? meter);
    const fresh = meters.filter(({ id }) => !before.some((meter) => meter.id === id));
    pools[index < 0 ? pools.length : index] = { ...pools[index], ...rest, meters: [...kept, ...fresh].slice(-MAX_POOLS) };
  }
  return pools;
}
