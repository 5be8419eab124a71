/** A folder without a repository: small files are copied, of others it is only known whether they have changed. */
import path from 'node:path';
import type { FileState } from '../../core/fileChanges/records';
import { inPool } from '../../util/pool';
import type { FileStat } from '../disk/diskFiles';
import { type FileStates, isSameStat, isSince, keptOr, unknown } from './fileStates';
import type { Snapshot } from './snapshot';

/** Folders whose files come from elsewhere: what tools install and build. */
const LEFT_OUT = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.cache',
  '.gradle',
  '.tox',
  '.next',
  '.nuxt',
]);
const AT_ONCE = 16;

interface Seen {
  readonly stat: FileStat;
  readonly state: FileState;
}

/** @param since when the turn began */
export async function snapshotOfFolder(states: FileStates, root: string, since: number): Promise<Snapshot> {
  const { limits } = states;
  const { files, isWhole } = await walk(states, root);
  const seen = new Map<string, Seen>();
  await inPool(files, AT_ONCE, async (file) => {
    const before = await states.files.stat(file);
    if (before) {
      const state = isSince(before, since)
        ? unknown('late', before.size)
        : keptOr((await states.of(file, true, limits.plainFileBytes)).state);
      seen.set(file, { stat: before, state });
    }
  });
  return new FolderSnapshot(states, root, seen, isWhole);
}

class FolderSnapshot implements Snapshot {
  constructor(
    private readonly states: FileStates,
    readonly root: string,
    private readonly seen: ReadonlyMap<string, Seen>,
    /** Nothing was left out for there being too much. */
    private readonly isWhole: boolean,
  ) {}

  async changed(): Promise<readonly { readonly path: string }[]> {
    const { files } = await walk(this.states, this.root);
    const now = new Set(files);
    const changed = [...this.seen.keys()].filter((file) => !now.has(file));
    await inPool(files, AT_ONCE, async (file) => {
      const stat = await this.states.files.stat(file);
      const seen = this.seen.get(file);
      const isLate = seen?.state.kind === 'unknown' && seen.state.reason === 'late';
      if (stat && (!seen || isLate || !isSameStat(seen.stat, stat))) {
        changed.push(file);
      }
    });
    return changed.map((file) => ({ path: file }));
  }

  async before(paths: readonly string[]): Promise<readonly (FileState | undefined)[]> {
    return paths.map((file) => this.seen.get(file)?.state ?? (this.isWhole && this.holds(file) ? { kind: 'none' } : undefined));
  }

  /** Whether it would have seen the file. */
  private holds(file: string): boolean {
    const names = path.relative(this.root, file).split(path.sep);
    return names[0] !== '..' && !names.slice(0, -1).some((name) => LEFT_OUT.has(name));
  }
}

/** Files and links below a folder, as many as are looked at. Links are not followed. */
async function walk(
  { files, limits }: FileStates,
  root: string,
): Promise<{ readonly files: readonly string[]; readonly isWhole: boolean }> {
  const found: string[] = [];
  for (let folders = [root]; folders.length > 0; ) {
    const below: string[] = [];
    await inPool(folders, AT_ONCE, async (folder) => {
      for (const { name, kind } of await files.list(folder)) {
        const at = path.join(folder, name);
        if (kind === 'folder' && !LEFT_OUT.has(name)) {
          below.push(at);
        } else if (kind === 'file' || kind === 'link') {
          found.push(at);
        }
      }
    });
    if (found.length > limits.plainFiles) {
      return { files: found.slice(0, limits.plainFiles), isWhole: false };
    }
    folders = below;
  }
  return { files: found, isWhole: true };
}
