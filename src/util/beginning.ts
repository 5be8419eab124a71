/** Reads the beginning of a file, without the rest. */
import { open } from 'node:fs/promises';

/** Returns the first `bytes` bytes of a file, or all that it has. @throws the system's error */
export async function beginningOf(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
