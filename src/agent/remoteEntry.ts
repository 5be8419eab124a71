/** The fields of an entry in `acpHost.agents` that name an agent at an address instead of a program. Pure. */
import { isLoopback } from '../core/platform/privateAddress';
import type { RemoteEndpoint, SshEndpoint } from '../core/agents/endpoint';

/** The fields that belong to a program. */
const OF_PROGRAMS = ['command', 'args', 'env', 'ssh'] as const;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;

/**
 * Returns the endpoint, and reports each field that is wrong. A wrong entry is not used by the caller.
 *
 * @param entry its `url` is given
 */
export function remoteEntry(
  entry: Readonly<Record<string, unknown>>,
  problem: (field: string, expected: string) => void,
): RemoteEndpoint | undefined {
  const { headers, token, subprotocol, allowInsecure, certificateFingerprint, pathMapping } = entry;
  const fingerprint = isGiven(certificateFingerprint) ? fingerprintOf(certificateFingerprint) : undefined;
  OF_PROGRAMS.forEach((field) => isGiven(entry[field]) && problem(field, 'process'));
  const url = addressOf(entry['url']);
  if (!url) {
    problem('url', 'address');
  } else if (allowInsecure !== true && !isSecure(url)) {
    problem('url', 'tls');
  }
  if (isGiven(allowInsecure) && typeof allowInsecure !== 'boolean') {
    problem('allowInsecure', 'boolean');
  }
  if (isGiven(headers) && !isRecord(headers)) {
    problem('headers', 'object');
  } else if (isGiven(headers)) {
    for (const [name, value] of Object.entries(headers as object)) {
      if (!isHeaderValue(value) || !HEADER_NAME.test(name)) {
        problem(`headers.${name}`, 'string');
      }
    }
  }
  if (isGiven(token) && !isHeaderValue(token)) {
    problem('token', 'string');
  }
  if (isGiven(subprotocol) && !(typeof subprotocol === 'string' && TOKEN.test(subprotocol))) {
    problem('subprotocol', 'string');
  }
  if (isGiven(certificateFingerprint) && (fingerprint === undefined || url?.protocol !== 'wss:')) {
    problem('certificateFingerprint', 'fingerprint');
  }
  if (isGiven(pathMapping) && !isRecord(pathMapping)) {
    problem('pathMapping', 'object');
  } else if (isGiven(pathMapping)) {
    for (const [local, remote] of Object.entries(pathMapping as object)) {
      if (!isAbsolute(local) || typeof remote !== 'string' || !isAbsolute(remote)) {
        problem(`pathMapping.${local}`, 'absolutePath');
      }
    }
  }
  if (!url) {
    return undefined;
  }
  const common = {
    url: url.href,
    ...(allowInsecure === true && { allowInsecure }),
    headers: {
      ...(isRecord(headers) ? (headers as Record<string, string>) : {}),
      ...(typeof token === 'string' && { Authorization: `Bearer ${token}` }),
    },
    ...(isRecord(pathMapping) && { pathMapping: { ...(pathMapping as Record<string, string>) } }),
  };
  return url.protocol === 'ws:' || url.protocol === 'wss:'
    ? {
        kind: 'websocket',
        ...common,
        ...(typeof subprotocol === 'string' && { subprotocol }),
        ...(fingerprint !== undefined && { fingerprint }),
      }
    : { kind: 'http', ...common };
}

/** True when the agent's paths are paths of this machine, or are mapped to them. An address on loopback may be a tunnel, and has a folder of its own then. */
export function sharesFiles(endpoint: RemoteEndpoint | SshEndpoint): boolean {
  const { cwd, pathMapping } = endpoint;
  return pathMapping !== undefined || (endpoint.kind !== 'ssh' && cwd === undefined && isLoopback(new URL(endpoint.url).hostname));
}

/** Accepts the forms of OpenSSL and of a sharing: 64 hexadecimal digits, with or without colons. */
function fingerprintOf(value: unknown): string | undefined {
  const digits = typeof value === 'string' ? value.replaceAll(':', '').toLowerCase() : '';
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined;
}

function isSecure(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'wss:' || isLoopback(url.hostname);
}

/** Undefined for another scheme, and for an address with a user or a password, which would be shown and logged. */
function addressOf(value: unknown): URL | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) {
    return undefined;
  }
  const url = new URL(value);
  url.hash = '';
  return /^(?:wss?|https?):$/.test(url.protocol) && url.hostname !== '' && url.username === '' && url.password === '' ? url : undefined;
}

/** False for line breaks, with which a value could add headers, and for characters that headers cannot have. */
function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^(?:[a-zA-Z]:[\\/]|\\\\)/.test(path);
}
