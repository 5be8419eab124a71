/** The files of a session's folders: lists them, ranks them, and completes a typed path that is in no list. */
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Roots } from '../../core/model/roots';
import type { Disposable } from '../../core/platform/disposable';
import { isRestricted } from '../trust/restrictedMode';
import { findGitProgram } from '../git/gitProgram';
import { FileSearch } from '../editor/fileSearch';
import { FolderFiles } from '../../application/mentions/folderFiles';
import type { MentionedFile } from '../../application/mentions/mentionOf';
import { ripgrepIn } from '../../application/mentions/ripgrepProgram';

/** The maximum number of entries that are read of a folder whose path is typed. */
const MAX_ENTRIES = 5_000;
/** The maximum number of files from VS Code's search, which is used when neither git nor ripgrep works. */
const MAX_SEARCHED = 50_000;
/** The maximum number of folders whose lists are kept. */
const MAX_FOLDERS = 20;

export interface IndexedFile extends MentionedFile {
  readonly uri: string;
  readonly path: string;
}

export class SessionFiles implements Disposable {
  private readonly folders = new Map<string, FolderFiles>();
  private git: string | undefined;
  private ripgrep: string | undefined;

  /** Resolves when the lists of these folders are fresh. Never rejects. */
  async fresh(roots: Roots): Promise<void> {
    await Promise.all(foldersOf(roots).map((folder) => this.filesOf(folder).fresh()));
  }

  /** False until the first lists of these folders are complete. */
  isListed(roots: Roots): boolean {
    return foldersOf(roots).every((folder) => this.folders.get(folder)?.isListed);
  }

  /** Returns the best matches in the current lists, best first. Resolves to undefined when the query is outdated. @param preferred absolute paths */
  async search(
    roots: Roots,
    text: string,
    limit: number,
    preferred: readonly string[],
    isOver: () => boolean,
  ): Promise<IndexedFile[] | undefined> {
    const all: (IndexedFile & { readonly score: number })[] = [];
    for (const folder of foldersOf(roots)) {
      const inside = preferred.flatMap((file) => pathIn(folder, file) ?? []);
      const found = await this.filesOf(folder).search({ text, limit, preferred: inside, isOver });
      if (!found) {
        return undefined;
      }
      all.push(...found.map(({ path: file, score }) => ({ ...indexedFileIn(roots, folder, file), score })));
    }
    return all.toSorted((a, b) => b.score - a.score).slice(0, limit);
  }

  /** Returns the files whose name matches. */
  called(roots: Roots, isName: (name: string) => boolean, limit: number): IndexedFile[] {
    const found: IndexedFile[] = [];
    for (const folder of foldersOf(roots)) {
      for (const file of this.filesOf(folder).known.called(isName)) {
        if (found.push(indexedFileIn(roots, folder, file)) >= limit) {
          return found;
        }
      }
    }
    return found;
  }

  /** Returns the files of `uris` that are in the current lists of the session's folders, which exclude ignored files. */
  listed(roots: Roots, uris: readonly vscode.Uri[]): vscode.Uri[] {
    const listed = new Set<string>();
    for (const folder of foldersOf(roots)) {
      const wanted = new Set(uris.flatMap((uri) => (uri.scheme === 'file' ? (pathIn(folder, uri.fsPath) ?? []) : [])));
      if (wanted.size > 0) {
        this.filesOf(folder)
          .known.those(wanted)
          .forEach((file) => listed.add(indexedFileIn(roots, folder, file).uri));
      }
    }
    return uris.filter((uri) => listed.has(uri.toString()));
  }

  /** Returns the files below a folder of the session, relative to it. */
  async within(roots: Roots, uri: vscode.Uri): Promise<string[]> {
    for (const folder of foldersOf(roots)) {
      const below = path.relative(folder, uri.fsPath) === '' ? '' : pathIn(folder, uri.fsPath);
      if (below !== undefined) {
        await this.filesOf(folder).fresh();
        const prefix = below === '' ? '' : `${below}/`;
        const listed = [...this.filesOf(folder).known.within(prefix)].map((file) => file.slice(prefix.length));
        if (listed.length > 0) {
          return listed;
        }
      }
    }
    // The folder is ignored, or outside of the session's folders.
    return (await entriesIn(uri.fsPath)).map(({ name }) => name);
  }

