/** Recognizes files that a turn moved unchanged, so that the move of a large folder reads none of them. */
import type { FileStat } from '../disk/diskFiles';
import { addTo, Pace } from '../disk/pace';
import type { PresentFile } from './fileStates';
import type { CleanFile, EarlierFile } from './filesSnapshot';

/** Git stores the lower 32 bits of the inode and the device. */
const BITS = 2 ** 32;
/** The ms by which two readings of one time may differ, because git stores whole nanoseconds. */
const ROUNDING_MS = 0.01;

export class MovedFiles {
  private readonly byInode = new Map<number, { readonly earlier: EarlierFile; readonly clean: CleanFile }[]>();

  /** Adds the files from before the turn. Only those that git had compared count. */
  async add(files: Iterable<EarlierFile>): Promise<void> {
    const pace = new Pace();
    for (const earlier of files) {
      if (earlier.clean) {
        addTo(this.byInode, earlier.clean.ino, { earlier, clean: earlier.clean });
      }
      await pace.step();
    }
  }

  get isEmpty(): boolean {
    return this.byInode.size === 0;
  }

  /**
   * Returns the present state of a file with this stat; undefined where its content is not certain. No program can set a file's change time, and git
   * saw the content at that very time.
   */
  presentOf(stat: FileStat): PresentFile | undefined {
    const found = stat.kind === 'file' ? this.byInode.get(stat.ino % BITS)?.find(({ clean }) => isSame(clean, stat)) : undefined;
    return found && { state: { ...found.earlier.state, mode: stat.mode } as PresentFile['state'], stat, binary: found.clean.binary };
  }
}

function isSame({ dev, size, mtimeMs, ctimeMs }: CleanFile, stat: FileStat): boolean {
  const isSameTime = (one: number, other: number): boolean => one > 0 && Math.abs(one - other) < ROUNDING_MS;
  return dev === stat.dev % BITS && size === stat.size && isSameTime(mtimeMs, stat.mtimeMs) && isSameTime(ctimeMs, stat.ctimeMs);
}
