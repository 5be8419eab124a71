/** The reader of the early dialect, in front of the interpreter of version 1. */
import { isRecord, type Fields } from '../../json/fields';
import type { Connection } from '../../jsonrpc/connection';
import type { Respond } from '../../jsonrpc/incoming';
import type { Interpreter } from '../../protocolVersion';
import { type Answer, earlyPermission, type EarlyPermission, REFUSED } from '../../quirks/early/permissions';
import { EarlyUpdates } from '../../quirks/early/updates';

/** The answer to a permission request that was a notification. */
const ANSWER = 'session/permission_response';

interface Pending {
  /** Answers the request once. */
  settle(answer: Answer): void;
  /** Withdraws the question. */
  readonly abort: AbortController;
}

/** Reads the dialect's messages as those of version 1, and passes them to `standard`. */
export function readEarly(standard: Interpreter, connection: Pick<Connection, 'notify'>): Interpreter {
  const updates = new EarlyUpdates();
  const pending = new Map<string, Pending>();

  /**
   * Asks the user. False when the request has the id of another one that is open: the answer could not name one of the two, so both are refused.
   */
  const ask = ({ requestId, params, answer }: EarlyPermission, reply: (given: Answer) => void, signal?: AbortSignal): boolean => {
    const key = keyOf(params.sessionId, requestId);
    const same = pending.get(key);
    if (same) {
      same.settle(REFUSED);
      same.abort.abort();
      return false;
    }
    const abort = new AbortController();
    const settle = (given: Answer): void => {
      // A late answer to a refused request must not answer another request with the same id.
      if (pending.get(key) === own) {
        pending.delete(key);
        reply(given);
      }
    };
    const own: Pending = { settle, abort };
    pending.set(key, own);
    const respond: Respond = {
      result: (value) => {
        const outcome = isRecord(value) && isRecord(value.outcome) ? value.outcome : {};
        settle(answer(outcome.optionId));
      },
      error: () => settle(REFUSED),
    };
    const signals = signal ? AbortSignal.any([abort.signal, signal]) : abort.signal;
    try {
      standard.onRequest('session/request_permission', params, respond, signals);
    } catch {
      settle(REFUSED);
    }
    return true;
  };

  return {
    ...standard,
    onRequest: (method, params, respond, signal) => {
      const permission = method === 'session/update' && isRecord(params) ? earlyPermission(params) : undefined;
      if (!permission) {
        standard.onRequest(method, params, respond, signal);
      } else if (!ask(permission, (given) => respond.result(given), signal)) {
        respond.result(REFUSED);
        standard.onNotification(method, params);
      }
    },
    onNotification: (method, params) => {
      if (method !== 'session/update' || !isRecord(params) || !isRecord(params.update)) {
        standard.onNotification(method, params);
        return;
      }
      const permission = earlyPermission(params);
      if (!permission) {
        standard.onNotification(method, { ...params, update: updates.standard(params.sessionId, params.update) } satisfies Fields);
        return;
      }
      const { requestId } = permission;
      if (!ask(permission, (given) => connection.notify(ANSWER, { sessionId: params.sessionId, requestId, ...given }))) {
        standard.onNotification(method, params);
      }
    },
  };
}

/** The key of a permission request in a notification; undefined for another message. */
export function earlyQuestion(method: string, params: unknown): string | undefined {
  const permission = method === 'session/update' && isRecord(params) ? earlyPermission(params) : undefined;
  return permission && keyOf(permission.params.sessionId, permission.requestId);
}

/** The client's answer to a permission request in a notification, with the request's key; undefined for another message. */
export function earlyAnswer(method: string, params: Fields): { readonly key: string; readonly result: Fields } | undefined {
  return method === ANSWER ? { key: keyOf(params.sessionId, params.requestId), result: params } : undefined;
}

function keyOf(sessionId: unknown, requestId: unknown): string {
  return JSON.stringify([sessionId, requestId]);
}
