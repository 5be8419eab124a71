/** Whether the configuration of a repository lets git run programs: pagers, filters, hooks of the file watcher, aliases and others. */
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { linkedRepositories } from './gitLinks';

/** The maximum size in bytes of a configuration that is read. */
const MAX_CONFIG = 256 * 1024;
const MAX_LEVELS = 64;
/** The maximum number of repositories inside another one, and around one. */
const MAX_LINKS = 200;
const MAX_NESTED = 8;

/** Keys whose value is a program, a file with such keys, or a folder with programs. */
const NAMES =
  'fsmonitor|hookspath|pager|editor|sshcommand|askpass|external|textconv|command|cmd|clean|smudge|process|' +
  'driver|program|path|helper|uploadpack|receivepack|proxycommand|gitproxy|packobjectshook|alternaterefscommand|worktree|vcs|templatedir|attributesfile';
const KEYS = new RegExp(`^[ \\t]*(?:${NAMES})[ \\t]*(?:=|$)`, 'im');
/** The name of a section. Several may be on one line, and a key may follow. */
const HEADER = /\[(?:[^\]"\r\n]|"(?:\\.|[^"\\\r\n])*")*\]/g;
/** A key that each submodule has. */
const WORK_TREE = /^[ \t]*worktree[ \t]*=.*$/gim;
/** A command that updates a submodule. */
const UPDATE = /^[ \t]*update[ \t]*=[ \t]*"?!/im;
const SECTIONS =
  /^[ \t]*\[[ \t]*(?:alias|include|includeif|pager|filter|credential|protocol|difftool|mergetool|browser|man|gpg|interactive|extensions)\b/im;

/**
 * Resolves to true when a configuration cannot be read, too. Never rejects.
 * @param readsOnly true for commands that run no hooks but the one after a change of the index
 */
export async function runsPrograms(cwd: string | undefined, readsOnly = false): Promise<boolean> {
  if (cwd === undefined) {
    return true;
  }
  // Git looks for the repository from the real folder, which a link may have led to.
  let folder = await realpath(cwd).catch(() => path.resolve(cwd));
  for (let level = 0; level < MAX_LEVELS; level++) {
    const found = await stat(path.join(folder, '.git')).catch(() => undefined);
    if (found) {
      return isRepositoryRisky(folder, found.isDirectory(), readsOnly, 0);
    }
    // Any folder with these names is a repository without a working tree.
    const names = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => lstat(path.join(folder, name)).catch(() => undefined)));
    if (names.every((each) => each !== undefined)) {
      return isRisky(folder, readsOnly);
    }
    const parent = path.dirname(folder);
    if (parent === folder) {
      return false;
    }
    folder = parent;
  }
  return true;
}

/** @param depth the number of repositories around this one */
async function isRepositoryRisky(folder: string, isDirectory: boolean, readsOnly: boolean, depth: number): Promise<boolean> {
  const own = isDirectory ? path.join(folder, '.git') : await linkedFolder(folder);
  if (own === undefined || depth > MAX_NESTED) {
    return true;
  }
  const links = await linkedRepositories(own);
  if (links === undefined || links.length > MAX_LINKS || (await (isDirectory ? isRisky(own, readsOnly) : isLinkedRisky(own, readsOnly)))) {
    return true;
  }
  const nested = await Promise.all(
    links.map(async (name) => {
      const inside = path.join(folder, name);
      const found = await stat(path.join(inside, '.git')).catch(() => undefined);
      return found !== undefined && isRepositoryRisky(inside, found.isDirectory(), readsOnly, depth + 1);
    }),
  );
  return nested.includes(true);
}

/** Returns Git's folder of a worktree or a submodule, whose `.git` is a file that names it. */
async function linkedFolder(folder: string): Promise<string | undefined> {
  const target = /^gitdir:[ \t]*(.+?)[ \t]*$/m.exec((await text(path.join(folder, '.git'))) ?? '')?.[1];
  return target === undefined ? undefined : path.resolve(folder, target);
}

async function isLinkedRisky(own: string, readsOnly: boolean): Promise<boolean> {
  const common = (await text(path.join(own, 'commondir')))?.trim();
  return (await isRisky(own, readsOnly, true)) || (common !== undefined && (await isRisky(path.resolve(own, common), readsOnly)));
}

async function isRisky(folder: string, readsOnly: boolean, isLinked = false): Promise<boolean> {
  const [config, own, common, hooks] = await Promise.all([
    text(path.join(folder, 'config')),
    text(path.join(folder, 'config.worktree')),
    text(path.join(folder, 'commondir')),
    readdir(path.join(folder, 'hooks')).catch(() => []),
  ]);
  return (
    hooks.some((name) => (readsOnly ? /^post-index-change(?:\.|$)/.test(name) : !name.endsWith('.sample'))) ||
    // The configuration is elsewhere.
    (!isLinked && common !== undefined && common.trim() !== '.') ||
    (config === undefined && !isLinked) ||
    [config, own].some((each) => each !== undefined && namesPrograms(isLinked ? each.replace(WORK_TREE, '') : each))
  );
}

function namesPrograms(config: string): boolean {
  const lines = config.replaceAll(HEADER, '\n$&\n');
  return KEYS.test(lines) || UPDATE.test(lines) || SECTIONS.test(lines);
}

async function text(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() && found.size <= MAX_CONFIG ? readFile(file, 'utf8').catch(() => undefined) : undefined;
}
