/**
 * Conversations as read-only text documents: what a screen reader, or anybody, can read line by line in an editor. VS Code's own accessible view
 * is not open to panels of extensions.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../core/ports';
import { titleOf } from '../core/select';
import type { SessionState } from '../core/state';
import { transcriptParts } from '../core/transcriptParts';
import type { Session } from '../session/session';
import { DisposableStore } from '../util/disposable';
import { visible } from './escape';
import { helpText } from './helpDocument';
import { t } from './l10n';
import { transcriptWords } from './transcriptWords';

const SCHEME = 'acp-host-transcript';
/** UTF-16 units of a document; of a longer conversation the beginning is left out. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** UTF-16 units that are made before everybody else gets their turn. */
const PORTION = 256 * 1024;
/** ms between the end of what happened and the new text. */
const REFRESH_MS = 300;
/** ms that VS Code gets to take over the new text. */
const TAKE_MS = 1000;

interface Transcript {
  readonly session: Session;
  readonly uri: vscode.Uri;
  readonly subscription: Disposable;
  timer?: NodeJS.Timeout | undefined;
  /** What the text was made of, and where each entry begins in it: lines, from 0. */
  made?: { readonly state: SessionState; readonly lines: ReadonlyMap<string, number> };
}

export class TranscriptDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly open = new Map<string, Transcript>();
  private readonly help = vscode.Uri.from({ scheme: SCHEME, path: `/${t('Accessibility help')}.md`, query: 'help' });

  constructor() {
    this.store.add(this.changed);
    this.store.add(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, { onDidChange: this.changed.event, provideTextDocumentContent: (uri) => this.textOf(uri) }),
    );
    this.store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.close(uri.toString())));
  }

  /** Shows the conversation with the cursor at `entryId`, or at its end. */
  async show(session: Session, entryId: string | undefined): Promise<void> {
    const transcript = this.transcriptOf(session);
    const document = await vscode.workspace.openTextDocument(transcript.uri);
    if (transcript.made && transcript.made.state !== session.store.state) {
      await this.refreshed(transcript);
    }
    const line = (entryId === undefined ? undefined : transcript.made?.lines.get(entryId)) ?? Math.max(0, document.lineCount - 1);
    await show(document, line);
  }

  async showHelp(): Promise<void> {
    await show(await vscode.workspace.openTextDocument(this.help), 0);
  }

  dispose(): void {
    for (const key of [...this.open.keys()]) {
      this.close(key);
    }
    this.store.dispose();
  }

  private transcriptOf(session: Session): Transcript {
    const known = [...this.open.values()].find((each) => each.session === session);
    if (known) {
      return known;
    }
    // The path gives the document its name and its language, the query makes it this session's.
    const name = visible(titleOf(session.store.state), 60).replace(/[\\/?#%]+/g, ' ').trim() || session.key;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md`, query: session.key });
    const transcript: Transcript = {
      session,
      uri,
      // While a turn runs its end is soon enough: nobody can read in what changes all the time.
      subscription: session.store.onEvents(() => session.store.state.turn === undefined && this.refreshSoon(transcript)),
    };
    this.open.set(uri.toString(), transcript);
    return transcript;
  }

  private refreshSoon(transcript: Transcript): void {
    transcript.timer ??= setTimeout(() => {
      transcript.timer = undefined;
      this.changed.fire(transcript.uri);
    }, REFRESH_MS);
  }

  /** The document has the text of now. */
  private async refreshed(transcript: Transcript): Promise<void> {
    const uri = transcript.uri.toString();
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(late);
        watch.dispose();
        resolve();
      };
      const late = setTimeout(done, TAKE_MS);
      const watch = vscode.workspace.onDidChangeTextDocument(({ document }) => document.uri.toString() === uri && done());
      this.changed.fire(transcript.uri);
    });
  }

  private async textOf(uri: vscode.Uri): Promise<string> {
    if (uri.toString() === this.help.toString()) {
      return helpText(t);
    }
    const transcript = this.open.get(uri.toString());
    if (!transcript) {
      return t('This conversation is no longer open.');
    }
    const { state } = transcript.session.store;
    const { text, lines } = await documentOf(state);
    transcript.made = { state, lines };
    return text;
  }

  private close(uri: string): void {
    const transcript = this.open.get(uri);
    if (transcript) {
      this.open.delete(uri);
      clearTimeout(transcript.timer);
      transcript.subscription.dispose();
    }
  }
}

async function documentOf(state: SessionState): Promise<{ text: string; lines: ReadonlyMap<string, number> }> {
  const parts: { entryId?: string; text: string }[] = [];
  let length = 0;
  let sinceRest = 0;
  let first = 0;
  for (const part of transcriptParts(state, transcriptWords(state.agentName, t))) {
    parts.push(part);
    length += part.text.length + 2;
    sinceRest += part.text.length + 64;
    while (length > MAX_LENGTH && first < parts.length - 1) {
      length -= parts[first]!.text.length + 2;
      first++;
    }
    if (sinceRest > PORTION) {
      sinceRest = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const kept = parts.slice(first);
  if (first > 0) {
    kept.unshift({ text: t('(The beginning of this conversation is left out.)') });
  }
  const lines = new Map<string, number>();
  let line = 0;
  for (const { entryId, text } of kept) {
    if (entryId !== undefined) {
      lines.set(entryId, line);
    }
    line += lineBreaks(text) + 2;
  }
  return { text: kept.map(({ text }) => text).join('\n\n') + '\n', lines };
}

/** As an editor counts them. */
function lineBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

async function show(document: vscode.TextDocument, line: number): Promise<void> {
  const place = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Active, preview: true, selection: place });
}
