/** Finds files of a working tree that a change would overwrite, delete or write through. Git itself overwrites ignored files without a question. */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fault } from '../core/model/failure';
import type { Git } from '../util/git';
import { Reader } from './reader';
import type { FileChange } from './snapshots';
import { flaggedFiles } from './status';

/** The most names in a message. */
const MAX_NAMED = 20;
/** The most files that are listed in one folder. */
const MAX_INSIDE = 100;

/** A list of names for a message, cut after {@link MAX_NAMED}. */
export function named(files: readonly string[]): { count: number; files: string } {
  const shown = files.slice(0, MAX_NAMED).join(', ');
  return { count: files.length, files: files.length > MAX_NAMED ? `${shown}, …` : shown };
}

/**
 * Refuses paths that lead through symbolic links, unless the change deletes the links.
 * @throws Fault `worktree.in_the_way` with the names of the links
 */
export async function refuseLinks(root: string, changes: readonly FileChange[]): Promise<void> {
  const links = new Set<string>();
  const disk = new Disk(root);
  const deleted = deletedBy(changes);
  for (const { path: name } of changes) {
    const link = (await disk.parents(name)).find(({ kind }) => kind === 'link');
    if (link && !deleted.has(link.path)) {
      links.add(link.path);
    }
  }
  refuse([...links]);
}

/**
 * @param changes the files to write and delete, compared with the working tree
 * @throws Fault `worktree.in_the_way` with the names of files that would be lost; `worktree.file_names` for a name that can't be compared with the
 * disk
 */
export async function refuseObstacles(git: Git, root: string, changes: readonly FileChange[]): Promise<void> {
  const unreadable = changes.flatMap((change) => (change.path.includes('\ufffd') ? [change.path] : []));
  if (unreadable.length > 0) {
    throw fault('worktree.file_names', named(unreadable));
  }
  const reader = await Reader.in(git, root);
  const disk = new Disk(root);
  const deleted = deletedBy(changes);
  const ignoresCase = (await reader.text(['config', '--type=bool', '--get', 'core.ignorecase'], { codes: [1] })) === 'true';
  const found = new Set<string>();
  const clashes = new Map<string, string>();
  const created = new Map<string, string>();
  for (const { path: name, status, replacesSubmodule } of changes) {
    const parents = await disk.parents(name);
    const parent = parents.find(({ kind, path: at }) => (kind === 'link' || kind === 'file') && !deleted.has(at));
    if (parent) {
      found.add(parent.path);
    }
    // Git deletes a submodule's folder with everything in it when a file replaces it.
    if ((status !== 'added' && !replacesSubmodule) || parents.some(({ kind }) => kind !== 'folder')) {
      continue;
    }
    const there = await disk.kind(name);
    if (there === 'folder') {
      (await disk.inside(name, deleted)).forEach((each) => found.add(each));
    } else if (there !== undefined && !deleted.has(name)) {
      found.add(name);
    }
    const other = await disk.otherCase(name);
    if (other !== undefined && !deleted.has(other)) {
      clashes.set(other, name);
    }
    const twin = created.get(caseFold(name));
    if (twin !== undefined && ignoresCase) {
      found.add(name);
    }
    created.set(caseFold(name), name);
  }
  if (clashes.size > 0) {
    // On a case-sensitive file system two tracked files may differ only in case.
    const tracked = ignoresCase ? new Set<string>() : new Set(await reader.parts(['ls-files', '-z']));
    [...clashes.keys()].filter((name) => !tracked.has(name)).forEach((name) => found.add(name));
  }
  (await editedFlagged(reader, new Set(changes.map(({ path: name }) => name)))).forEach((name) => found.add(name));
  refuse([...found]);
}

/** The files among `names` whose content differs from the index and that a flag excludes from Git's comparison. */
async function editedFlagged(reader: Reader, names: ReadonlySet<string>): Promise<string[]> {
  const flagged = (await flaggedFiles(reader)).filter((name) => names.has(name));
  const edited: string[] = [];
  if (flagged.length > 0) {
    const staged = new Map(
      (await reader.parts(['ls-files', '--stage', '-z'])).map((part) => {
        const tab = part.indexOf('\t');
        return [part.slice(tab + 1), part.slice(0, tab).split(' ')[1]];
      }),
    );
    for (const name of flagged) {
      const isLink = (await lstat(path.join(reader.folder, name)).catch(() => undefined))?.isFile() !== true;
      const oid = isLink ? undefined : await reader.text(['hash-object', '--', name]).catch(() => undefined);
      if (oid === undefined || oid !== staged.get(name)) {
        edited.push(name);
      }
    }
  }
  return edited;
}

function refuse(files: readonly string[]): void {
  if (files.length > 0) {
    throw fault('worktree.in_the_way', named([...files].sort()));
  }
}

function deletedBy(changes: readonly FileChange[]): ReadonlySet<string> {
  return new Set(changes.flatMap(({ path: name, status }) => (status === 'deleted' ? [name] : [])));
}

function caseFold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

type Kind = 'folder' | 'file' | 'link';

/** The files and folders on disk below one folder. Each result is cached. */
class Disk {
  private readonly kinds = new Map<string, Promise<Kind | undefined>>();
  private readonly names = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();

  constructor(private readonly root: string) {}

  /** @throws when the file can't be read, because its kind is unknown then */
  kind(name: string): Promise<Kind | undefined> {
    const known = this.kinds.get(name) ?? this.read(name);
    this.kinds.set(name, known);
    return known;
  }

  /** The existing folders above a path, from the top, and the first part that is not a folder. */
  async parents(name: string): Promise<{ readonly path: string; readonly kind: Kind | undefined }[]> {
    const parts = name.split('/');
    const found: { path: string; kind: Kind | undefined }[] = [];
    for (let count = 1; count < parts.length; count++) {
      const at = parts.slice(0, count).join('/');
      const kind = await this.kind(at);
      found.push({ path: at, kind });
      if (kind !== 'folder') {
        break;
      }
    }
    return found;
  }

  /** An existing name in the same folder that differs only in case. */
  async otherCase(name: string): Promise<string | undefined> {
    const slash = name.lastIndexOf('/');
    const parent = name.slice(0, Math.max(slash, 0));
    const base = name.slice(slash + 1);
    const known = this.names.get(parent) ?? this.list(parent);
    this.names.set(parent, known);
    const other = (await known).get(caseFold(base))?.find((each) => each !== base);
    return other === undefined ? undefined : parent === '' ? other : `${parent}/${other}`;
  }

  /** Files below a folder that are left when the `deleted` ones are deleted. */
  async inside(folder: string, deleted: ReadonlySet<string>): Promise<string[]> {
    const found: string[] = [];
    const folders = [folder];
    for (let at = folders.pop(); at !== undefined && found.length < MAX_INSIDE; at = folders.pop()) {
      for (const entry of await readdir(path.join(this.root, at), { withFileTypes: true })) {
        const name = `${at}/${entry.name}`;
        if (entry.isDirectory()) {
          folders.push(name);
        } else if (!deleted.has(name)) {
          found.push(name);
        }
      }
    }
    return found;
  }

  private async read(name: string): Promise<Kind | undefined> {
    try {
      const found = await lstat(path.join(this.root, name));
      return found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        return undefined;
      }
      throw error;
    }
  }

  private async list(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const names = await readdir(path.join(this.root, folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        return [];
      }
      throw error;
    });
    const found = new Map<string, string[]>();
    for (const name of names) {
      found.set(caseFold(name), [...(found.get(caseFold(name)) ?? []), name]);
    }
    return found;
  }
}
