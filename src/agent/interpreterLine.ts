/** A script's first line, which names the program that runs it. */

/** Bytes: more the kernel does not read of it. */
const MAX_LINE = 256;

/** `#!/usr/bin/env node`; undefined for a file that is no script, or that cannot be read. */
export async function interpreterLine(file: string): Promise<string | undefined> {
  const { open } = await import('node:fs/promises');
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_LINE), 0, MAX_LINE, 0);
      return /^#![^\r\n]*/.exec(buffer.toString('utf8', 0, bytesRead))?.[0];
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
