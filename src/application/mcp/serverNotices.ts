/** The notices about MCP servers that no longer apply, with the text that replaces theirs. */
import type { EventInput } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import { isAbsent, type SessionState } from '../../core/model/state';
import type { PlannedServer, ServerPlan } from './userServers';

/** The newest entries that are searched, so that a long conversation costs no time. */
const MAX_ENTRIES = 400;

/**
 * Returns the notices of a session that ask for something that has been done.
 * @param isCurrent true when the agent has the servers that it would get now
 */
export function settledNotices({ entries }: Pick<SessionState, 'entries'>, { servers }: ServerPlan, isCurrent: boolean): EventInput[] {
  const settled: EventInput[] = [];
  for (let at = Math.max(0, entries.length - MAX_ENTRIES); at < entries.length; at++) {
    const entry = entries.headAt(at)?.kind === 'notice' ? entries.at(at) : undefined;
    if (entry?.kind === 'notice' && !isAbsent(entry)) {
      const { noticeId, severity } = entry;
      const failure = replacement(entry.failure, servers, isCurrent);
      settled.push(...(failure ? [{ type: 'notice' as const, noticeId, severity, title: '', failure }] : []));
    }
  }
  return settled;
}

/** Returns undefined while the notice applies. */
function replacement(failure: Failure | undefined, servers: readonly PlannedServer[], isCurrent: boolean): Failure | undefined {
  const named = `, ${failure?.params?.servers ?? ''}, `;
  const meant = servers.filter(({ name }) => named.includes(`, ${name}, `));
  const namesOf = (chosen: readonly PlannedServer[]): string => [...new Set(chosen.map(({ name }) => name))].join(', ');
  switch (failure?.code) {
    case 'mcp.changed':
      return isCurrent ? { code: 'mcp.current' } : undefined;
    case 'mcp.not_agreed': {
      const decided = meant.filter(({ reason }) => reason !== 'not_agreed');
      if (decided.length === 0 && meant.length > 0) {
        return undefined;
      }
      const denied = namesOf(decided.filter(({ reason }) => reason === 'switched_off'));
      const allowed = namesOf(decided.filter(({ reason }) => reason !== 'switched_off'));
      const params = { ...(allowed && { allowed }), ...(denied && { denied }), servers: failure.params?.servers ?? '' };
      return { code: 'mcp.decided', params };
    }
    case 'mcp.input_missing':
    case 'mcp.sign_in':
      return meant.some(({ reason }) => reason === failure.code.slice('mcp.'.length))
        ? undefined
        : { code: 'mcp.settled', params: { servers: failure.params?.servers ?? '' } };
    default:
      return undefined;
  }
}
