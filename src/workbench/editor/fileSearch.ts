/** Finds files of a session's folders by name like VS Code's own search: without the files that its settings and ignore files exclude. */
import * as vscode from 'vscode';
import { excludedBySetting, nameGlob, oneGlob } from '../../application/editor/fileGlobs';
import { IgnoreFiles } from '../../application/editor/ignoreFiles';

export interface FoundFiles {
  readonly uris: readonly vscode.Uri[];
  /** True when there may be more files. */
  readonly isCut: boolean;
}

export class FileSearch {
  private readonly roots: readonly { readonly uri: vscode.Uri; readonly ignored: IgnoreFiles | undefined }[];

  /** @param folders absolute paths */
  constructor(folders: readonly string[]) {
    this.roots = folders.map((folder) => {
      const uri = vscode.Uri.file(folder);
      const usesIgnoreFiles = vscode.workspace.getConfiguration('search', uri).get<boolean>('useIgnoreFiles', true);
      return { uri, ignored: usesIgnoreFiles ? new IgnoreFiles((path) => readText(vscode.Uri.joinPath(uri, path))) : undefined };
    });
  }

  /** Returns files with `text` in their name, at most `limit` per folder. Files closer to the root come first. */
  async find(text: string, limit: number, token: vscode.CancellationToken): Promise<FoundFiles> {
    const found = await Promise.all(this.roots.map((root) => this.findIn(root, text, limit, token)));
    return { uris: found.flatMap(({ uris }) => uris), isCut: found.some(({ isCut }) => isCut) };
  }

  private async findIn(
    { uri, ignored }: (typeof this.roots)[number],
    text: string,
    limit: number,
    token: vscode.CancellationToken,
  ): Promise<FoundFiles> {
    const setting = vscode.workspace.getConfiguration('search', uri).get('exclude');
    const excluded = oneGlob([...excludedBySetting(setting), ...((await ignored?.globs()) ?? [])]);
    if (token.isCancellationRequested) {
      return { uris: [], isCut: false };
    }
    const all = await vscode.workspace.findFiles(new vscode.RelativePattern(uri, nameGlob(text)), excluded, limit, token);
    const kept: { readonly uri: vscode.Uri; readonly path: string }[] = [];
    for (const each of all) {
      const path = pathIn(uri, each);
      if (path !== undefined && !(await ignored?.ignores(path))) {
        kept.push({ uri: each, path });
      }
    }
    const depth = (path: string): number => path.split('/').length;
    kept.sort((a, b) => depth(a.path) - depth(b.path) || a.path.localeCompare(b.path));
    return { uris: kept.map((each) => each.uri), isCut: all.length >= limit };
  }
}

/** Returns the path from `root` to `uri`, with "/". Undefined when it is not inside. */
function pathIn(root: vscode.Uri, uri: vscode.Uri): string | undefined {
  const folder = root.path.endsWith('/') ? root.path : `${root.path}/`;
  return uri.path.startsWith(folder) && uri.path.length > folder.length ? uri.path.slice(folder.length) : undefined;
}

async function readText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
