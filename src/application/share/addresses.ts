/** The addresses of this machine at which a session can be shared. Pure. */
import type { NetworkInterfaceInfo } from 'node:os';
import { isLoopback } from '../../core/platform/privateAddress';

export const LOOPBACK = '127.0.0.1';

export interface NetworkAddress {
  readonly host: string;
  /** The name of the interface. */
  readonly name: string;
}

/** Returns the addresses of the network, IPv4 first. Addresses that need an interface's name are left out, because a URL cannot name it. */
export function networkAddresses(interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>): NetworkAddress[] {
  const all = Object.entries(interfaces).flatMap(([name, infos = []]) => infos.map((info) => ({ name, ...info })));
  return all
    .filter(({ address, internal, scopeid }) => !internal && !isLoopback(address) && !scopeid && !/^fe80:/i.test(address))
    .sort((a, b) => a.family.localeCompare(b.family))
    .map(({ address, name }) => ({ host: address, name }));
}
