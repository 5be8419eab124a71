/**
 * A working tree as a tree object, uncommitted and new files too, without touching the working tree or its index: Git is given an index of its own for
 * that, and only adds objects that nothing refers to.
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Git } from '../util/git';
import { submodulesOf } from './submodules';

export interface FileChange {
  /** Relative, with slashes. */
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted';
  /** Lines; absent where the file is no text. */
  readonly added?: number;
  readonly removed?: number;
}

export interface Snapshot {
  readonly tree: string;
  /** Submodules whose commit is another than in the base, or whose files were changed; in `tree` they are as in the base. */
  readonly submodules: readonly string[];
}

/** ms: all new files are read. */
const TAKE_MS = 5 * 60_000;
const NO_DRIVERS = ['--no-ext-diff', '--no-textconv', '--no-renames', '--no-color'];

export class Snapshots {
  constructor(private readonly git: Git) {}

  /** @param base a commit @throws Fault */
  async take(folder: string, base: string): Promise<Snapshot> {
    const { git } = this;
    const own = await mkdtemp(path.join(os.tmpdir(), 'acp-host-index-'));
    try {
      const index = path.join(own, 'index');
      const env = { GIT_INDEX_FILE: index };
      const real = path.resolve(folder, await git.text(folder, ['rev-parse', '--git-path', 'index']));
      // With the times that it knows, unchanged files need not be read.
      await copyFile(real, index).catch(() => git.run(folder, ['read-tree', 'HEAD'], { env }));
      const options = { env, timeoutMs: TAKE_MS };
      await git.run(folder, ['add', '--all', '--', '.'], options);
      const submodules: string[] = [];
      for (const { path: inside } of await submodulesOf(git, folder)) {
        if (await this.reset(folder, base, inside, env)) {
          submodules.push(inside);
        }
      }
      return { tree: await git.text(folder, ['write-tree'], options), submodules };
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }

  /** From one tree or commit to another. */
  async files(folder: string, from: string, to: string): Promise<readonly FileChange[]> {
    const { git } = this;
    const [counts, statuses] = [
      await git.parts(folder, ['diff', '--numstat', '-z', ...NO_DRIVERS, from, to, '--']),
      await git.parts(folder, ['diff', '--name-status', '-z', ...NO_DRIVERS, from, to, '--']),
    ];
    const letters = new Map<string, string>();
    for (let index = 0; index + 1 < statuses.length; index += 2) {
      letters.set(statuses[index + 1]!, statuses[index]!);
    }
    return counts.flatMap((part): FileChange[] => {
      const [added = '-', removed = '-', ...rest] = part.split('\t');
      const name = rest.join('\t');
      const letter = letters.get(name);
      const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
      return [{ path: name, status, ...(added !== '-' && { added: Number(added), removed: Number(removed) }) }];
    });
  }

  /** What leads from one tree to the other, for {@link applyPatch}. */
  async patch(folder: string, from: string, to: string): Promise<Buffer> {
    const args = ['diff', '--binary', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', ...NO_DRIVERS, from, to, '--'];
    return (await this.git.run(folder, args)).stdout;
  }

  /** In the working tree alone: all of it, or, when something of it does not fit, nothing. @throws Fault */
  async applyPatch(folder: string, patch: Buffer): Promise<void> {
    if (patch.length > 0) {
      await this.git.run(folder, ['apply', '--whitespace=nowarn', '--binary', '-p1', '-'], { input: patch, timeoutMs: TAKE_MS });
    }
  }

  /** Puts the submodule into the index as it is in the base. True when it was another, or has changes of its own. */
  private async reset(folder: string, base: string, inside: string, env: Readonly<Record<string, string>>): Promise<boolean> {
    const { git } = this;
    const commitIn = (listed: readonly string[]): string | undefined => listed[0]?.match(/^160000 (?:commit )?([0-9a-f]+)/)?.[1];
    const before = commitIn(await git.parts(folder, ['ls-tree', '-z', base, '--', inside]));
    const now = commitIn(await git.parts(folder, ['ls-files', '--stage', '-z', '--', inside], { env }));
    if (before !== undefined && before !== now) {
      await git.run(folder, ['update-index', '--add', '--cacheinfo', `160000,${before},${inside}`], { env });
    }
    const status = await git.parts(folder, ['status', '--porcelain', '-z', '--ignore-submodules=none', '--', inside]);
    return before !== now || status.length > 0;
  }
}
