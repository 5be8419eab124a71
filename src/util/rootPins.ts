import type { FolderPin, FolderPins } from '../core/model/roots';
import { nodePaths, realPathOf, type PathSystem } from './realPath';

/** Remembers the folder at each path from its first lookup, or from {@link RootPins.keep | the user's agreement}. */
export class RootPins implements FolderPins {
  /** Called once for each folder that was replaced by another one. */
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

  /** Keeps the pins of these folders and drops all others. Looks new folders up now. */
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

/** Returns the pin of `folder`; undefined when it does not exist or cannot be read. */
export async function lookAt(folder: string, system: PathSystem = nodePaths): Promise<FolderPin | undefined> {
  if (folder.includes('\0') || !system.path.isAbsolute(folder)) {
    return undefined;
  }
  try {
    const real = await realPathOf(folder, system);
    const { dev, ino, birth } = await system.inodeOf(real);
    // Windows has no inodes. Node's replacement does not last on every file system, and is 0 on some.
    const lasting = ino === 0n || system.path.sep === '\\' ? 'nothing' : ((await system.lastingOf?.(real)) ?? 'inode');
    return { real, inode: { dev, ino, ...(lasting === 'birth' && birth !== undefined && { birth }) }, lasting: lasting !== 'nothing' };
  } catch {
    return undefined;
  }
}

/** True for the same folder under the same real path. Where inodes do not last, only the real path is compared. */
export function isSameFolder(pin: FolderPin, now: FolderPin): boolean {
  if (pin.real !== now.real || pin.lasting !== now.lasting) {
    return false;
  }
  const { dev, ino, birth } = pin.inode;
  return !pin.lasting || (dev === now.inode.dev && ino === now.inode.ino && (birth === undefined || birth === now.inode.birth));
}
