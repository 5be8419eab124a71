/** Whether a file of a session is protected, by what it is called, by where it really lies, and by what else leads to it. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import type { Roots } from '../../core/model/ports';
import { nodePaths, realPathOf, remembering, type PathSystem } from '../../util/realPath';
import type { FileAccess, ProtectedRules } from './protectedRules';

/** Resolves to the names of the symbolic links in a folder. */
type LinksIn = (folder: string) => Promise<readonly string[]>;

/** Reads the folder from disk. Rejects with the system's error. */
export const linksOnDisk: LinksIn = async (folder) =>
  (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);

/** Resolves to `core.hooksPath` of a repository's configuration file, undefined where it has none. */
type HooksPathOf = (config: string) => Promise<string | undefined>;

/** Bytes of a configuration that are read. */
const MAX_CONFIG = 256 * 1024;

/** Reads the configuration from disk. Rejects with the system's error. */
const hooksPathOnDisk: HooksPathOf = async (config) => {
  const found = await lstat(config);
  if (!found.isFile() || found.size > MAX_CONFIG) {
    return undefined;
  }
  const [, value] = [...(await readFile(config, 'utf8')).matchAll(/^[ \t]*hooksPath[ \t]*=[ \t]*"?([^"\r\n]+?)"?[ \t]*$/gim)].at(-1) ?? [];
  return value?.replaceAll('\\\\', '\\');
};

/** What lies beside each other in the folder that Git keeps a repository in, whatever that folder is called. */
const REPOSITORY = ['HEAD', 'objects', 'refs'];

export class ProtectedPaths {
  constructor(
    private readonly roots: Roots,
    private readonly rules: ProtectedRules,
    private readonly system: PathSystem = nodePaths,
    private readonly linksIn: LinksIn = linksOnDisk,
    private readonly hooksPathOf: HooksPathOf = hooksPathOnDisk,
  ) {}

  /**
   * The rule that protects the file, undefined when none does. What lies above a root does not count: the user has chosen it.
   * @param asked as the agent named it, absolute
   * @param real where that leads, inside a root
   */
  async ruleFor(asked: string, real: string, access: FileAccess): Promise<string | undefined> {
    const named = [...new Set([this.roots.cwd, ...this.roots.additionalDirectories])];
    const roots = await this.realRoots();
    const all = [...new Set([...named, ...roots])];
    return (
      this.byName(real, roots, access) ??
      this.byName(this.system.path.normalize(asked), all, access) ??
      (access === 'write' ? await this.inRepository(real, roots) : undefined) ??
      (access === 'write' ? await this.inHooks(real, roots) : undefined) ??
      (await this.byOtherName(real, roots, access))
    );
  }

  /** Whoever reads the file's real path can tell that it is protected. */
  async isProtectedByName(real: string, access: FileAccess): Promise<boolean> {
    return this.byName(real, await this.realRoots(), access) !== undefined;
  }

  private realRoots(): Promise<string[]> {
    return Promise.all(
      [this.roots.cwd, ...this.roots.additionalDirectories].map((root) => realPathOf(root, this.system).catch(() => root)),
    );
  }

  private byName(path: string, roots: readonly string[], access: FileAccess): string | undefined {
    for (const names of this.belowRoots(path, roots)) {
      const rule = this.rules.ruleFor(names, access);
      if (rule !== undefined) {
        return rule;
      }
    }
    return undefined;
  }

  /** The path's names below each root that it lies in; all of them where no root's name leads to it. */
  private belowRoots(path: string, roots: readonly string[]): readonly (readonly string[])[] {
    const names = this.namesOf(path);
    const below = roots
      .map((root) => this.namesOf(root))
      .filter((root) => root.length <= names.length && root.every((name, index) => name === names[index]));
    return below.length > 0 ? below.map((root) => names.slice(root.length)) : [names];
  }

  private namesOf(path: string): string[] {
    return path.split(this.system.path.sep === '\\' ? /[\\/]+/ : /\/+/).filter(Boolean);
  }

