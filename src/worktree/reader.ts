/**
 * Runs Git commands without any program that a repository's configuration names: no file system monitor, hook, filter, signature check or network
 * helper. A copied folder may bring a configuration that its user has never read.
 */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type Git, type GitOptions, type GitResult, READING } from '../util/git';

/** Maximum size of a command's output in bytes. The names of a million files fit. */
const MAX_LIST = 512 * 1024 * 1024;

/** Configuration that prevents a fetch or clone from downloading more than the requested objects. */
export const NO_BUNDLES: readonly (readonly [key: string, value: string])[] = [
  ['fetch.bundleURI', ''],
  ['transfer.bundleURI', 'false'],
];

const FLAGS = [
  ...READING,
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'],
  // The command that lists the commits of borrowed objects is set by the repository. This replacement lists none.
  ...['-c', 'core.alternateRefsCommand=true'],
  // Git would first load a bundle from this address, which `GIT_ALLOW_PROTOCOL` does not prevent.
  ...NO_BUNDLES.flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  // With a split index, Git could write a shared index file beside the user's index, or expire the one that the user's index needs.
  ...['-c', 'core.splitIndex=false'],
  // A path from one of Git's lists may contain pattern characters.
  '--literal-pathspecs',
];
/** A partial clone must not download missing objects, because the transport may be a command. */
const OFFLINE = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };

/** Returns configuration as environment variables. Unlike with `-c`, a name with `=` stays part of its key. */
export function configuration(entries: readonly (readonly [key: string, value: string])[]): Record<string, string> {
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(entries.length)],
    ...entries.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]) as Record<string, string>;
}

export interface ReaderOptions {
  /** True to run the repository's own clean and smudge filters, as in the user's own commands. */
  readonly filters?: boolean;
  /** True for a Git folder without a usable working tree, which is read instead of the repository that contains `folder`. */
  readonly isGitFolder?: boolean;
}

/** Runs reading commands in one folder. */
export class Reader {
  private constructor(
    private readonly git: Git,
    readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** @param folder the top of a working tree, absolute @throws Fault when the configuration can't be read, because it might name a filter */
  static async in(git: Git, folder: string, { filters = false, isGitFolder = false }: ReaderOptions = {}): Promise<Reader> {
    // Without the ceiling, a folder whose `.git` is damaged would be read as a part of the repository above.
    const at: Record<string, string> = isGitFolder
      ? { GIT_DIR: folder, GIT_WORK_TREE: folder }
      : { GIT_CEILING_DIRECTORIES: path.dirname(folder), ...(await workTree(folder)) };
    if (filters) {
      return new Reader(git, folder, at);
    }
    const base = { ...OFFLINE, ...at };
    const parts = await git.parts(folder, [...FLAGS, 'config', '-z', '--show-scope', '--get-regexp', '^filter\\.'], {
      codes: [1],
      env: base,
    });
    const drivers = new Set<string>();
    for (let index = 0; index + 1 < parts.length; index += 2) {
      const driver = /^(filter\.[^\n]*)\.[^.\n]*(?:\n|$)/.exec(parts[index + 1]!)?.[1];
      // Only filters from the repository's own configuration are disabled, not the user's, such as Git LFS.
      if (driver !== undefined && /^(?:local|worktree)$/.test(parts[index]!)) {
        drivers.add(driver);
      }
    }
    const off = [...drivers].flatMap((driver) => [
      [`${driver}.clean`, ''] as const,
      [`${driver}.smudge`, ''] as const,
      [`${driver}.process`, ''] as const,
      [`${driver}.required`, 'false'] as const,
    ]);
    return new Reader(git, folder, { ...base, ...configuration(off) });
  }

  /** @throws Fault, see {@link Git.run} */
  run(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    return this.git.run(this.folder, [...FLAGS, ...args], { maxBytes: MAX_LIST, ...options, env: { ...this.env, ...options.env } });
  }

  /** The output without its last line feed. */
  async text(args: readonly string[], options?: GitOptions): Promise<string> {
    return (await this.run(args, options)).stdout.toString().replace(/\r?\n$/, '');
  }

  /** The parts of a `-z` output. */
  async parts(args: readonly string[], options?: GitOptions): Promise<string[]> {
    const text = (await this.run(args, options)).stdout.toString();
    return text === '' ? [] : text.replace(/\0$/, '').split('\0');
  }

  /** The lines of an output. */
  async lines(args: readonly string[], options?: GitOptions): Promise<string[]> {
    return (await this.text(args, options)).split('\n').filter((line) => line !== '');
  }
}

/** The variables that override a configured working tree: its files are not those in the folder. */
async function workTree(folder: string): Promise<Record<string, string>> {
  const found = await lstat(path.join(folder, '.git')).catch(() => undefined);
  return found ? { GIT_WORK_TREE: folder } : {};
}