  /** Completes a typed path from the disk, including ignored files. Never rejects. */
  async atPath(roots: Roots, typed: string, limit: number): Promise<IndexedFile[]> {
    const text = typed.replaceAll('\\', '/');
    const slash = text.lastIndexOf('/');
    const wanted = text.slice(slash + 1).toLowerCase();
    const found: IndexedFile[] = [];
    for (const folder of foldersOf(roots)) {
      const absolute = path.resolve(folder, text.slice(0, slash + 1) || '.');
      const below = path.relative(folder, absolute) === '' ? '' : pathIn(folder, absolute);
      if (below === undefined || (wanted === '' && slash < 0)) {
        continue;
      }
      const entries = (await entriesIn(absolute)).filter(({ name }) => name.toLowerCase().startsWith(wanted) && name !== '.git/');
      entries.sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
      found.push(...entries.map(({ name }) => indexedFileIn(roots, folder, below === '' ? name : `${below}/${name}`)));
    }
    return found.slice(0, limit);
  }

  /** Returns the file's path in the session's folders, or undefined when it is in none. */
  fileOf(roots: Roots, uri: vscode.Uri, isFolder = false): IndexedFile | undefined {
    for (const folder of uri.scheme === 'file' ? foldersOf(roots) : []) {
      const inside = pathIn(folder, uri.fsPath);
      if (inside !== undefined) {
        return { uri: uri.toString(), path: nameOf(roots, folder) + (isFolder ? `${inside}/` : inside) };
      }
    }
    return undefined;
  }

  dispose(): void {
    this.folders.forEach((files) => files.dispose());
    this.folders.clear();
  }

  private filesOf(folder: string): FolderFiles {
    const known = this.folders.get(folder);
    if (known) {
      return known;
    }
    const files = new FolderFiles(folder, {
      git: async () => (this.git ??= await findGitProgram()),
      ripgrep: async () => (isRestricted() ? undefined : (this.ripgrep ??= await ripgrepIn(vscode.env.appRoot))),
      search: searched,
      read: async (root, file) => {
        try {
          return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(vscode.Uri.file(root), file)));
        } catch {
          return undefined;
        }
      },
      now: () => Date.now(),
    });
    this.folders.set(folder, files);
    for (const oldest of [...this.folders.keys()].slice(0, -MAX_FOLDERS)) {
      this.folders.get(oldest)?.dispose();
      this.folders.delete(oldest);
    }
    return files;
  }
}

export function foldersOf({ cwd, additionalDirectories }: Roots): string[] {
  return [...new Set([cwd, ...additionalDirectories])];
}

/** Returns the path relative to `folder`, with "/". Undefined when the file is not inside. */
function pathIn(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file);
  return relative === '' || relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
    ? undefined
    : relative.replaceAll(path.sep, '/');
}

function indexedFileIn(roots: Roots, folder: string, file: string): IndexedFile {
  return { uri: vscode.Uri.joinPath(vscode.Uri.file(folder), file.replace(/\/$/, '')).toString(), path: nameOf(roots, folder) + file };
}

/** Returns the prefix for paths in this folder. Empty unless there are several folders, which may have files with the same name. */
function nameOf(roots: Roots, folder: string): string {
  const folders = foldersOf(roots);
  const isUnique = folders.filter((each) => path.basename(each) === path.basename(folder)).length === 1;
  return folders.length === 1 ? '' : `${isUnique ? path.basename(folder) : folder.replaceAll(path.sep, '/').replace(/^\//, '')}/`;
}

/** Returns the entries of a folder. Folders end with "/". */
async function entriesIn(folder: string): Promise<{ readonly name: string }[]> {
  const entries: { readonly name: string }[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      entries.push({ name: entry.isDirectory() ? `${entry.name}/` : entry.name });
      if (entries.length >= MAX_ENTRIES) {
        break;
      }
    }
  } catch {
    // A missing folder has no entries.
  }
  return entries;
}

async function searched(folder: string): Promise<readonly string[]> {
  const source = new vscode.CancellationTokenSource();
  const { uris } = await new FileSearch([folder]).find('', MAX_SEARCHED, source.token);
  source.dispose();
  return uris.flatMap((uri) => pathIn(folder, uri.fsPath) ?? []);
}
