/** The files that a tool's input names, inside the folders of its session, and their names in answers. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { failureOf } from '../../core/model/failure';
import type { Roots } from '../../core/model/roots';
import { isMissing, realPathOf } from '../../util/realPath';
import { RootCheck } from '../../util/roots';
import { RetryError } from './retry';

/** The field of a tool's input that names a file. */
export const fileField = z
  .string()
  .min(1)
  .max(4096)
  .describe("Path of the file: absolute, or relative to the session's folder. It must be inside the session's folders.");

/** A file or folder of the session. */
export interface SessionFile {
  /** The path below a folder of the session as the user opened it. The editor and its language servers use this name. */
  readonly path: string;
  /** The real path. */
  readonly real: string;
  /** The name in answers. It is a valid input. */
  readonly shown: string;
}

type Kind = 'file' | 'folder';

interface Root {
  readonly folder: string;
  readonly real: string;
}

const checks = new WeakMap<Roots, RootCheck>();

/** The files of one session, for one call. */
export class SessionFiles {
  private constructor(
    private readonly roots: readonly Root[],
    private readonly check: RootCheck,
  ) {}

  static async of(roots: Roots): Promise<SessionFiles> {
    const check = checks.get(roots) ?? new RootCheck(roots);
    checks.set(roots, check);
    const folders = [...new Set([roots.cwd, ...roots.additionalDirectories])].filter((folder) => path.isAbsolute(folder));
    const named = folders.map(async (folder) => ({
      folder: path.normalize(folder),
      real: await realPathOf(folder).catch(() => folder),
    }));
    return new SessionFiles(await Promise.all(named), check);
  }

  /** The session's folders as the user opened them. */
  get folders(): readonly string[] {
    return this.roots.map(({ folder }) => folder);
  }

  /**
   * Returns the existing file that `name` means.
   * @throws RetryError when there is none, or when it is outside the session's folders
   */
  async resolve(name: string, kind?: Kind): Promise<SessionFile> {
    const wanted = pathOf(name);
    const candidates = path.isAbsolute(wanted) ? [wanted] : this.roots.map(({ folder }) => path.join(folder, wanted));
    let refusal: RetryError | undefined;
    for (const candidate of candidates) {
      const found = await this.find(name, candidate);
      if (found instanceof RetryError) {
        refusal ??= found;
      } else if (found) {
        const { isFolder, ...file } = found;
        if (kind !== undefined && isFolder !== (kind === 'folder')) {
          throw new RetryError(isFolder ? `A folder, not a file: ${file.shown}. Name a file.` : `A file, not a folder: ${file.shown}.`);
        }
        return file;
      }
    }
    throw refusal ?? new RetryError(`No such ${kind ?? 'file'}: ${name}. Give the path relative to ${this.named()}, or an absolute path.`);
  }

  /** Returns the name of any file of the editor in answers: relative to the session's first folder, otherwise absolute. */
  shown(file: string): string {
    const [first] = this.roots;
    const below = first && (relativeTo(first.folder, file) ?? relativeTo(first.real, file));
    return below === undefined ? file : below === '' ? '.' : below.replaceAll('\\', '/');
  }

  /** True when the name is below a folder of the session. Follows no links. */
  isInside(file: string): boolean {
    return this.roots.some(({ folder, real }) => relativeTo(folder, file) !== undefined || relativeTo(real, file) !== undefined);
  }

  /** True for the folder itself and for all below it. Follows no links. */
  static isBelow(folder: string, file: string): boolean {
    return relativeTo(folder, file) !== undefined;
  }

  /** Returns the real path of a file that the editor named. Undefined when it is outside the session's folders. Never rejects. */
  async realInside(file: string): Promise<string | undefined> {
    return this.isInside(file) ? this.check.resolve(file).catch(() => undefined) : undefined;
  }

  /** Undefined: no such file. */
  private async find(name: string, candidate: string): Promise<(SessionFile & { isFolder: boolean }) | RetryError | undefined> {
    let real: string;
    try {
      real = await this.check.resolve(candidate);
    } catch (error) {
      const { code } = failureOf(error);
      return new RetryError(
        code === 'session.root_changed' && error instanceof Error
          ? error.message
          : `Outside the folders of this session: ${name}. Name a file in ${this.named()}.`,
      );
    }
    try {
      const found = await stat(real);
      const named = this.inRoot(real);
      return { path: named, real, shown: this.shown(named), isFolder: found.isDirectory() };
    } catch (error) {
      return isMissing(error) ? undefined : new RetryError(`Cannot be read: ${name}.`);
    }
  }

  /** Replaces the real path of a root with the root's name. */
  private inRoot(real: string): string {
    for (const root of this.roots) {
      const below = relativeTo(root.real, real);
      if (below !== undefined) {
        return path.join(root.folder, below);
      }
    }
    return real;
  }

  private named(): string {
    return this.folders.join(' or ') || 'a folder of the session, which has none';
  }
}

/** @throws RetryError for a name that no path can have */
function pathOf(name: string): string {
  let wanted = name.trim();
  if (/^file:/i.test(wanted)) {
    try {
      wanted = fileURLToPath(wanted);
    } catch {
      throw new RetryError(`Not a valid file URI: ${name}. Give a path.`);
    }
  } else if (/^[a-z][\w+.-]+:/i.test(wanted)) {
    throw new RetryError(`Only files on the disk can be named, not ${name}. Give a path.`);
  }
  if (wanted === '' || wanted.includes('\0')) {
    throw new RetryError('Not a valid path. Give the path of a file.');
  }
  return wanted;
}

/** Returns the path of `file` below `folder`, or undefined when it is not inside. */
function relativeTo(folder: string, file: string): string | undefined {
  const below = path.relative(folder, file);
  const isOutside = below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below);
  return isOutside ? undefined : below;
}
