/** Downloads the archive of a pinned package from an npm registry, and checks it before anything of it is unpacked. */
import { createHash } from 'node:crypto';
import { isDiskFull } from '../../util/diskFull';
import type { PinnedPackage } from './managedPins';
import { NodeNotInstalled } from './nodeNotInstalled';
import type { UserRegistry } from './userRegistry';

/** The part of the global `fetch` that is used. VS Code's has its proxy settings and certificates. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface DownloadDependencies {
  readonly fetch: Fetch;
  readonly registry: UserRegistry;
  /** Called with the bytes that were received. */
  onBytes?(bytes: number): void;
}

/** ms without a byte after which a download is given up. */
const IDLE_MS = 30_000;
/** The most bytes of an archive, compared with the expected ones. */
const SLACK = 1.05;

/** Writes the archive to `file`. @throws NodeNotInstalled */
export async function downloadPackage(
  { fetch, registry, onBytes }: DownloadDependencies,
  { name, version, integrity, size }: PinnedPackage,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const host = new URL(registry.url).host;
  const idle = new AbortController();
  let timer = setTimeout(() => idle.abort(), IDLE_MS);
  const either = AbortSignal.any([idle.signal, ...(signal ? [signal] : [])]);
  const headers: Record<string, string> = registry.authorization === undefined ? {} : { authorization: registry.authorization };
  const { open } = await import('node:fs/promises');
  const hash = createHash('sha512');
  let received = 0;
  let isWriting = false;
  try {
    const response = await archiveOf(fetch, registry.url, name, version, { headers, signal: either });
    const handle = await open(file, 'wx');
    try {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        clearTimeout(timer);
        timer = setTimeout(() => idle.abort(), IDLE_MS);
        received += chunk.length;
        if (received > size * SLACK) {
          throw new NodeNotInstalled('other_file', host);
        }
        hash.update(chunk);
        isWriting = true;
        // `write` may write less than all without an error.
        await handle.appendFile(chunk);
        isWriting = false;
        onBytes?.(received);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (signal?.aborted) {
      throw new NodeNotInstalled('cancelled');
    }
    throw isDiskFull(error) || isWriting || isFileError(error) ? storageFault(error, file) : downloadFault(error, host);
  } finally {
    clearTimeout(timer);
  }
  if (`sha512-${hash.digest('base64')}` !== integrity) {
    throw new NodeNotInstalled('other_file', host);
  }
}

/** The usual address of the archive, then the one that the registry names. */
async function archiveOf(fetch: Fetch, registry: string, name: string, version: string, init: RequestInit): Promise<Response> {
  const usual = await fetch(`${registry}${name}/-/${name}-${version}.tgz`, init);
  if (usual.ok && usual.body) {
    return usual;
  }
  if (usual.status === 404) {
    const described = await fetch(`${registry}${name}/${version}`, init);
    const { dist } = described.ok ? ((await described.json()) as { dist?: { tarball?: unknown } }) : {};
    const address = dist?.tarball;
    // A header for the registry must not reach another host.
    const isSame = typeof address === 'string' && URL.canParse(address) && new URL(address).origin === new URL(registry).origin;
    const named =
      typeof address === 'string' && /^https?:/.test(address) ? await fetch(address, isSame ? init : { signal: init.signal! }) : undefined;
    if (named?.ok && named.body) {
      return named;
    }
  }
  throw new Error(`HTTP status ${usual.status}`);
}

function downloadFault(error: unknown, host: string): NodeNotInstalled {
  if (error instanceof NodeNotInstalled) {
    return error;
  }
  const text = textOf(error);
  return new NodeNotInstalled(/CERT|certificate|SSL/i.test(text) ? 'certificate' : 'unreachable', host, text);
}

/** A folder that cannot be written, or a full disk. */
export function storageFault(error: unknown, folder: string): NodeNotInstalled {
  return new NodeNotInstalled(isDiskFull(error) ? 'disk_full' : 'not_writable', folder, textOf(error));
}

function isFileError(error: unknown): boolean {
  return ['open', 'write', 'mkdir', 'rename', 'close', 'chmod'].includes(String((error as NodeJS.ErrnoException)?.syscall));
}

/** The messages of an error and of its causes. */
function textOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  return cause === undefined ? message : `${message}: ${textOf(cause)}`;
}
