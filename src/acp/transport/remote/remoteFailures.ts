/** The reasons why a remote agent cannot be reached, or no longer. */
import type { Failure } from '../../../core/model/failure';
import { OTHER_USER } from './ownServer';

/** Error codes of Node.js and OpenSSL about a server's certificate. */
const CERTIFICATE = /CERT|^UNABLE_TO_|SELF_SIGNED|^ERR_TLS|ALTNAME/;

/** UTF-16 units of a server's text that are shown. */
const MAX_DETAIL = 500;

/** An error that carries the failure of a transport. */
export class RemoteError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
  }
}

/** The failure of a request that got no answer. @param host the name and port of the server */
export function failureOfError(error: unknown, host: string): Failure {
  if (error instanceof RemoteError) {
    return error.failure;
  }
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown };
  const word = typeof code === 'string' ? code : '';
  const detail = [word, typeof message === 'string' ? message : '']
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, MAX_DETAIL);
  if (word === '' && cause !== undefined) {
    return failureOfError(cause, host);
  }
  if (word === OTHER_USER) {
    return { code: 'remote.other_user', params: { host } };
  }
  if (CERTIFICATE.test(word)) {
    return { code: 'remote.certificate', params: { host }, detail };
  }
  if (word === 'HPE_INVALID_CONSTANT' || word.startsWith('HPE_') || word === 'EPROTO') {
    return { code: 'remote.not_acp', params: { host }, detail };
  }
  return { code: 'remote.unreachable', params: { host }, detail };
}

/** A server that has no stream for a session. It may have one when the session is open. */
export class StreamRefused extends RemoteError {}

/**
 * The failure of an answer whose status is not the expected one.
 *
 * @param headers with lower-case names
 * @param body the beginning of the server's text
 * @param isConnected true for a request of an existing connection. The server does not know it after its own restart, for example.
 */
export function failureOfStatus(
  status: number,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
  host: string,
  isConnected = false,
): Failure {
  const detail = body.trim().slice(0, MAX_DETAIL);
  const shown = detail === '' ? {} : { detail };
  const params = { host, status: `${status}` };
  switch (true) {
    case status >= 300 && status < 400:
      return { code: 'remote.redirected', params: { ...params, to: `${headers['location'] ?? ''}`.slice(0, MAX_DETAIL) } };
    case status === 401 || status === 403 || status === 407:
      return { code: 'remote.denied', params, ...shown };
    case isConnected && (status === 404 || status === 410):
      return { code: 'remote.closed', params: { host }, ...shown };
    case status === 404 || status === 405 || status === 410:
      return { code: 'remote.not_found', params, ...shown };
    case status === 409:
      return { code: 'remote.conflict', params, ...shown };
    case status === 429 || status === 503: {
      const seconds = Number(headers['retry-after']);
      return { code: 'remote.busy', params: { ...params, ...(seconds > 0 && { seconds: `${Math.ceil(seconds)}` }) }, ...shown };
    }
    case status >= 500:
      return { code: 'remote.error', params, ...shown };
    default:
      return { code: 'remote.not_acp', params, ...shown };
  }
}
