/** Files as they were before what waits for review, as documents: for the gutter, the peek and diff editors. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/model/ports';
import { DisposableStore } from '../../util/disposable';
import { onDidCloseDocument, registerDocuments } from '../documents/ownDocuments';
import { baselineScheme } from './changeCommandIds';
import { displayText } from './fileTexts';
import type { PendingFile, PendingFiles } from './pendingFiles';

interface Query {
  readonly session: string;
  /** Real. */
  readonly path: string;
  /** The text of a file that is not there. */
  readonly empty?: true;
}

export class BaselineDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
  /** The texts that were returned last, by URI. */
  private readonly given = new Map<string, string>();

  constructor(private readonly changes: PendingFiles) {
    this.store.add(
      registerDocuments(baselineScheme, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: async (uri) => {
          const text = await this.textOf(uri);
          this.given.set(uri.toString(), text);
          return text;
        },
      }),
    );
    this.store.add(onDidCloseDocument(({ uri }) => void this.given.delete(uri.toString())));
  }

  uriOf({ changes, file }: PendingFile): vscode.Uri {
    return addressOf(changes.uriOf(file.path), { session: changes.key, path: file.path });
  }

  /** The empty document in the place of a deleted file. */
  emptyUriOf({ changes, file }: PendingFile): vscode.Uri {
    return addressOf(changes.uriOf(file.path), { session: changes.key, path: file.path, empty: true });
  }

  /** Notifies VS Code of documents whose text has changed. */
  async refresh(): Promise<void> {
    for (const [address, before] of [...this.given]) {
      const uri = vscode.Uri.parse(address);
      if ((await this.textOf(uri)) !== before) {
        this.changed.fire(uri);
      }
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private async textOf(uri: vscode.Uri): Promise<string> {
    const { session, path, empty } = JSON.parse(uri.query) as Query;
    const changes = this.changes.get(session);
    const file = changes?.review?.file(path);
    if (!changes || empty) {
      return '';
    }
    if (!file) {
      // It was kept or undone: a diff that is still open has no difference to show.
      return (await changes.presentText(path)) ?? '';
    }
    if (file.hunks) {
      return file.hunks.baseline;
    }
    const bytes = file.before.kind === 'file' ? await changes.store.get(file.before.hash) : undefined;
    return (bytes && (await displayText(path, bytes))) ?? '';
  }
}

function addressOf(uri: vscode.Uri, query: Query): vscode.Uri {
  return uri.with({ scheme: baselineScheme, authority: '', query: JSON.stringify(query) });
}
