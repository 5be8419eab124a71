/** The list of hosts that a sandbox may reach: `name`, `*.name`, `name:port` or `name:*`. Pure. */
import { plainName } from '../../core/platform/privateAddress';

interface HostPattern {
  readonly name: string;
  readonly isWildcard: boolean;
  /** Undefined: the ports of the web, 80 and 443. */
  readonly port: number | '*' | undefined;
}

/** The decision about a host. `mayBePrivate`: an address of the local network is allowed, because the entry names this very host. */
export interface HostDecision {
  readonly isAllowed: boolean;
  readonly mayBePrivate: boolean;
}

/** Decides about a connection. An entry that cannot be parsed allows nothing. */
export function decideHost(entries: readonly string[], name: string, port: number): HostDecision {
  const host = plainName(name);
  const fitting = entries
    .map(parseHost)
    .filter((each) => each !== undefined)
    .filter((each) => (each.isWildcard ? host.endsWith(`.${each.name}`) : host === each.name))
    .filter((each) => each.port === '*' || (each.port === undefined ? port === 443 || port === 80 : each.port === port));
  return { isAllowed: fitting.length > 0, mayBePrivate: fitting.some(({ isWildcard }) => !isWildcard) };
}

/** The ports of the entries for this machine. The sandbox has a loopback interface of its own, so each is forwarded. */
export function loopbackPorts(entries: readonly string[]): readonly number[] {
  const ports = entries
    .map(parseHost)
    .flatMap((each) => (each && isLoopbackName(each.name) && typeof each.port === 'number' ? [each.port] : []));
  return [...new Set(ports)];
}

/** Returns the entry that allows this host and port. */
export function hostEntry(name: string, port: number): string {
  const host = plainName(name);
  return port === 443 || port === 80 ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name === '127.0.0.1' || name === '::1';
}

function parseHost(entry: string): HostPattern | undefined {
  const match = /^(\*\.)?(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}|\*))?$/i.exec(entry.trim());
  if (!match) {
    return undefined;
  }
  const [, wildcard, name = '', port] = match;
  return {
    name: plainName(name),
    isWildcard: wildcard !== undefined,
    port: port === undefined ? undefined : port === '*' ? '*' : Number(port),
  };
}
