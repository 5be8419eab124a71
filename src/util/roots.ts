import { fault } from '../core/failure';
import type { Roots } from '../core/ports';
import { nodePaths, realPathOf } from './realPath';
import type { Inode, PathSystem } from './realPath';

/**
 * Whether a path lies in the folders a session may touch. Decided by real paths and by which folder a path leads to, never
 * by how names look: symlinks, `..`, volumes that ignore case, mounted twice. Closed when in doubt. It is a check, not a
 * sandbox: what is swapped between the check and the use is not seen.
 */
export class RootCheck {
  constructor(
    private readonly roots: Roots,
    private readonly system: PathSystem = nodePaths,
  ) {}

  /**
   * The real path of `path`, which may not exist yet. Use the returned path, not the one that was asked for.
   * @throws a `Fault` `fs.not_absolute` or `fs.outside_roots`
   */
  async resolve(path: string): Promise<string> {
    if (!isAbsolute(path, this.system)) {
      throw fault('fs.not_absolute', { path }, { rpcCode: -32602, message: `Not an absolute path: ${path}` });
    }
    const real = await this.realPath(path);
    if (real === undefined || !(await this.holds(real))) {
      const message = `Outside the folders of this session: ${path}`;
      throw fault('fs.outside_roots', { path }, { rpcCode: -32602, message });
    }
    return real;
  }

  /** Like {@link resolve}, for those who only want to know. Never rejects. */
  async contains(path: string): Promise<boolean> {
    return this.resolve(path).then(
      () => true,
      () => false,
    );
  }

  private async realPath(path: string): Promise<string | undefined> {
    try {
      return await realPathOf(path, this.system);
    } catch {
      return undefined;
    }
  }

  private async holds(real: string): Promise<boolean> {
    if (this.system.path.sep === '\\' && hasTreacherousName(real)) return false;
    const folders = [this.roots.cwd, ...this.roots.additionalDirectories].filter((folder) => isAbsolute(folder, this.system));
    const inodes: Inode[] = [];
    for (const folder of folders) {
      const root = await this.realPath(folder);
      if (root === undefined) continue;
      const inode = await this.inodeOf(root);
      // A root that does not exist holds nothing.
      if (!inode) continue;
      if (real === root || real.startsWith(root.endsWith(this.system.path.sep) ? root : root + this.system.path.sep)) return true;
      if (inode.ino !== 0n) inodes.push(inode);
    }
    return inodes.length > 0 && this.leadsInto(real, inodes);
  }

  /** Whether `real` or a folder above it is one of `inodes`. */
  private async leadsInto(real: string, inodes: readonly Inode[]): Promise<boolean> {
    const { dirname } = this.system.path;
    for (let at = real, above = ''; at !== above; above = at, at = dirname(at)) {
      const inode = await this.inodeOf(at);
      if (inode && inodes.some(({ dev, ino }) => dev === inode.dev && ino === inode.ino)) return true;
    }
    return false;
  }

  private async inodeOf(path: string): Promise<Inode | undefined> {
    return this.system.inodeOf(path).catch(() => undefined);
  }
}

/** On Windows `\x` and `C:x` depend on the current drive or folder, `\\.\` and `\\?\` go round the rules of names. */
function isAbsolute(path: string, { path: { isAbsolute: absolute, sep } }: PathSystem): boolean {
  if (path.includes('\0') || !absolute(path)) return false;
  return sep !== '\\' || /^(?:[A-Za-z]:[\\/]|[\\/]{2}(?![.?][\\/])[^\\/]+[\\/]+[^\\/]+)/.test(path);
}

/** On Windows: a stream of a file (`a:b`), or a name that loses its end (`a.`, `a `) and so becomes another. */
function hasTreacherousName(real: string): boolean {
  return real.replace(/^[A-Za-z]:/, '').split('\\').some((name) => /:|[. ]$/.test(name));
}
