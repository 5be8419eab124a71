/** Reads a script's first line, which names its interpreter. */

/** Bytes that the kernel reads of the line. */
const MAX_LINE = 256;

/** Returns for example `#!/usr/bin/env node`; undefined for a file that is not a script or cannot be read. */
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
