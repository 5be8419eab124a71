import type { FolderPin, FolderPins } from '../core/model/ports';
import { nodePaths, realPathOf } from './realPath';
import type { PathSystem } from './realPath';

/** Remembers which folder each path led to when it was first asked for, or {@link RootPins.keep | agreed to}. */
export class RootPins implements FolderPins {
  /** Called once for each folder that turned out to be another one. */
  onChanged: (folder: string) => void = () => undefined;
  private readonly pins = new Map<string, Promise<FolderPin | undefined>>();
  private readonly reported = new Set<string>();

  constructor(private readonly system: PathSystem = nodePaths) {}

  of(folder: string): Promise<FolderPin | undefined> {
    const known = this.pins.get(folder);
    if (known) {
      return known;
    }
    const pin = lookAt(folder, this.system);
    this.pins.set(folder, pin);
    return pin;
  }

  changed(folder: string): void {
    if (this.reported.has(folder)) {
      return;
    }
    this.reported.add(folder);
    this.onChanged(folder);
  }

  /** These and no others: new ones are looked at now, those of before stay what they were. */
  keep(folders: readonly string[]): void {
    for (const folder of [...this.pins.keys()].filter((known) => !folders.includes(known))) {
      this.pins.delete(folder);
      this.reported.delete(folder);
    }
    for (const folder of folders) {
      void this.of(folder);
    }
  }
}

/** What `folder` leads to; undefined when there is nothing, or the system will not say. */
export async function lookAt(folder: string, system: PathSystem = nodePaths): Promise<FolderPin | undefined> {
  if (folder.includes('\0') || !system.path.isAbsolute(folder)) {
    return undefined;
  }
  try {
    const real = await realPathOf(folder, system);
    const { dev, ino, birth } = await system.inodeOf(real);
    // Windows has no inodes; what Node gives instead does not last on every file system, and is 0 on some.
    const lasting = ino === 0n || system.path.sep === '\\' ? 'nothing' : ((await system.lastingOf?.(real)) ?? 'inode');
    return { real, inode: { dev, ino, ...(lasting === 'birth' && birth !== undefined && { birth }) }, lasting: lasting !== 'nothing' };
  } catch {
    return undefined;
  }
}

/** The same folder under the same real path. Where inodes do not last the real path alone counts. */
export function isSameFolder(pin: FolderPin, now: FolderPin): boolean {
  if (pin.real !== now.real || pin.lasting !== now.lasting) {
    return false;
  }
  const { dev, ino, birth } = pin.inode;
  return !pin.lasting || (dev === now.inode.dev && ino === now.inode.ino && (birth === undefined || birth === now.inode.birth));
}
