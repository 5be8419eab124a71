/** The agents of several registries, cached on disk for offline use and refreshed by ETag. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Fault, type Failure } from '../core/model/failure';
import { PUBLIC_REGISTRY } from '../core/agents/registryTwins';
import { writeFileSafely } from '../util/writeFileSafely';
import { type Fetch, RequestError, type RequestLimits, requestText, safeAddress } from './http';
import { MAX_ICON, rebuildIcon } from './icon';
import { type ParsedManifest, parseManifests } from './manifest';
import { registryPlatform } from './platform';
import { unreachable } from './registryReasons';
import type { RegistryAgent, RegistryIndex, RegistryState } from './types';

export interface RegistryIndexDependencies {
  /** The folder of the cache. It is created with the first answer. */
  readonly folder: string;
  /** The addresses of `acpHost.registry.urls`, read with each call. */
  urls(): readonly string[];
  readonly fetch: Fetch;
  readonly now: () => number;
  /** The platform in a manifest's words, such as `linux-x86_64`. Default: that of this process. */
  readonly platform?: string;
  readonly limits?: RequestLimits;
  /** ms in which the icons of a list must arrive. Default: 8 s. */
  readonly iconsMs?: number;
  /** Entries of the public registry, for as long as it cannot be reached, and where it lacks their ids. */
  readonly fallback?: readonly { readonly id?: unknown }[];
}

const KILOBYTE = 1024;
/** The public registry has 100 KB. */
const LIST_LIMITS: RequestLimits = { maxBytes: 5 * KILOBYTE * KILOBYTE, idleMs: 15_000, totalMs: 45_000 };
const ICON_LIMITS: RequestLimits = { maxBytes: MAX_ICON, idleMs: 5000, totalMs: 10_000 };
/** ms for all icons of a list: it is shown without those that come later. */
const ICONS_MS = 8000;
/** UTF-16 units of all icons of a list. Those of the public registry have 200,000. */
const MAX_ICONS = 4 * KILOBYTE * KILOBYTE;
const MAX_AGENTS = 2000;
const MAX_PARALLEL = 6;
const MAX_REGISTRIES = 20;
/** A larger cache was not written by this module. */
const MAX_CACHE_BYTES = 64 * KILOBYTE * KILOBYTE;

/** The cache of one registry. */
interface Cache {
  readonly url: string;
  readonly etag?: string;
  readonly modified?: string;
  readonly checkedAt: number;
  /** The value of `agents`, not validated: a newer version of this extension may accept more of it. */
  readonly agents: readonly unknown[];
  /** The rebuilt icons by address. `null`: the address has no usable icon. */
  readonly icons: Readonly<Record<string, string | null>>;
}

export function createRegistryIndex(deps: RegistryIndexDependencies): RegistryIndex {
  const addresses = (): string[] => [...new Set(deps.urls())].slice(0, MAX_REGISTRIES);
  return {
    cached: async () => {
      const read = addresses().map(async (url) => ({ url, cache: await readCache(deps, url) }));
      return stateOf(deps, await Promise.all(read));
    },
    refresh: async (signal, report) => {
      const found: Registry[] = await Promise.all(addresses().map(async (url) => ({ url, cache: await readCache(deps, url) })));
      let waiting = found.length;
      const asked = found.map(async ({ url, cache }, index) => {
        found[index] = await refreshOne(deps, url, cache, signal);
        if (--waiting > 0) {
          report?.(stateOf(deps, found));
        }
      });
      await Promise.all(asked);
      return stateOf(deps, found);
    },
  };
}

interface Registry {
  readonly url: string;
  readonly cache: Cache | undefined;
  readonly problem?: Failure;
}

function stateOf(deps: RegistryIndexDependencies, registries: readonly Registry[]): RegistryState {
  const { platform = registryPlatform() } = deps;
  return {
    agents: registries.flatMap(({ url, cache }) => agentsOf({ icons: {}, ...cache, agents: entriesOf(deps, url, cache) }, url, platform)),
    registries: registries.map(({ url, cache, problem }) => ({
      url,
      ...(cache && { checkedAt: cache.checkedAt }),
      ...(problem && { problem }),
    })),
  };
}

function entriesOf({ fallback = [] }: RegistryIndexDependencies, url: string, { agents = [] }: Partial<Cache> = {}): readonly unknown[] {
  const ids = new Set(agents.map((agent) => (agent as { readonly id?: unknown } | null)?.id));
  return url === PUBLIC_REGISTRY ? [...agents, ...fallback.filter(({ id }) => !ids.has(id))] : agents;
}

function agentsOf({ agents, icons }: Pick<Cache, 'agents' | 'icons'>, url: string, platform: string | undefined): RegistryAgent[] {
  return parseManifests(agents, url, platform).map(({ agent, iconUrl }) => {
    const icon = iconUrl !== undefined && Object.hasOwn(icons, iconUrl) ? icons[iconUrl] : undefined;
    return icon ? { ...agent, icon } : agent;
  });
}

