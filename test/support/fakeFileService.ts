import { strict as assert } from 'node:assert';
import { posix } from 'node:path';
import { Fault } from '../../src/core/model/failure';
import { type FileGuard, FileService, type WriteReview } from '../../src/fs/fileService';
import type { PathSystem } from '../../src/util/realPath';
import { RootCheck } from '../../src/util/roots';
import type { FakeBuffers } from './fakeBuffers';

/** Every path is real; `/w` is the only root. */
const system: PathSystem = {
  path: posix,
  realpath: async (name) => posix.normalize(name),
  linkOf: async () => null,
  inodeOf: async (name) => ({ dev: 1n, ino: name === '/w' ? 1n : 2n }),
};

/** A session's file room whose root is `/w`; files of more than 1000 bytes are too large. `wait` is awaited when a path is resolved. */
export function fileService(
  buffers: FakeBuffers,
  wait = async (_path: string) => {},
  review?: WriteReview,
  guard?: FileGuard,
): FileService {
  const slow: PathSystem = { ...system, realpath: async (name) => wait(name).then(() => system.realpath(name)) };
  return new FileService(buffers, new RootCheck({ cwd: '/w', additionalDirectories: [] }, slow), { maxBytes: 1000 }, guard, review);
}

/** The fault with which `promise` rejects; fails when it resolves. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await faultOf(promise)).failure.code;
}
