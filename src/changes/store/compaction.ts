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
  const read = index.length;
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
    // The first line has no hash. It only says which deletion has written the file.
    const lines = Buffer.concat([Buffer.from(`\n${JSON.stringify({ pack })}`), linesOf(entries)]);
    const added = await folder.replaceAppended(INDEX, lines, read).catch(async (error: unknown) => {
      // The disk may report an error although the file was replaced.
      const present = await folder.readAll(INDEX);
      if (!names(present, pack)) {
        throw error;
      }
      return present!.subarray(lines.length);
    });
    index.reset(entries, lines.length + added.length);
    await index.addLines(added);
  } catch (error) {
    await removeFailed(folder, pack).catch(() => undefined);
    throw error;
  }
  // The objects are safe. A pack that cannot be deleted only takes space until the next time.
  await removeUnused(folder, pack, index).catch(() => undefined);
  return { pack, length };
}

/** Keeps the pack when it is not certain that the index does not name it. */
async function removeFailed(folder: StoreFolder, pack: string): Promise<void> {
  if (!names(await folder.readAll(INDEX), pack)) {
    await folder.remove(pack);
  }
}

function names(index: Uint8Array | undefined, pack: string): boolean {
  return index !== undefined && Buffer.from(index.buffer, index.byteOffset, index.byteLength).includes(`"${pack}"`);
}

/** Renames each unused pack before it reads the index again: a window that has written its line in between finds its pack missing, or gets it back. */
async function removeUnused(folder: StoreFolder, own: string, index: ObjectIndex): Promise<void> {
  const used = new Set([own, ...[...index.packs.values()].map(({ pack }) => pack)]);
  const files = await folder.names();
  const unused = files.filter((name) => name.startsWith('pack-') && !used.has(name));
  for (const pack of unused) {
    await folder.rename(pack, UNUSED + pack);
  }
  const lines = await folder.readAll(INDEX);
  for (const name of [...unused.map((pack) => UNUSED + pack), ...files.filter((each) => each.startsWith(UNUSED))]) {
    const pack = name.slice(UNUSED.length);
    await (names(lines, pack) ? folder.rename(name, pack) : folder.remove(name));
  }
}
