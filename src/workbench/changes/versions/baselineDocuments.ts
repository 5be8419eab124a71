/** Files as they were before what waits for review, as documents: for the gutter, the peek and diff editors. */
import * as vscode from 'vscode';
import { mergedBaseline } from '../../../changes/review/mergedBaseline';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';
import { onDidCloseDocument, registerDocuments } from '../../documents/ownDocuments';
import { baselineScheme } from '../../../application/shared/changeCommandIds';
import { displayText } from '../files/fileTexts';
import type { PendingFile, PendingFiles } from '../session/pendingFiles';

/** The document of one file in the reviews of several sessions. */
interface MergedQuery {
  readonly sessions: readonly string[];
  /** Real. */
  readonly path: string;
}

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

  /** The document without the changes of all these sessions in one file; undefined where they overlap. */
  mergedUriOf(pending: readonly PendingFile[]): vscode.Uri | undefined {
    const hunks = pending.flatMap(({ file }) => file.hunks ?? []);
    const [first] = pending;
    return first && hunks.length === pending.length && mergedBaseline(hunks) !== undefined
      ? addressOf(first.changes.uriOf(first.file.path), { sessions: pending.map(({ changes }) => changes.key), path: first.file.path })
      : undefined;
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
    const query = JSON.parse(uri.query) as Query | MergedQuery;
    return 'sessions' in query ? this.mergedText(query) : this.textIn(query);
  }

  /** The changes that the user has decided on meanwhile are no longer part of the difference. */
  private async mergedText({ sessions, path }: MergedQuery): Promise<string> {
    const all = sessions.flatMap((key) => this.changes.get(key)?.review?.file(path)?.hunks ?? []);
    const [session] = sessions;
    return mergedBaseline(all) ?? (session === undefined ? '' : this.textIn({ session, path }));
  }

  private async textIn({ session, path, empty }: Query): Promise<string> {
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

function addressOf(uri: vscode.Uri, query: Query | MergedQuery): vscode.Uri {
  return uri.with({ scheme: baselineScheme, authority: '', query: JSON.stringify(query) });
}
