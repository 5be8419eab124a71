/** The protected files that a command line names. A rule about commands does not allow them. */
import { lstat, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Roots } from '../../core/model/roots';
import { realPathOf } from '../../util/realPath';
import { isOfProcess } from '../matching';
import { ProtectedPaths } from '../protection/protectedPaths';
import type { ProtectedRules } from '../protection/protectedRules';
import type { CommandPart, FilePart } from '../rule';
import type { NamedFile } from './commandJudge';

/** The files of one pattern, and the entries of a folder that are compared with it. */
const MAX_FILES = 200;
const MAX_ENTRIES = 2000;
const GLOB = /[*?[]/;
const EXISTENCE = [() => true, () => false] as const;

/** Returns a part for each protected file. A file that does not exist cannot be read. */
export async function protectedNames(
  part: CommandPart,
  names: readonly NamedFile[],
  roots: Roots,
  rules: ProtectedRules,
): Promise<readonly FilePart[]> {
  const paths = new ProtectedPaths(roots, rules);
  const start = part.cwd ?? roots.cwd;
  const found = await Promise.all(
    names.map(async ({ text, folder, access }) => {
      const named = homesOf(text, start).map((file) => absolute(file, start, folder));
      const files = GLOB.test(text)
        ? [...named, ...(await Promise.all(named.map((each) => expanded(path.normalize(each))))).flat()]
        : named;
      return Promise.all(files.map((file) => protectedPart(part, file, access, paths)));
    }),
  );
  const parts = found.flat().filter((each) => each !== undefined);
  return [...new Map(parts.map((each) => [`${each.kind} ${each.path}`, each])).values()];
}

/** Returns the paths that a shell may read a text with `~`, `~name` or `~+` as. */
function homesOf(text: string, cwd: string): readonly string[] {
  const [, name, rest = ''] = /^~([^\\/]*)(.*)$/s.exec(text) ?? [];
  const home = os.homedir();
  return name === undefined
    ? [text]
    : [home + rest, ...(name === '' ? [] : [text, path.join(path.dirname(home), name) + rest, cwd + rest])];
}

/** Not normalized: a `..` after a link leaves the link's target. */
function absolute(file: string, start: string, folder: string | undefined): string {
  return path.isAbsolute(file) ? file : [start, folder ?? '', file].filter(Boolean).join(path.sep);
}

async function protectedPart(
  command: CommandPart,
  asked: string,
  access: NamedFile['access'],
  paths: ProtectedPaths,
): Promise<FilePart | undefined> {
  const exists = isOfProcess(asked) || (await lstat(asked).then(...EXISTENCE));
  if (!exists && access === 'read') {
    return undefined;
  }
  const real = await realPathOf(asked).catch(() => asked);
  const isProtected = (by: NamedFile['access']): Promise<boolean> => paths.ruleFor(asked, real, by).then((rule) => rule !== undefined);
  const isFound = (await isProtected(access)) || (access === 'write' && exists && (await isProtected('read')));
  const present = async (): Promise<null | undefined> => (exists ? undefined : null);
  return isFound ? { kind: access, tool: command.tool, asked, path: real, byCommand: command, isInLine: true, present } : undefined;
}

/** Returns the files that a shell puts in the place of a pattern. */
async function expanded(pattern: string): Promise<readonly string[]> {
  const { root } = path.parse(pattern);
  let found: readonly string[] = [root];
  for (const name of pattern.slice(root.length).split(/[\\/]/)) {
    const next = GLOB.test(name)
      ? await Promise.all(found.map(async (folder) => (await namesLike(folder, name)).map((each) => path.join(folder, each))))
      : [found.map((folder) => path.join(folder, name))];
    found = next.flat().slice(0, MAX_FILES);
  }
  return found;
}

async function namesLike(folder: string, pattern: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch(() => []);
  const regex = regexOf(pattern);
  // A shell shows hidden files only for a pattern with a dot.
  return entries.slice(0, MAX_ENTRIES).filter((name) => (pattern.startsWith('.') || !name.startsWith('.')) && regex.test(name));
}

/** A set in brackets matches any character, because its meaning differs between shells. */
function regexOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*+|\?|\[[^\]]+\]|[\s\S]/g, (each) =>
    each.startsWith('*') ? '.*' : each === '?' || each.length > 1 ? '.' : each.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'),
  );
  return new RegExp(`^${source}$`, 'is');
}
