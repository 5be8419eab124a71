/** The agents of several registries, cached on disk for offline use and refreshed by ETag. */
import type { Fetch } from './http';
import type { RegistryIndex } from './types';

export interface RegistryIndexDependencies {
  /** The folder of the cache. It is created with the first answer. */
  readonly folder: string;
  /** The addresses of `acpHost.registry.urls`, read with each call. */
  urls(): readonly string[];
  readonly fetch: Fetch;
  readonly now: () => number;
  /** The platform in a manifest's words, such as `linux-x86_64`. Default: that of this process. */
  readonly platform?: string;
}

export function createRegistryIndex(_deps: RegistryIndexDependencies): RegistryIndex {
  throw new Error('not written');
}