async function refreshOne(
  deps: RegistryIndexDependencies,
  url: string,
  old: Cache | undefined,
  signal: AbortSignal | undefined,
): Promise<Registry> {
  try {
    if (!safeAddress(url)) {
      throw new RequestError(URL.canParse(url) ? 'other_scheme' : 'bad_address');
    }
    const cache = await requestList(deps, url, old, signal);
    await writeCache(deps, cache);
    return { url, cache };
  } catch (error) {
    return { url, cache: old, problem: problemOf(error) };
  }
}

/** Requests the list unless it has not changed, and the icons that are new. */
async function requestList(
  { fetch, now, limits = LIST_LIMITS, iconsMs = ICONS_MS }: RegistryIndexDependencies,
  url: string,
  old: Cache | undefined,
  signal: AbortSignal | undefined,
): Promise<Cache> {
  const headers = {
    accept: 'application/json',
    ...(old?.etag !== undefined && { 'if-none-match': old.etag }),
    ...(old?.modified !== undefined && { 'if-modified-since': old.modified }),
  };
  const answer = await requestText(fetch, url, { limits, headers, signal });
  if (!answer && !old) {
    throw new Fault(unreachable('not_a_registry'));
  }
  const agents = answer ? listIn(answer.text) : old!.agents;
  const [etag, modified] = answer ? [answer.headers.get('etag'), answer.headers.get('last-modified')] : [old?.etag, old?.modified];
  const inTime = AbortSignal.any([AbortSignal.timeout(iconsMs), ...(signal ? [signal] : [])]);
  const icons = await requestIcons(fetch, parseManifests(agents, url, undefined), answer ? {} : old!.icons, old?.icons ?? {}, inTime);
  return { url, ...(etag && { etag }), ...(modified && { modified }), checkedAt: now(), agents, icons };
}

function listIn(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault(unreachable('not_json'));
  }
  const agents = (value as { readonly agents?: unknown } | null)?.agents;
  if (!Array.isArray(agents)) {
    throw new Fault(unreachable('not_a_registry'));
  }
  if (agents.length > MAX_AGENTS) {
    throw new Fault(unreachable('too_large', { agents: MAX_AGENTS }));
  }
  return agents;
}

/** Requests the icons that `known` lacks. One that cannot be loaded in time keeps its earlier form from `old`. */
async function requestIcons(
  fetch: Fetch,
  manifests: readonly ParsedManifest[],
  known: Cache['icons'],
  old: Cache['icons'],
  signal: AbortSignal,
): Promise<Cache['icons']> {
  const addresses = [...new Set(manifests.flatMap(({ iconUrl }) => iconUrl ?? []))];
  const icons: Record<string, string | null> = {};
  const waiting = [...addresses];
  let length = 0;
  const add = (address: string, icon: string | null): void => {
    const fits = icon === null || (length += icon.length) <= MAX_ICONS;
    icons[address] = fits ? icon : null;
  };
  const work = async (): Promise<void> => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      if (Object.hasOwn(known, address)) {
        add(address, known[address]!);
        continue;
      }
      try {
        signal.throwIfAborted();
        const answer = await requestText(fetch, address, { limits: ICON_LIMITS, signal });
        add(address, (answer && rebuildIcon(answer.text)) ?? null);
      } catch {
        // Without an entry, the next refresh tries again.
        if (old[address] !== undefined) {
          add(address, old[address]!);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, work));
  return icons;
}

function cacheFile({ folder }: RegistryIndexDependencies, url: string): string {
  return path.join(folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`);
}

async function readCache(deps: RegistryIndexDependencies, url: string): Promise<Cache | undefined> {
  const file = cacheFile(deps, url);
  try {
    if ((await stat(file)).size > MAX_CACHE_BYTES) {
      return undefined;
    }
    const { agents, checkedAt, etag, modified, icons, ...cache } = JSON.parse(await readFile(file, 'utf8')) as Partial<Cache>;
    const isUsable = cache.url === url && Array.isArray(agents) && Number.isFinite(checkedAt);
    return isUsable
      ? { url, agents, checkedAt: checkedAt!, ...header('etag', etag), ...header('modified', modified), icons: iconsIn(icons) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** A header of the last answer. One that cannot be sent would let each later request fail. */
function header(name: 'etag' | 'modified', value: unknown): { readonly [Name in 'etag' | 'modified']?: string } {
  return typeof value === 'string' && /^[\x20-\x7e]{1,1000}$/.test(value) ? { [name]: value } : {};
}

function iconsIn(value: unknown): Cache['icons'] {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string'));
}

/** Writes the cache. A list that cannot be stored is still used in this window. */
async function writeCache(deps: RegistryIndexDependencies, cache: Cache): Promise<void> {
  try {
    await mkdir(deps.folder, { recursive: true });
    await writeFileSafely(cacheFile(deps, cache.url), [JSON.stringify(cache)], { overwrite: true });
  } catch {
    // For example a full disk.
  }
}

function problemOf(error: unknown): Failure {
  if (error instanceof RequestError) {
    return unreachable(error.reason, error.params, error.detail);
  }
  return error instanceof Fault ? error.failure : unreachable('no_connection', {}, String(error));
}
