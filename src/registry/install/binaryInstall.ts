/** Downloads an archive or a program, checks it and unpacks it. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileInside } from '../archive/guard';
import { formatInside, isProgram } from '../archive/content';
import { formatOf, unpack } from '../archive/unpack';
import { request, RequestError, type RequestLimits } from '../http';
import { installFault } from '../registryReasons';
import type { BinaryWay } from '../types';
import type { InstallContext } from './context';
import type { VersionRecord } from './record';
import { runTool } from './runTool';

const GIGABYTE = 1024 * 1024 * 1024;
const DOWNLOAD_LIMITS: RequestLimits = { maxBytes: 2 * GIGABYTE, idleMs: 30_000, totalMs: 60 * 60_000 };

/** @param folder empty */
export async function installBinary(
  way: BinaryWay,
  folder: string,
  context: InstallContext,
): Promise<Pick<VersionRecord, 'program' | 'env'>> {
  const { report, signal, now, limits } = context;
  const named = formatOf(new URL(way.archive).pathname);
  if (named === 'refused') {
    throw installFault('installer_format', { file: path.posix.basename(new URL(way.archive).pathname).slice(0, 100) });
  }
  const files = path.join(folder, 'files');
  const downloaded = path.join(folder, '.download');
  await mkdir(files, { recursive: true });
  const digest = await download(way.archive, downloaded, context);
  report({ step: 'verify' });
  if (way.sha256 !== undefined && digest !== way.sha256) {
    throw installFault('wrong_checksum', { expected: way.sha256, actual: digest });
  }
  // An address such as `/download?file=tool.zip` does not name the format.
  const format = named === 'raw' ? await formatInside(downloaded) : named;
  const total = (await stat(downloaded)).size;
  report({ step: 'unpack', done: 0, total });
  if (format === 'raw') {
    await mkdir(path.dirname(path.join(files, way.cmd)), { recursive: true });
    await rename(downloaded, path.join(files, way.cmd));
  } else {
    await unpack(downloaded, format, files, {
      signal,
      ...(limits && { limits: limits.archive }),
      onProgress: (done) => report({ step: 'unpack', done: Math.min(done, total), total }),
    });
    await rm(downloaded);
  }
  report({ step: 'finish' });
  const program = await fileInside(files, way.cmd);
  if (program === undefined || !(await isProgram(program))) {
    throw installFault('no_program', { program: way.cmd });
  }
  await chmod(program, 0o755);
  await quarantine(files, now());
  return { program: { kind: 'file', file: path.join('files', ...way.cmd.split('/')) }, env: way.env };
}

/** @returns the file's SHA-256 in hexadecimal */
async function download(address: string, file: string, { fetch, report, signal, limits }: InstallContext): Promise<string> {
  const hash = createHash('sha256');
  try {
    const { body } = await request(fetch, address, {
      limits: limits?.download ?? DOWNLOAD_LIMITS,
      signal,
      onProgress: (done, total) => report({ step: 'download', done, ...(total !== undefined && { total }) }),
    });
    const hashed = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(Readable.from(hashed()), createWriteStream(file, { flags: 'wx' }));
  } catch (error) {
    throw error instanceof RequestError ? installFault(error.reason, error.params, error.detail) : error;
  }
  return hash.digest('hex');
}

/**
 * macOS checks a program of the internet at its first start when the program that downloaded it has set this mark, as a browser does. Without the mark
 * an unsigned program would start unchecked.
 */
async function quarantine(folder: string, now: number): Promise<void> {
  if (process.platform === 'darwin') {
    const value = `0081;${Math.floor(now / 1000).toString(16)};ACP Host;${randomUUID().toUpperCase()}`;
    const args = ['-r', '-w', 'com.apple.quarantine', value, folder];
    await runTool({ command: '/usr/bin/xattr', args, cwd: folder, environment: {} }).catch(() => undefined);
  }
}
