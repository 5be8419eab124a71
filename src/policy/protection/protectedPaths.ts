/** Decides whether a file of a session is protected: by its name, by its real path, or by other names of it. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import type { FileAccess, Roots } from '../../core/model/roots';
import { nodePaths, realPathOf, remembering, type PathSystem } from '../../util/realPath';
import { namesBelow, namesOf } from './namesBelow';
import type { ProtectedRules } from './protectedRules';

/** Returns the names of the symbolic links in a folder. */
type LinksIn = (folder: string) => Promise<readonly string[]>;

/** Reads the folder from the disk. Rejects with the system's error. */
export const linksOnDisk: LinksIn = async (folder) =>
  (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);

/** Returns `core.hooksPath` of a repository's configuration file, or undefined when it has none. */
type HooksPathOf = (config: string) => Promise<string | undefined>;

/** The maximum size in bytes of a configuration that is read. */
const MAX_CONFIG = 256 * 1024;

/** Reads the configuration from the disk. Rejects with the system's error. */
const hooksPathOnDisk: HooksPathOf = async (config) => {
  const found = await lstat(config);
  if (!found.isFile() || found.size > MAX_CONFIG) {
    return undefined;
  }
  // The name may follow the section's own on its line, and a comment may follow the value.
  const settings = /^[ \t]*(?:\[[^\]\r\n]*\][ \t]*)?hooksPath[ \t]*=[ \t]*"?([^"#;\r\n]+?)"?[ \t]*(?:[#;].*)?$/gim;
  const [, value] = [...(await readFile(config, 'utf8')).matchAll(settings)].at(-1) ?? [];
  return value?.replaceAll('\\\\', '\\');
};

/** The names that identify Git's folder of a repository, whatever it is called. */
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
   * Returns the rule that protects the file, or undefined. Folders above a root do not count, because the user has chosen the root.
   * @param asked the absolute path as the agent wrote it
   * @param real its real path, inside a root
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

  /** True when the real path alone shows that the file is protected. */
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

  private belowRoots(path: string, roots: readonly string[]): readonly (readonly string[])[] {
    return namesBelow(path, roots, this.system.path.sep);
  }

  private namesOf(path: string): string[] {
    return namesOf(path, this.system.path.sep);
  }

  /** Returns the rule for a write into Git's folder of a repository, or one that turns a folder into such a folder. */
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

  /** Returns the rule for a write into a repository's hooks folder, if its configuration names another one than `.git/hooks`. */
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

  /** Returns the rule for a file that also has a protected name, by a link next to it or next to one of its parent folders. */
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

  /** Returns the parent folders of a file, up to its outermost root, each with the names from there to the file. */
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
 * Returns those of these files that are protected, by any of their names. Each folder is read once for all of them. A file that is not near is
 * judged by its path alone, because it may be on another machine. @param files absolute paths
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
