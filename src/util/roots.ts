import { fault } from '../core/model/failure';
import { isForeignShare } from '../core/model/networkPath';
import type { FolderPin, FolderPins, Roots } from '../core/model/roots';
import { leadsOver, nodePaths, realPathOf, type Inode, type PathSystem } from './realPath';
import { isSameFolder, lookAt, RootPins } from './rootPins';

/** A folder of the session. */
interface Root {
  readonly folder: string;
  readonly pin: FolderPin | undefined;
  /** Undefined when it does not exist, or must not be accessed. */
  readonly now: FolderPin | undefined;
  /** True when it is not the folder that the user agreed to. */
  readonly changed: boolean;
}

/**
 * Checks whether a path is in the folders that a session may use. It compares real paths and the identity of folders, not names: symlinks, `..`,
 * volumes that ignore case, repeated mounts. It denies in doubt: when a folder is no longer the one the user agreed to (another real path, device or
 * inode). It also denies shares of other machines that contain no folder of the session, without accessing them.
 *
 * The check is not a sandbox: its callers must detect a file that is replaced between the check and the use. Files are opened so that this is
 * detected (`util/checkedBytes.ts`: on Linux always; on macOS and Windows except for replacements back and forth within microseconds). Some cases are
 * not detected:
 *
 * - the folder of a command is replaced before the command has started
 * - a whole root is replaced under the same path between check and opening
 * - a file has a second name (hard link) outside
 * - a file is replaced while VS Code itself saves it
 */
export class RootCheck {
  private readonly pins: FolderPins;

  constructor(
    private readonly roots: Roots,
    private readonly system: PathSystem = nodePaths,
  ) {
    this.pins = roots.pins ?? new RootPins(system);
  }

  /**
   * Returns the real path of `path`, which may not exist yet. Use the returned path, not the requested one.
   * @throws a `Fault` `fs.not_absolute`, `fs.outside_roots`, or `session.root_changed` with the `folder` that was replaced
   */
  async resolve(path: string): Promise<string> {
    if (!isAbsolute(path, this.system)) {
      throw fault('fs.not_absolute', { path }, { rpcCode: -32602, message: `Not an absolute path: ${path}` });
    }
    const pins = await this.pinned();
    if (pins.size === 0) {
      // A session without folders reads nothing from the disk, not even the target of the path.
      throw outsideRoots(path);
    }
    const real = (await this.isForeign(path, pins)) ? undefined : await this.realPath(path);
    const roots = await Promise.all([...pins].map(([folder, pin]) => this.look(folder, pin, pins)));
    const changed = roots.filter((root) => root.changed);
    changed.forEach(({ folder }) => this.pins.changed(folder));
    if (
      real !== undefined &&
      (await this.holds(
        real,
        roots.filter((root) => !root.changed),
      ))
    ) {
      return real;
    }
    const meant = changed.find((root) => this.means(path, real, root));
    throw meant ? rootChanged(meant.folder) : outsideRoots(path);
  }

  /** Works like {@link resolve} for callers that only need a yes or no. Never rejects. */
  async contains(path: string): Promise<boolean> {
    return this.resolve(path).then(
      () => true,
      () => false,
    );
  }

  /**
   * True when `path` leads to a share of another machine that contains no folder of the session. Does not access that machine. Also true without
   * folders.
   */
  async leadsAway(path: string): Promise<boolean> {
    const pins = await this.pinned();
    return pins.size === 0 || this.isForeign(path, pins);
  }

  private async pinned(): Promise<ReadonlyMap<string, FolderPin | undefined>> {
    const folders = [this.roots.cwd, ...this.roots.additionalDirectories].filter((folder) => isAbsolute(folder, this.system));
    return new Map(await Promise.all(folders.map(async (folder) => [folder, await this.pins.of(folder)] as const)));
  }

  private isForeign(path: string, pins: ReadonlyMap<string, FolderPin | undefined>): Promise<boolean> {
    const own = [...pins].flatMap(([folder, pin]) => (pin ? [folder, pin.real] : [folder]));
    return leadsOver(path, (each) => isForeignShare(each, own), this.system);
  }

  private async look(folder: string, pin: FolderPin | undefined, pins: ReadonlyMap<string, FolderPin | undefined>): Promise<Root> {
    if (await this.isForeign(folder, pins)) {
      return { folder, pin, now: undefined, changed: true };
    }
    const now = await lookAt(folder, this.system);
    return { folder, pin, now, changed: now !== undefined && !(pin && isSameFolder(pin, now)) };
  }

  private async realPath(path: string): Promise<string | undefined> {
    try {
      return await realPathOf(path, this.system);
    } catch {
      return undefined;
    }
  }

  private async holds(real: string, roots: readonly Root[]): Promise<boolean> {
    if (this.system.path.sep === '\\' && hasMisleadingName(real)) {
      return false;
    }
    // A root that does not exist contains nothing.
    const found = roots.flatMap(({ now }) => now ?? []);
    if (found.some((root) => this.isBelow(real, root.real))) {
      return true;
    }
    const inodes = found.map(({ inode }) => inode).filter(({ ino }) => ino !== 0n);
    return inodes.length > 0 && this.leadsInto(real, inodes);
  }

  /** True when the requested `path` was meant to be in this root. */
  private means(path: string, real: string | undefined, { folder, pin, now }: Root): boolean {
    const names = [this.system.path.normalize(path), ...(real === undefined ? [] : [real])];
    const places = [this.system.path.normalize(folder), ...(pin ? [pin.real] : []), ...(now ? [now.real] : [])];
    return names.some((name) => places.some((place) => this.isBelow(name, place)));
  }

  private isBelow(path: string, folder: string): boolean {
    const { sep } = this.system.path;
    return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  }

  /** True when `real` or a folder above it is one of `inodes`. */
  private async leadsInto(real: string, inodes: readonly Inode[]): Promise<boolean> {
    const { dirname } = this.system.path;
    for (let at = real, above = ''; at !== above; above = at, at = dirname(at)) {
      const inode = await this.system.inodeOf(at).catch(() => undefined);
      if (inode && inodes.some(({ dev, ino }) => dev === inode.dev && ino === inode.ino)) {
        return true;
      }
    }
    return false;
  }
}

function outsideRoots(path: string): Error {
  return fault('fs.outside_roots', { path }, { rpcCode: -32602, message: `Outside the folders of this session: ${path}` });
}

function rootChanged(folder: string): Error {
  return fault(
    'session.root_changed',
    { folder },
    {
      rpcCode: -32602,
      message: `The folder ${folder} was replaced or leads elsewhere since the user agreed to it, so nothing in it can be used in this session. Ask the user to start a new session.`,
    },
  );
}

/** On Windows `\x` and `C:x` depend on the current drive or folder, and `\\.\` and `\\?\` bypass the rules of file names. */
function isAbsolute(path: string, { path: { isAbsolute: absolute, sep } }: PathSystem): boolean {
  if (path.includes('\0') || !absolute(path)) {
    return false;
  }
  return sep !== '\\' || /^(?:[A-Za-z]:[\\/]|[\\/]{2}(?![.?][\\/])[^\\/]+[\\/]+[^\\/]+)/.test(path);
}

/** Detects, on Windows, a stream of a file (`a:b`), and a name whose end Windows removes (`a.`, `a `), so that it is another file. */
function hasMisleadingName(real: string): boolean {
  return real
    .replace(/^[A-Za-z]:/, '')
    .split('\\')
    .some((name) => /:|[. ]$/.test(name));
}
