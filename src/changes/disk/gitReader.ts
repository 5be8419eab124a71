/**
 * Reads objects of repositories for the store. Requests of the same moment share a process, and results are reused for some seconds: the review or
 * undo of hundreds of files would otherwise start a process for each.
 */
import type { RunGit } from './git';

/** Reads an object; undefined when the repository no longer has it. @throws when git could not run */
export type ReadObject = (top: string, oid: string) => Promise<Uint8Array | undefined>;

interface Request {
  readonly oid: string;
  resolve(bytes: Uint8Array | undefined): void;
  reject(error: unknown): void;
}

/** ms in which requests are collected. */
const COLLECT_MS = 3;
/** The most objects that one process prints. */
const BATCH = 100;
/** ms for which a result is reused, and the most bytes of all of them. */
const REUSE_MS = 5000;
const REUSE_BYTES = 16 * 1024 * 1024;

export function batchedGitReader(run: RunGit): ReadObject {
  const waiting = new Map<string, Request[]>();
  const known = new Map<string, Promise<Uint8Array | undefined>>();
  let knownBytes = 0;

  const request: ReadObject = (top, oid) =>
    new Promise((resolve, reject) => {
      const requests = waiting.get(top);
      if (requests) {
        requests.push({ oid, resolve, reject });
        return;
      }
      waiting.set(top, [{ oid, resolve, reject }]);
      setTimeout(() => {
        const all = waiting.get(top)!;
        waiting.delete(top);
        void readAll(run, top, all);
      }, COLLECT_MS);
    });

  return (top, oid) => {
    const key = `${top}\0${oid}`;
    const reading = known.get(key) ?? request(top, oid);
    if (!known.has(key)) {
      known.set(key, reading);
      const forget = (size: number): void => {
        known.delete(key);
        knownBytes -= size;
      };
      reading.then(
        (bytes) => {
          const size = bytes?.length ?? 0;
          knownBytes += size;
          if (!bytes || knownBytes > REUSE_BYTES) {
            forget(size);
          } else {
            setTimeout(() => forget(size), REUSE_MS).unref();
          }
        },
        () => forget(0),
      );
    }
    return reading;
  };
}

async function readAll(run: RunGit, top: string, requests: readonly Request[]): Promise<void> {
  const byOid = new Map<string, Request[]>();
  for (const request of requests) {
    byOid.set(request.oid, [...(byOid.get(request.oid) ?? []), request]);
  }
  const oids = [...byOid.keys()];
  for (let from = 0; from < oids.length; from += BATCH) {
    const part = oids.slice(from, from + BATCH);
    const output = await run(top, ['cat-file', '--batch'], part.map((oid) => `${oid}\n`).join('')).catch(() => undefined);
    let position = 0;
    for (const oid of part) {
      const object = output && objectAt(output, position, oid);
      position = object?.end ?? Number.MAX_SAFE_INTEGER;
      for (const { resolve, reject } of byOid.get(oid)!) {
        if (object) {
          resolve(object.bytes);
        } else {
          reject(new Error(`git cat-file failed in ${top}`));
        }
      }
    }
  }
}

/** Returns undefined where the output is not in the format that git prints for the object. */
function objectAt(output: Buffer, from: number, oid: string): { readonly bytes: Uint8Array | undefined; readonly end: number } | undefined {
  const feed = from < output.length ? output.indexOf(10, from) : -1;
  const head = feed < 0 ? '' : output.toString('latin1', from, feed);
  if (head === `${oid} missing`) {
    return { bytes: undefined, end: feed + 1 };
  }
  const size = new RegExp(`^${oid} blob (\\d+)$`).exec(head)?.[1];
  const end = feed + 1 + Number(size);
  return size === undefined || end >= output.length ? undefined : { bytes: Uint8Array.from(output.subarray(feed + 1, end)), end: end + 1 };
}
