/** Deletes stored objects. A crash at any moment leaves all of the earlier objects or all of the wanted ones. */
import { INDEX, type IndexEntry, linesOf, type ObjectIndex, type PackLocation } from './objectIndex';
import { MAX_BATCH_BYTES, newPack } from './packWriter';
import type { StoreFolder } from './storeFolder';

/** A pack that is about to be deleted. */
const UNUSED = 'unused-';

/**
 * Copies the wanted objects to a new pack, replaces the index, then deletes the other packs. Runs while this window writes nothing.
 * @param index loaded
 * @param unpack resolves to the object's content, or to undefined when the bytes are damaged
 * @returns the new pack and its length
 * @throws the disk's error; the earlier objects are all still stored then
 */
export async function keepOnlyIn(
  folder: StoreFolder,
  index: ObjectIndex,
  hashes: ReadonlySet<string>,
  unpack: (hash: string, at: PackLocation, stored: Uint8Array) => Promise<Uint8Array | undefined>,
): Promise<{ readonly pack: string; readonly length: number }> {
  const pack = newPack();
  // Lines that another window has added since stay, because it still needs their objects.
  const read = index.version;
  let length = 0;
  try {
    const entries: IndexEntry[] = [];
    let pieces: Uint8Array[] = [];
    let pending = 0;
    const write = async (): Promise<void> => {
      if (pending > 0) {
        await folder.append(pack, Buffer.concat(pieces), { at: length });
      }
      length += pending;
      [pieces, pending] = [[], 0];
    };
    for (const hash of hashes) {
      const at = index.packs.get(hash);
      const stored = at && (await folder.read(at.pack, at.offset, at.length));
      const git = index.git.get(hash);
      if (stored && (await unpack(hash, at, stored))) {
        if (pending > 0 && pending + stored.length > MAX_BATCH_BYTES) {
          await write();
        }
        entries.push({ hash, at: { ...at, pack, offset: length + pending } });
        pieces.push(stored);
        pending += stored.length;
      } else if (git) {
        entries.push({ hash, git, length: 0 });
      }
    }
    await write();
    // The first line has no hash. It only identifies the deletion that has written the file.
    const lines = Buffer.concat([Buffer.from(`\n${JSON.stringify({ pack })}`), linesOf(entries)]);
    const { added, id } = await folder.replaceAppended(INDEX, lines, read).catch(async (error: unknown) => {
      // The disk may report an error although the file was replaced.
      const present = await folder.readFrom(INDEX, 0);
      if (!present || !names(present.bytes, pack)) {
        throw error;
      }
      return { added: present.bytes.subarray(lines.length), id: present.id };
    });
    index.reset(entries, { length: lines.length + added.length, id });
    await index.addLines(added);
  } catch (error) {
    await removeFailed(folder, pack).catch(() => undefined);
    throw error;
  }
  await restoreOwn(folder, pack, length).catch(() => undefined);
  // The objects are safe. A pack that cannot be deleted only takes space until the next time.
  await removeUnused(folder, pack, index).catch(() => undefined);
  return { pack, length };
}

/**
 * Restores our own pack. Another window that deletes at the same time may have renamed it while no index named it. That window then finds it named,
 * or has deleted it first.
 */
async function restoreOwn(folder: StoreFolder, pack: string, length: number): Promise<void> {
  if (length > 0 && (await folder.length(pack)) === undefined) {
    await folder.rename(UNUSED + pack, pack).catch(() => undefined);
  }
}

/** Deletes the pack only when the index certainly does not name it. */
async function removeFailed(folder: StoreFolder, pack: string): Promise<void> {
  if (!names(await folder.readAll(INDEX), pack)) {
    await folder.remove(pack);
  }
}

function names(index: Uint8Array | undefined, pack: string): boolean {
  return index !== undefined && Buffer.from(index.buffer, index.byteOffset, index.byteLength).includes(`"${pack}"`);
}

/**
 * Renames each unused pack before it reads the index again. A window that has written its line in between finds its pack missing, or gets it back.
 */
async function removeUnused(folder: StoreFolder, own: string, index: ObjectIndex): Promise<void> {
  const used = new Set([own, ...[...index.packs.values()].map(({ pack }) => pack)]);
  const files = await folder.names();
  // Another window may have replaced the index in between.
  const before = await folder.readAll(INDEX);
  const unused = files.filter((name) => name.startsWith('pack-') && !used.has(name) && !names(before, name));
  for (const pack of unused) {
    await folder.rename(pack, UNUSED + pack).catch(ifMissing);
  }
  const lines = await folder.readAll(INDEX);
  for (const name of [...unused.map((pack) => UNUSED + pack), ...files.filter((each) => each.startsWith(UNUSED))]) {
    const pack = name.slice(UNUSED.length);
    await (names(lines, pack) ? folder.rename(name, pack).catch(ifMissing) : folder.remove(name));
  }
}

/** Another window that deletes at the same time has already removed the file. */
function ifMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
    throw error;
  }
}