  /** A write into a repository's own folder, or one that makes a folder one. */
  private async inRepository(real: string, roots: readonly string[]): Promise<string | undefined> {
    for (const { folder, below } of this.above(real, roots)) {
      const [first = ''] = below;
      const present = await Promise.all(
        REPOSITORY.map((name) => name.toLowerCase() === first.toLowerCase() || this.exists(this.system.path.join(folder, name))),
      );
      if (present.every(Boolean)) {
        return this.rules.ruleFor(['.git', ...below], 'write');
      }
    }
    return undefined;
  }

  /** A write into the folder from which a repository runs its hooks, where its configuration names another one than `.git/hooks`. */
  private async inHooks(real: string, roots: readonly string[]): Promise<string | undefined> {
    const { join, isAbsolute, relative, sep } = this.system.path;
    for (const { folder } of this.above(real, roots)) {
      const named = await this.hooksPathOf(join(folder, '.git', 'config')).catch(() => undefined);
      const hooks = named && (await realPathOf(isAbsolute(named) ? named : join(folder, named), this.system).catch(() => undefined));
      const inside = hooks ? relative(hooks, real) : '..';
      if (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) {
        return this.rules.ruleFor(['.git', 'hooks', ...inside.split(sep).filter(Boolean)], 'write');
      }
    }
    return undefined;
  }

  /** A file that also goes by a protected name: a link beside it, or beside a folder it lies in, leads here. */
  private async byOtherName(real: string, roots: readonly string[], access: FileAccess): Promise<string | undefined> {
    const names = this.namesOf(real);
    for (const { folder } of this.above(real, roots)) {
      for (const link of await this.linksIn(folder).catch(() => [])) {
        const path = this.system.path.join(folder, link);
        const target = this.namesOf(await realPathOf(path, this.system).catch(() => ''));
        if (target.length === 0 || target.length > names.length || target.some((name, index) => name !== names[index])) {
          continue;
        }
        const rule = this.byName([path, ...names.slice(target.length)].join(this.system.path.sep), roots, access);
        if (rule !== undefined) {
          return rule;
        }
      }
    }
    return undefined;
  }

  /** The folders that a file lies in, up to its outermost root, and the names from there to the file. */
  private above(real: string, roots: readonly string[]): { readonly folder: string; readonly below: readonly string[] }[] {
    const { dirname, basename } = this.system.path;
    const most = Math.max(...this.belowRoots(real, roots).map(({ length }) => length));
    const folders: { folder: string; below: readonly string[] }[] = [];
    let below: readonly string[] = [];
    for (let at = real; below.length < most; at = dirname(at)) {
      below = [basename(at), ...below];
      folders.push({ folder: dirname(at), below });
    }
    return folders;
  }

  private exists(path: string): Promise<boolean> {
    return this.system.inodeOf(path).then(
      () => true,
      () => false,
    );
  }
}

/**
 * Returns those of these files that are protected, by any of their names. Each folder is read once for all of them. A file that is not near is judged by
 * its path alone: it may be on another machine. @param files absolute
 */
export async function protectedFiles(
  files: readonly string[],
  roots: Roots,
  rules: ProtectedRules,
  { access, isNear = () => true }: { readonly access: FileAccess; readonly isNear?: (file: string) => boolean },
): Promise<readonly string[]> {
  const links = new Map<string, Promise<readonly string[]>>();
  const linksIn: LinksIn = (folder) => {
    const found = links.get(folder) ?? linksOnDisk(folder);
    links.set(folder, found);
    return found;
  };
  const system = remembering();
  const paths = new ProtectedPaths(roots, rules, system, linksIn);
  const areProtected = await Promise.all(
    files.map(async (file) => {
      if (!isNear(file)) {
        return paths.isProtectedByName(file, access);
      }
      const real = await realPathOf(file, system).catch(() => file);
      return (await paths.ruleFor(file, real, access)) !== undefined;
    }),
  );
  return files.filter((_, at) => areProtected[at]);
}
