/** The decision whether a request for a WebSocket is admitted. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ShareAccess } from '../core/share/share';
import { plainName } from '../core/platform/privateAddress';
import type { Accesses } from './accesses';
import type { Attempts } from './attempts';

export const SHARE_PATH = '/acp';
/** The prefix of the token among the subprotocols, for clients that cannot set headers, such as web pages. */
const SUBPROTOCOL = 'acp.bearer.';
/** The number of handshakes that are remembered, so that a recorded one is refused. */
const MAX_KEYS = 1000;

export interface AdmissionRequest {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** True when a program of another user of this machine has connected. */
  isOtherUser(): boolean;
}

/** A refusal: the status of HTTP, and a reason for the log without any part of the request. */
export interface Refusal {
  readonly status: 401 | 403 | 404 | 409 | 429;
  readonly reason: string;
}

export class Admission {
  private readonly keys = new Set<string>();

  constructor(
    private readonly accesses: Accesses,
    private readonly attempts: Attempts,
    /** True when the user chose an address of the network. On loopback every web page of this machine's browsers can try to connect. */
    private readonly isChosen: boolean,
    /**
     * True when only programs of this user may connect. After a reload on loopback, another user may have listened at the port meanwhile, and have
     * received the token of a client that connected again.
     */
    private readonly isOwnOnly = false,
  ) {}

  decide({ url, headers, address, isOtherUser }: AdmissionRequest): ShareAccess | Refusal {
    if (url !== SHARE_PATH) {
      return { status: 404, reason: 'unknown path' };
    }
    if (!this.isChosen && headers.origin !== undefined) {
      return { status: 403, reason: 'a web page' };
    }
    if (!this.isChosen && !isLoopbackName(headers.host)) {
      return { status: 403, reason: 'a foreign Host header' };
    }
    const access = this.checkToken(tokenOf(headers), address);
    if ('status' in access) {
      return access;
    }
    if (this.isOwnOnly && isOtherUser()) {
      return { status: 403, reason: 'a program of another user' };
    }
    const key = headers['sec-websocket-key'];
    if (key !== undefined && this.keys.has(key)) {
      return { status: 409, reason: 'a repeated handshake' };
    }
    if (key !== undefined) {
      this.keys.add(key);
      if (this.keys.size > MAX_KEYS) {
        this.keys.delete(this.keys.values().next().value!);
      }
    }
    return access;
  }

  private checkToken(token: string | undefined, address: string): ShareAccess | Refusal {
    const accessId = token === undefined ? undefined : this.accesses.claimed(token);
    const source = accessId === undefined ? `address ${address}` : `access ${accessId}`;
    if (this.attempts.isBlocked(source)) {
      return { status: 429, reason: 'too many wrong tokens' };
    }
    const access = token === undefined ? undefined : this.accesses.check(token);
    if (!access) {
      this.attempts.addWrong(source);
      return { status: 401, reason: token === undefined ? 'no token' : 'a wrong token' };
    }
    return access;
  }
}

/** The name `localhost` and the loopback addresses, with or without a port. Any other name may belong to an attacker who rebinds it. */
function isLoopbackName(host: string | undefined): boolean {
  const name = plainName((host ?? '').replace(/:\d+$/, ''));
  return name === 'localhost' || name === '127.0.0.1' || name === '::1';
}

/** The token of the `Authorization` header, or of the subprotocols. An address never has one, because addresses are logged. */
function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return (
    bearer ??
    offeredProtocols(headers)
      .find((each) => each.startsWith(SUBPROTOCOL))
      ?.slice(SUBPROTOCOL.length)
  );
}

function offeredProtocols(headers: IncomingHttpHeaders): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());
}

/** Returns the subprotocol to confirm. The token must not be sent back. */
export function confirmedProtocol(protocols: ReadonlySet<string>): string | false {
  return [...protocols].find((each) => !each.startsWith(SUBPROTOCOL)) ?? false;
}
