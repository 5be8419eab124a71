/** The kind of a program that a package declares. */
import { chmod, open } from 'node:fs/promises';
import { installFault } from '../registryReasons';

const LINE_BYTES = 256;

/** `node`: a script that runs on Node. `file`: a program that the system runs; it becomes executable. @throws Fault when there is no such file */
export async function interpreterOf(file: string): Promise<'node' | 'file'> {
  let first: string;
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, 0);
      first = buffer.toString('latin1', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    throw installFault('no_program');
  }
  const line = /^#!([^\r\n]*)/.exec(first)?.[1];
  if (line !== undefined ? /\bnode\b/.test(line) : /\.[cm]?js$/i.test(file)) {
    return 'node';
  }
  await chmod(file, 0o755);
  return 'file';
}
