/** Requests about a session of an agent that need no conversation: its status, and the end of its memory. Both are unstable. */
import type { SessionCapabilities } from '../../core/model/content';
import type { Dialect, RemoteStatus } from '../dialect';
import { type Fields, isRecord, textOf } from '../json/fields';
import type { Connection } from '../jsonrpc/connection';
import { succeeded } from '../jsonrpc/rpc';
import { readResult } from './methods';

export function storedSessionMethods(
  connection: Connection,
  timeoutMs: number,
  capabilities: SessionCapabilities,
): Pick<Dialect, 'sessionStatus' | 'rewindSession'> {
  return {
    ...(capabilities.status && {
      sessionStatus: (sessionId, settled) =>
        connection.request('session/status', { sessionId }, { timeoutMs }, (outcome) =>
          settled(readResult('session/status', outcome, decodeStatus)),
        ),
    }),
    ...(capabilities.rewind && {
      rewindSession: (sessionId, toMessageId, settled) =>
        connection.request('session/rewind', { sessionId, toMessageId }, { timeoutMs }, (outcome) =>
          settled(outcome.ok ? succeeded(undefined) : outcome),
        ),
    }),
  };
}

/** A word that is not known counts as "saved". The state is part of version 2, and a word or an object with one. */
function decodeStatus({ status, state }: Fields): RemoteStatus | undefined {
  if (typeof status !== 'string') {
    return undefined;
  }
  const work = textOf(isRecord(state) ? state.state : state);
  return { isOpen: status === 'open', ...(work !== undefined && { work }) };
}
