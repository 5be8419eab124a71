/** JSON-RPC 2.0 as used by ACP: codes, outcomes, and the failures for an agent's errors (protocol page "Overview", section error handling). */
import type { Failure } from '../../core/model/failure';
import { fault, type Fault } from '../../core/model/failure';
import type { TransportEnd } from '../../core/model/transport';
import { isOnlyShared } from '../../core/share/shareMeta';
import { isRecord } from '../json/fields';
import { resetsAtIn } from './resetsAt';
import { retryAfterIn } from './retryAfter';

export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32000,
  resourceNotFound: -32002,
  unsupportedVersion: -32022,
} as const;

/** The result of a request to the agent. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export type Settled<T> = (outcome: Outcome<T>) => void;

export function succeeded<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function failed(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure };
}

/** The longest error text of the agent that is kept, in UTF-16 units. */
const MAX_DETAIL = 4096;
/** UTF-16 units of a method's name in an error response. */
const MAX_METHOD = 200;

/** Returns the failure for an agent's `error` member. Accepts an error without message or code, and one that is only a string. */
export function failureOfError(method: string, error: unknown): Failure {
  const record = isRecord(error) ? error : undefined;
  const message = typeof error === 'string' ? error : typeof record?.message === 'string' ? record.message : '';
  const code = codeIn(record?.code);
  if (isOnlyShared(record?.data)) {
    return { code: 'session.only_shared' };
  }
  const reason = reasonIn(record?.data, message);
  const detail = excerpt([message, reason].filter(Boolean).join('\n'), MAX_DETAIL);
  const retryAfter = retryAfterIn(record?.data, message);
  const resetsAt = resetsAtIn(record?.data);
  return {
    code: code === RPC.authRequired ? 'auth.required' : code === RPC.requestCancelled ? 'request.cancelled' : 'request.failed',
    params: { method, code, ...(retryAfter !== undefined && { retryAfter }), ...(resetsAt !== undefined && { resetsAt }) },
    ...(detail !== '' && { detail }),
  };
}

/** Some agents write the number as text. An invalid code becomes the code of an internal error. */
function codeIn(code: unknown): number {
  const number = typeof code === 'string' && /^-?\d{1,9}$/.test(code) ? Number(code) : code;
  return typeof number === 'number' && Number.isFinite(number) ? number : RPC.internalError;
}

/** Many agents answer "Internal error" and put the reason into `data`. Data without content, such as `{}`, is ignored. */
function reasonIn(data: unknown, message: string): string {
  if (!hasContent(data)) {
    return '';
  }
  const named = isRecord(data) ? [data.details, data.detail, data.message, data.error].find(hasContent) : data;
  const text = typeof named === 'string' ? named : JSON.stringify(data);
  return message.includes(text) ? '' : text;
}

/** False for null, blank text, an empty object or list as text, and for lists and objects that contain only such values. */
function hasContent(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some(hasContent);
  }
  return typeof value === 'string' ? !/^(?:\{\s*\}|\[\s*\]|null)?$/.test(value.trim()) : value !== undefined && value !== null;
}

/** The error response for invalid parameters; `what` names the field for the agent's author. */
export function invalidParams(what: string): Fault {
  return fault('params.invalid', { what }, { rpcCode: RPC.invalidParams, message: `Invalid params: ${what}` });
}

export function methodNotFound(method: string): Fault {
  const name = excerpt(method, MAX_METHOD);
  return fault('params.invalid', { method: name }, { rpcCode: RPC.methodNotFound, message: `Method not found: ${name}` });
}

/** Returns the beginning of `text`, but not as a slice, which would keep the whole text in memory. */
function excerpt(text: string, length: number): string {
  return text.length > length ? Buffer.from(text.slice(0, length)).toString() : text;
}

/** The failure for the way in which a connection's transport ended. */
export function failureOfEnd(end: TransportEnd, trailingStderr: string | undefined): Failure {
  if (end.failure) {
    return end.failure;
  }
  const detail = end.stderrTail || trailingStderr;
  const exited = end.exitCode !== undefined || end.signal !== undefined;
  return {
    code: exited ? 'agent.exited' : 'connection.closed',
    ...(exited && {
      params: { ...(end.exitCode !== undefined && { exitCode: end.exitCode }), ...(end.signal !== undefined && { signal: end.signal }) },
    }),
    ...(detail && { detail }),
  };
}
