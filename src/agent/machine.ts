/** The machine on which an agent runs. Pure. */
import { type Endpoint, isRemote } from '../core/agents/endpoint';

/** Returns the machine of an agent that may run on another one, as the settings name it: a host, with its port where it has one. */
export function machineOf(endpoint: Endpoint): string | undefined {
  return isRemote(endpoint) ? new URL(endpoint.url).host : endpoint.kind === 'ssh' ? endpoint.host : undefined;
}
