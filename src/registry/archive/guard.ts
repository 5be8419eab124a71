/**
 * The rules for the entries of an archive that a stranger made. An archive that breaks one is refused as a whole, because a part of it would be no
 * program. The libraries have guards of their own; these ones also limit the size and say why.
 */
import { hasControls, withoutControls } from '../../text/characters/characters';
import path from 'node:path';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { installFault } from '../registryReasons';

export type EntryKind = 'file' | 'folder' | 'symlink' | 'hardlink' | 'other';

export interface ArchiveEntry {
  readonly path: string;
  readonly kind: EntryKind;
  readonly bytes: number;
  /** The target of a link, as written in the archive. */
  readonly target?: string;
}

export interface ArchiveLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** The largest agent of the public registry has 700 MB. */
export const ARCHIVE_LIMITS: ArchiveLimits = { maxEntries: 100_000, maxBytes: 3 * 1024 * 1024 * 1024 };
const MAX_PATH = 500;
const MAX_DEPTH = 40;

/** Names that Windows does not store as they are. Other systems refuse them too: the same agent must not differ there. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i;

export class ArchiveGuard {
  private entries = 0;
  private bytes = 0;
  private readonly files = new Set<string>();
  private readonly links = new Set<string>();

  constructor(private readonly limits: ArchiveLimits) {}

  /** @throws Fault when the entry must not be written */
  check(entry: ArchiveEntry): void {
    const parts = this.partsOf(entry.path);
    const key = keyOf(parts);
    if (++this.entries > this.limits.maxEntries || (this.bytes += entry.bytes) > this.limits.maxBytes) {
      throw installFault('archive_too_large');
    }
    for (let depth = 1; depth < parts.length; depth++) {
      const parent = keyOf(parts.slice(0, depth));
      if (this.links.has(parent) || this.files.has(parent)) {
        throw unsafe(entry.path);
      }
    }
    if (this.links.has(key) || (this.files.has(key) && entry.kind !== 'folder')) {
      throw unsafe(entry.path);
    }
    switch (entry.kind) {
      case 'folder':
        if (this.files.has(key)) {
          throw unsafe(entry.path);
        }
        return;
      case 'file':
        this.files.add(key);
        return;
      case 'symlink':
        this.checkTarget(entry, parts);
        this.links.add(key);
        return;
      case 'hardlink':
        if (!this.files.has(keyOf(this.partsOf(entry.target ?? '')))) {
          throw unsafe(entry.path);
        }
        this.files.add(key);
        return;
      case 'other':
        throw unsafe(entry.path);
    }
  }

  private partsOf(text: string): string[] {
    const isAbsolute = /^[\\/]|^[a-z]:/i.test(text);
    const parts = text.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
    const isBad = (part: string): boolean => part === '..' || DEVICE.test(part) || hasControls(part) || /[:*?"<>|]|[. ]$/.test(part);
    if (isAbsolute || text.length > MAX_PATH || parts.length > MAX_DEPTH || parts.some(isBad)) {
      throw unsafe(text);
    }
    return parts;
  }

  private checkTarget({ path: own, target = '' }: ArchiveEntry, parts: readonly string[]): void {
    const inside = path.posix.join(...parts.slice(0, -1), target.replaceAll('\\', '/'));
    if (target === '' || /^[\\/]|^[a-z]:|\0/i.test(target) || inside === '..' || inside.startsWith('../')) {
      throw unsafe(own);
    }
  }
}

/** Checks that every link in `folder` ends inside of it, also through other links. @throws Fault */
export async function checkLinks(folder: string): Promise<void> {
  const root = await realpath(folder);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) {
      const file = path.join(entry.parentPath, entry.name);
      const target = await realpath(file).catch(() => undefined);
      if (target === undefined || !isInside(root, target)) {
        throw unsafe(path.relative(root, file));
      }
    }
  }
}

/** Returns the real path of `relative`; undefined when it is not a file inside `folder`. */
export async function fileInside(folder: string, relative: string): Promise<string | undefined> {
  const root = await realpath(folder);
  const file = await realpath(path.join(root, relative)).catch(() => undefined);
  return file !== undefined && isInside(root, file) && (await lstat(file)).isFile() ? file : undefined;
}

function isInside(root: string, file: string): boolean {
  return file === root || file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

/** Two paths with the same key are the same file on some disk. */
function keyOf(parts: readonly string[]): string {
  // Some letters have their partner in upper case alone, such as the long s.
  return parts.join('/').normalize('NFC').toUpperCase().toLowerCase();
}

function unsafe(entry: string): Error {
  return installFault('unsafe_archive', { entry: withoutControls(entry, '?').slice(0, 200) });
}
