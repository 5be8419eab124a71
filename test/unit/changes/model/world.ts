/** The folders of one sequence, and their contents byte by byte. This code does not depend on how the product records changes. */
import {
  type Dirent,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { linesBy, textOf } from './lines';
import type { Kind } from './steps';
import { templateOf } from './worldKinds';

/** A file or link below the session's folder. */
export interface Found {
  /** The path relative to the session's folder. */
  readonly name: string;
  /** The bytes of a file, or the target of a link. */
  readonly text: string;
  readonly kind: 'file' | 'link';
  readonly mode: number;
  readonly inode: number;
}

export class World {
  readonly root: string;
  readonly outside: string;
  readonly storage: string;
  /** A repository to pull from. */
  remote = '';

  private constructor(readonly base: string) {
    this.root = path.join(base, 'root');
    this.outside = path.join(base, 'outside');
    this.storage = path.join(base, 'storage');
  }

  /** Creates a folder that is used for one sequence after the other. */
  static begin(): World {
    return new World(realpathSync(mkdtempSync(path.join(tmpdir(), 'changes-model-'))));
  }

  /** Starts again with the files of a kind. */
  async reset(kind: Kind): Promise<void> {
    await this.empty();
    const { folders, files, links, remote } = templateOf(kind);
    this.remote = remote;
    folders.forEach((name) => mkdirSync(path.join(this.base, name)));
    files.forEach(({ name, bytes, mode }) => writeFileSync(path.join(this.base, name), bytes, { mode }));
    links.forEach(({ name, target }) => symlinkSync(target, path.join(this.base, name)));
  }

  async dispose(): Promise<void> {
    await remove(this.base);
  }

  at(name: string): string {
    return path.join(this.root, name);
  }

  /** The names of {@link files}. */
  names(): readonly string[] {
    return entriesBelow(this.root, isOwn).flatMap(({ at, entry }) => (entry.isDirectory() ? [] : [path.relative(this.root, at)]));
  }

  /** Files and links of the session's folder, without those of git. */
  files(): readonly Found[] {
    return entriesBelow(this.root, isOwn).flatMap(({ at, entry }): Found[] => {
      if (entry.isDirectory()) {
        return [];
      }
      const { mode, ino } = lstatSync(at);
      const known = { name: path.relative(this.root, at), mode: mode & 0o777, inode: ino };
      if (entry.isSymbolicLink()) {
        return [{ ...known, kind: 'link', text: readlinkSync(at) }];
      }
      return entry.isFile() ? [{ ...known, kind: 'file', text: textOf(readFileSync(at)) }] : [];
    });
  }

  folders(): readonly string[] {
    return entriesBelow(this.root, isOwn).flatMap(({ at, entry }) => (entry.isDirectory() ? [path.relative(this.root, at)] : []));
  }

  /** Every file outside the session's folder, and every file of git, with its times. A further name of a file inside the folder is none of these. */
  untouchable(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const inside = new Set(this.files().map(({ inode }) => inode));
    const add = (folder: string): void => {
      for (const { at } of entriesBelow(folder, () => true)) {
        const { ctimeMs, size, ino } = lstatSync(at);
        if (inside.has(ino)) {
          continue;
        }
        found.set(at, `${ctimeMs} ${size} ${ino}`);
      }
    };
    add(this.outside);
    for (const folder of ['', ...this.folders()]) {
      const git = path.join(this.root, folder, '.git');
      if (statSync(git, { throwIfNoEntry: false })?.isDirectory()) {
        add(git);
      }
    }
    return found;
  }

  /** Lines of canaries in the store, whether deflated or not. */
  leaked(): string[] {
    const packs = entriesBelow(this.storage, () => true).filter(({ entry }) => entry.isFile());
    return packs.flatMap(({ at: file, entry }) => {
      const bytes = readFileSync(file);
      const found = /c\d+; canary/.exec(textOf(bytes))?.[0];
      return [
        ...(found === undefined ? [] : [`${entry.name}: ${found}`]),
        ...(entry.name === 'objects.jsonl' ? this.deflated(file, bytes) : []),
      ];
    });
  }

  private deflated(index: string, bytes: Buffer): string[] {
    return bytes
      .toString()
      .split('\n')
      .filter((line) => line.includes('"deflated":true'))
      .flatMap((line) => {
        const { pack, offset, length } = JSON.parse(line) as { pack: string; offset: number; length: number };
        const inflated = inflateRawSync(readFileSync(path.join(index, '..', pack)).subarray(offset, offset + length));
        return linesBy('c', textOf(inflated));
      });
  }

  private async empty(): Promise<void> {
    for (const name of readdirSync(this.base)) {
      await remove(path.join(this.base, name));
    }
  }
}

/** A session that has ended may still close its files. It cannot while this thread waits, and until then Wine keeps their names. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, maxRetries: 8, force: true });
}

interface Below {
  readonly at: string;
  readonly entry: Dirent;
}

const isOwn = (name: string): boolean => name !== '.git';

/** The entries below a folder, in the order of their paths. */
function entriesBelow(folder: string, enters: (name: string) => boolean): Below[] {
  const found: Below[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesOf(at)) {
      if (enters(entry.name)) {
        const below = `${at}${path.sep}${entry.name}`;
        found.push({ at: below, entry });
        if (entry.isDirectory()) {
          folders.push(below);
        }
      }
    }
  }
  return found.sort((one, other) => (one.at < other.at ? -1 : 1));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
