/** Versions of files that a session has kept, or that its agent believes in, as documents for diff editors. */
import type * as vscode from 'vscode';
import type { LiveHunks } from '../../../changes/hunks/liveHunks';
import { applyEdit } from '../../../core/fileChanges/hunks';
import type { FileState } from '../../../core/fileChanges/records';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';
import { registerDocuments } from '../../documents/ownDocuments';
import { versionScheme } from '../../../application/shared/changeCommandIds';
import { displayText } from '../files/fileTexts';
import type { PendingFiles } from '../session/pendingFiles';
import type { SessionChanges } from '../session/sessionChanges';

interface Query {
  readonly session: string;
  /** Real. */
  readonly path: string;
  /** The hash of the bytes; absent when there was no file. */
  readonly hash?: string;
  /** The text that the agent believes to be there. */
  readonly believed?: true;
  /** The file and the turn that a diff of a turn's changes is about. Not read here. */
  readonly of?: { readonly path: string; readonly turnId: string };
  /** One change that was undone: the file as the agent had left it there, or without the change. */
  readonly hunk?: { readonly hunkId: number; readonly side: 'agent' | 'undone' };
  /** A text that an agent's write may have removed, by the entry of the request or the notice. */
  readonly saved?: { readonly entryId: string; readonly side: SavedSide };
}

/** The text before the change was saved, the saved text, or that of a file that does not exist. */
type SavedSide = 'base' | 'saved' | 'none';

export class VersionDocuments implements Disposable {
  private readonly store = new DisposableStore();

  constructor(private readonly changes: Pick<PendingFiles, 'get'>) {
    this.store.add(registerDocuments(versionScheme, { provideTextDocumentContent: (uri) => this.textOf(uri) }));
  }

  /** Returns the URI of a state; undefined when its bytes are not stored. */
  async uriOf(changes: SessionChanges, path: string, state: FileState, of?: Query['of']): Promise<vscode.Uri | undefined> {
    const query = { session: changes.key, path, ...(of && { of }) };
    if (state.kind === 'none') {
      return addressOf(changes, query);
    }
    const isKept = state.kind === 'file' && (await changes.store.has(state.hash));
    return isKept ? addressOf(changes, { ...query, hash: state.hash }) : undefined;
  }

  believedUriOf(changes: SessionChanges, path: string): vscode.Uri {
    return addressOf(changes, { session: changes.key, path, believed: true });
  }

  hunkUriOf(changes: SessionChanges, path: string, hunkId: number, side: 'agent' | 'undone'): vscode.Uri {
    return addressOf(changes, { session: changes.key, path, hunk: { hunkId, side } });
  }

  savedUriOf(changes: SessionChanges, path: string, entryId: string, side: SavedSide): vscode.Uri {
    return addressOf(changes, { session: changes.key, path, saved: { entryId, side } });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async textOf(uri: vscode.Uri): Promise<string> {
    const { session, path, hash, believed, hunk, saved } = JSON.parse(uri.query) as Query;
    const changes = this.changes.get(session);
    if (believed) {
      return changes?.report.believed(path) ?? '';
    }
    if (hunk) {
      return undoneText(changes?.review?.file(path)?.hunks, hunk);
    }
    if (saved) {
      const change = changes?.overwrites.changesOf(saved.entryId).find((each) => each.path === path);
      return change && saved.side !== 'none' ? change[saved.side] : '';
    }
    const bytes = hash === undefined ? undefined : await changes?.store.get(hash);
    return (bytes && (await displayText(path, bytes))) ?? '';
  }
}

/** The present text with the agent's version of one change, or without it. */
function undoneText(live: LiveHunks | undefined, { hunkId, side }: NonNullable<Query['hunk']>): string {
  const hunk = live?.setAside.find((each) => each.hunkId === hunkId);
  return live && hunk ? applyEdit(live.text, { ...hunk, text: side === 'agent' ? (hunk.agentText ?? hunk.newText) : hunk.oldText }) : '';
}

function addressOf(changes: SessionChanges, query: Query): vscode.Uri {
  return changes.uriOf(query.path).with({ scheme: versionScheme, authority: '', query: JSON.stringify(query) });
}
