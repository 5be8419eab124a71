/** Asks for the files to attach to a message: a quick pick over the session's folders with multiple choice and a row for the file dialog. */
import * as vscode from 'vscode';
import type { Roots } from '../../core/model/roots';
import { inertLine, withIcon } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { type Item, type QuickPick, separator, window } from '../shared/window';
import { bestName, rankOf } from '../../application/editor/fileGlobs';
import { FileSearch } from '../editor/fileSearch';
import { openFiles } from '../editor/openFiles';

/** The number of files per folder that are listed at first. A typed name finds the others. */
const MAX_LISTED = 2000;
/** The number of files that a typed name adds per folder. */
const MAX_FOUND = 200;
/** The delay in ms between the last key and the search for a name. */
const SEARCH_AFTER_MS = 150;
const MAX_LABEL = 200;

interface FileItem extends Item {
  readonly uri?: vscode.Uri;
}

/** Asks for files. Resolves to undefined when the user cancels. */
export async function pickFiles({ cwd, additionalDirectories }: Roots): Promise<vscode.Uri[] | undefined> {
  const pick = window.createQuickPick<FileItem>();
  const list = new FileList(pick, new FileSearch([cwd, ...additionalDirectories]));
  try {
    const chosen = await list.ask();
    if (chosen !== 'browse') {
      return chosen;
    }
    const picked = list.picked();
    const others = await browse(cwd);
    return others && [...picked, ...others];
  } finally {
    list.dispose();
    pick.dispose();
  }
}

async function browse(folder: string): Promise<vscode.Uri[] | undefined> {
  return window.showOpenDialog({
    canSelectMany: true,
    openLabel: t('Attach'),
    title: t('Attach Files'),
    defaultUri: vscode.Uri.file(folder),
  });
}

class FileList {
  private readonly browse: FileItem = { label: withIcon('folder-opened', t('Browse…')), alwaysShow: true };
  private readonly open: readonly FileItem[];
  /** The rows by address, so that a file keeps the same row. */
  private readonly items = new Map<string, FileItem>();
  private readonly subscriptions: vscode.Disposable[] = [];
  private search = new vscode.CancellationTokenSource();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** True when not all files are listed. */
  private isCut = true;

  constructor(
    private readonly pick: QuickPick<FileItem>,
    private readonly files: FileSearch,
  ) {
    pick.title = t('Attach Files');
    pick.placeholder = t('Search files by name');
    pick.canSelectMany = true;
    this.open = openFiles(vscode.window.activeTextEditor?.document).map((uri) => this.itemOf(uri));
    this.show();
  }

  /** Resolves to the picked files, or undefined when the user cancels. */
  ask(): Promise<vscode.Uri[] | 'browse' | undefined> {
    const { pick, subscriptions } = this;
    return new Promise((resolve) => {
      subscriptions.push(
        pick.onDidChangeValue(() => {
          this.lead();
          this.searchSoon();
        }),
        pick.onDidChangeSelection((items) => {
          if (items.includes(this.browse)) {
            resolve('browse');
          }
        }),
        pick.onDidAccept(() => {
          const chosen = pick.selectedItems.length > 0 ? pick.selectedItems : this.front();
          resolve(chosen.includes(this.browse) ? 'browse' : urisOf(chosen));
        }),
        pick.onDidHide(() => resolve(undefined)),
      );
      pick.show();
      void this.find('', MAX_LISTED);
    });
  }

  picked(): vscode.Uri[] {
    return urisOf(this.pick.selectedItems);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.search.cancel();
    this.search.dispose();
    this.subscriptions.forEach((each) => void each.dispose());
  }

  private searchSoon(): void {
    clearTimeout(this.timer);
    const { value } = this.pick;
    if (this.isCut && value.trim() !== '') {
      this.timer = setTimeout(() => void this.find(value, MAX_FOUND), SEARCH_AFTER_MS);
    }
  }

  private async find(text: string, limit: number): Promise<void> {
    this.search.cancel();
    this.search.dispose();
    this.search = new vscode.CancellationTokenSource();
    const { token } = this.search;
    this.pick.busy = true;
    try {
      const { uris, isCut } = await this.files.find(text, limit, token);
      if (token.isCancellationRequested) {
        return;
      }
      this.isCut = text === '' ? isCut : this.isCut;
      const known = this.items.size;
      uris.forEach((uri) => this.itemOf(uri));
      if (this.items.size > known) {
        this.show();
      }
    } catch {
      // After a failed search the user can still browse.
    } finally {
      if (!token.isCancellationRequested) {
        this.pick.busy = false;
      }
    }
  }

  /** Focuses the best match. In a list with checkboxes VS Code does not move the focus while the user types, even when the focused row is hidden. */
  private lead(): void {
    const { pick } = this;
    const files = [...this.items.values()];
    const best = files[bestName(files.map(nameOf), pick.value)];
    pick.activeItems = best ? [best] : [this.browse];
  }

  /**
   * Returns the row to use when none is checked: the focused row if it matches the typed name, or else the best match. VS Code may not have moved
   * the focus yet.
   */
  private front(): readonly FileItem[] {
    const { pick } = this;
    const active = pick.activeItems.filter((item) => item === this.browse || rankOf(nameOf(item), pick.value) > 0);
    const files = [...this.items.values()];
    const best = files[bestName(files.map(nameOf), pick.value)];
    return active.length > 0 ? active.slice(0, 1) : best ? [best] : [];
  }

  private show(): void {
    const { pick, open, browse } = this;
    const others = [...this.items.values()].filter((item) => !open.includes(item));
    const active = pick.activeItems.filter((item) => item !== browse && rankOf(nameOf(item), pick.value) > 0);
    const selected = pick.selectedItems;
    pick.items = [
      browse,
      ...(open.length > 0 ? [separator(t('open editors')), ...open] : []),
      ...(others.length > 0 ? [separator(t('files')), ...others] : []),
    ];
    pick.selectedItems = selected;
    if (active.length > 0) {
      pick.activeItems = active;
    } else {
      this.lead();
    }
  }

  private itemOf(uri: vscode.Uri): FileItem {
    const key = uri.toString();
    const path = vscode.workspace.asRelativePath(uri);
    const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    const item = this.items.get(key) ?? {
      label: withIcon('file', inertLine(path.slice(end + 1), MAX_LABEL)),
      description: inertLine(path.slice(0, Math.max(0, end)), MAX_LABEL),
      uri,
    };
    this.items.set(key, item);
    return item;
  }
}

function nameOf({ uri }: FileItem): string {
  return uri?.path.split('/').at(-1) ?? '';
}

function urisOf(items: readonly FileItem[]): vscode.Uri[] {
  return items.flatMap(({ uri }) => uri ?? []);
}
