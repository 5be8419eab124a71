/** Finds the words in an agent's text that name files of the session. Independent of VS Code. */
import path from 'node:path';
import type { Roots } from '../../core/model/roots';
import { isAbsent, type SessionState } from '../../core/model/state';
import type { FileReference } from '../../core/protocol/view';
import { inPool } from '../../util/pool';
import { FindFiles } from '../../util/findFiles';
import { fileTargets } from './links';

/** The number of files that are searched at the same time. */
const MAX_PARALLEL = 8;
/** The number of newest entries whose files a bare name may refer to. */
const MAX_ENTRIES = 1000;

/**
 * Resolves texts (a path or a file name, with or without a line) to files. A text means a file in the session's folders, or else the only file
 * from the agent's tool calls whose path ends with it. Paths outside are not accessed. Never rejects.
 */
export async function fileReferences(roots: Roots, state: SessionState, texts: readonly string[]): Promise<FileReference[]> {
  const files = new FindFiles(roots);
  const known = new KnownFiles(state);
  const found = new Map<string, FileReference>();
  const requested = [...new Set(texts)];
  await inPool(requested, MAX_PARALLEL, async (text) => {
    found.set(text, await reference(roots, files, known, text).catch((): FileReference => ({ text, is: 'nothing' })));
  });
  return requested.map((text) => found.get(text)!);
}

async function reference(roots: Roots, files: FindFiles, known: KnownFiles, text: string): Promise<FileReference> {
  const folders = [roots.cwd, ...roots.additionalDirectories];
  const targets = fileTargets(text, folders);
  for (const { path: named, line } of targets) {
    if (/^~[\\/]/.test(named)) {
      return { text, is: 'outside' };
    }
    const all = await files.find(named);
    const [first = await firstFile(files, path.isAbsolute(named) ? [] : known.endingWith(named))] = all;
    if (first !== undefined) {
      // The host finds a single file again when the link is opened, and lists several.
      const isLink = all.length > 1 || first === path.resolve(roots.cwd, named);
      return { text, is: 'file', ...(!isLink && { path: first, ...(line !== undefined && { line }) }) };
    }
  }
  const isOutside = targets.some(
    ({ path: named }) => path.isAbsolute(named) && !folders.some((folder) => !path.relative(folder, named).startsWith('..')),
  );
  return { text, is: isOutside ? 'outside' : 'nothing' };
}

async function firstFile(files: FindFiles, candidates: readonly string[]): Promise<string | undefined> {
  for (const candidate of candidates) {
    if (await files.isFile(candidate)) {
      return candidate;
    }
  }
  return undefined;
}

/** The files that the conversation's tool calls name, by the last part of their paths. */
class KnownFiles {
  private byName: Map<string, Set<string>> | undefined;

  constructor(private readonly state: SessionState) {}

  /** Returns the file whose path ends with this. Returns none when there are several. */
  endingWith(named: string): readonly string[] {
    const end = path.normalize(named);
    if (end.startsWith('..')) {
      return [];
    }
    const all = [...((this.byName ??= this.collect()).get(path.basename(end)) ?? [])];
    const matching = all.filter((each) => each.endsWith(path.sep + end));
    return matching.length === 1 ? matching : [];
  }

  private collect(): Map<string, Set<string>> {
    const { entries } = this.state;
    const byName = new Map<string, Set<string>>();
    const add = (file: string): void => {
      const name = path.basename(file);
      byName.set(name, (byName.get(name) ?? new Set()).add(path.normalize(file)));
    };
    for (const slot of entries.slice(-MAX_ENTRIES + entries.length)) {
      if (slot.kind === 'tool_call' && !isAbsent(slot)) {
        slot.locations.forEach((location) => add(location.path));
        slot.content.forEach((content) => content.type === 'diff' && content.changes.forEach((change) => add(change.path)));
      }
    }
    return byName;
  }
}
