/** The certificates that the system trusts, in a file for agents: an administrator adds those of a proxy to the system, and Node ignores them. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as tls from 'node:tls';
import { writeFileSafely } from '../../util/writeFileSafely';

/** ms after which the file is written again. */
const FRESH_MS = 24 * 60 * 60_000;

/** Node's function, which VS Code's Node has since 1.104. */
type Certificates = (type: 'system' | 'bundled') => readonly string[];

/**
 * @param folder the extension's storage
 * @param read Node's function @returns the file; undefined when the system trusts no others, or they cannot be read
 */
export async function certificateFile(
  folder: string,
  now: number,
  read: Certificates | undefined = (tls as { getCACertificates?: Certificates }).getCACertificates,
): Promise<string | undefined> {
  const file = path.join(folder, 'certificates.pem');
  const info = await stat(file).catch(() => undefined);
  if (info && Math.abs(now - info.mtimeMs) < FRESH_MS) {
    return info.size > 0 ? file : undefined;
  }
  try {
    const bundled = new Set(read?.('bundled'));
    const others = (read?.('system') ?? []).filter((each) => !bundled.has(each));
    await mkdir(folder, { recursive: true });
    // An empty file remembers that there are none.
    await writeFileSafely(file, [others.join('\n')], { overwrite: true });
    return others.length > 0 ? file : undefined;
  } catch {
    return info && info.size > 0 ? file : undefined;
  }
}
