/** The repositories inside another one. A command such as `git status` runs Git in each of them, with their own configuration. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** The maximum size in bytes of an index that is read. */
const MAX_INDEX = 64 * 1024 * 1024;
/** The mode of an entry that is a commit of another repository. */
const LINK = 0o160000;
/** The offsets in an entry, and its size without the name. */
const [MODE, FLAGS, HEAD] = [24, 60, 62];

/**
 * Returns their names, relative to the working tree. Undefined for an index that cannot be read.
 * @param folder Git's own folder
 */
export async function linkedRepositories(folder: string): Promise<readonly string[] | undefined> {
  const file = path.join(folder, 'index');
  const found = await stat(file).catch(() => undefined);
  if (!found) {
    return [];
  }
  const index = found.isFile() && found.size <= MAX_INDEX ? await readFile(file).catch(() => undefined) : undefined;
  return index && linksIn(index);
}

/** Reads an index of the versions 2, 3 and 4, with hashes of 20 bytes. */
function linksIn(index: Buffer): readonly string[] | undefined {
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') {
    return undefined;
  }
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  const links: string[] = [];
  let name: Buffer = Buffer.alloc(0);
  let at = 12;
  for (let entry = 0; entry < count; entry++) {
    if (at + HEAD > index.length || version < 2 || version > 4) {
      return undefined;
    }
    const start = at + HEAD + ((index.readUInt16BE(at + FLAGS) & 0x4000) === 0 ? 0 : 2);
    const [from, shared] = version === 4 ? sharedLength(index, start, name.length) : [start, 0];
    const end = index.indexOf(0, from);
    if (end < 0) {
      return undefined;
    }
    name = Buffer.concat([name.subarray(0, shared), index.subarray(from, end)]);
    if (index.readUInt32BE(at + MODE) === LINK) {
      links.push(name.toString('utf8'));
    }
    // Entries are padded to a multiple of 8 bytes, with at least one zero.
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8;
  }
  return links;
}

/** Returns the start of the name's own part, and the length of the part that it shares with the name before. */
function sharedLength(index: Buffer, start: number, length: number): readonly [number, number] {
  let at = start;
  let value = index[at]! & 0x7f;
  while ((index[at]! & 0x80) !== 0) {
    at++;
    value = (value + 1) * 128 + (index[at]! & 0x7f);
  }
  return [at + 1, length - value];
}
