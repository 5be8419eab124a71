/**
 * Conversations as read-only text documents, which can be read line by line in an editor, for example with a screen reader. VS Code does not open
 * its own accessible view to panels of extensions.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { isBusy } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import { transcriptSections } from '../../text/transcript/sections';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../util/disposable';
import { inertLine } from '../../application/shared/escape';
import { helpText } from '../../application/export/helpDocument';
import { documentSchemes } from '../../application/shared/ids';
import { t, verbatim } from '../shared/l10n';
import { onDidCloseDocument, registerDocuments } from '../documents/ownDocuments';
import { inTimeSlices } from '../../application/shared/timeSlice';
import { transcriptStrings } from '../../application/export/transcriptStrings';
import { withDelayedProgress } from '../shared/withProgress';
import { sessionTitle } from '../../text/transcript/sessionTitle';

/** The maximum number of UTF-16 units in a document. The beginning of a longer conversation is left out. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** The delay in ms between an event and the new text. */
const REFRESH_MS = 300;
/** The delay in ms while a turn runs, because a text that changes all the time cannot be read. */
const RUNNING_MS = 2000;
/** The delay is at least this many times the duration of the last update. */
const REST = 20;
/** The time in ms that VS Code gets to apply the new text. */
const TAKE_MS = 1000;

interface Made {
  readonly state: SessionState;
  readonly lines: ReadonlyMap<string, number>;
}

interface Transcript {
  readonly session: Session;
  readonly uri: vscode.Uri;
  readonly subscription: Disposable;
  timer?: NodeJS.Timeout | undefined;
  /** True when the timer was started while a turn ran. */
  isSlow: boolean;
  /** The state that the text shows, and the first line of each entry in it, counted from 0. */
  made?: Made;
  /** The text of {@link made}, until VS Code has read it. */
  text?: string | undefined;
  /** The duration of the last update in ms. */
  took: number;
}

export class TranscriptDocuments implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly open = new Map<string, Transcript>();
  private readonly help = vscode.Uri.from({ scheme: documentSchemes.transcript, path: `/${t('Accessibility help')}.md`, query: 'help' });

  constructor() {
    this.store.add(this.changed);
    this.store.add(
      registerDocuments(documentSchemes.transcript, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => this.textOf(uri),
      }),
    );
    this.store.add(onDidCloseDocument(({ uri }) => this.close(uri.toString())));
  }

  /** Shows the conversation with the cursor at `entryId`, or at its end. */
  async show(session: Session, entryId: string | undefined): Promise<void> {
    const transcript = this.transcriptOf(session);
    const { state } = session.store;
    if (
      transcript.made?.state !== state &&
      !(await withDelayedProgress(t('Opening the conversation as a document'), state.entries.length, (check) => make(transcript, check)))
    ) {
      if (!transcript.made) {
        this.close(transcript.uri.toString()); // The document was never opened.
      }
      return;
    }
    const document = await vscode.workspace.openTextDocument(transcript.uri);
    if (transcript.text !== undefined) {
      await this.refreshed(transcript); // The document was open with an older text.
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
    // The path determines the document's name and language; the query identifies its session.
    const name =
      inertLine(sessionTitle(session.store.state), 60)
        .replace(/[\\/?#%]+/g, ' ')
        .trim() || session.key;
    const uri = vscode.Uri.from({ scheme: documentSchemes.transcript, path: `/${name}.md`, query: session.key });
    const transcript: Transcript = {
      session,
      uri,
      took: 0,
      isSlow: false,
      subscription: session.store.onEvents(() => this.refreshSoon(transcript)),
    };
    this.open.set(uri.toString(), transcript);
    return transcript;
  }

  /** Schedules an update. While a turn runs, only a visible document is updated. The end of a turn always updates it. */
  private refreshSoon(transcript: Transcript): void {
    const isRunning = isBusy(transcript.session.store.state);
    if (transcript.timer && (isRunning || !transcript.isSlow)) {
      return;
    }
    clearTimeout(transcript.timer);
    const fire = (): void => {
      transcript.timer = undefined;
      if (!isBusy(transcript.session.store.state) || isSeen(transcript.uri)) {
        transcript.text = undefined;
        this.changed.fire(transcript.uri);
      }
    };
    transcript.isSlow = isRunning;
    transcript.timer = setTimeout(fire, Math.max(isRunning ? RUNNING_MS : REFRESH_MS, transcript.took * REST));
  }

  /** Resolves when the document has the current text. */
  private async refreshed(transcript: Transcript): Promise<void> {
    const uri = transcript.uri.toString();
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timeout);
        watch.dispose();
        resolve();
      };
      const timeout = setTimeout(done, TAKE_MS);
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
    if (transcript.text === undefined) {
      await make(transcript);
    }
    const { text = '' } = transcript;
    transcript.text = undefined;
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

/** @param check throws when the user has cancelled */
async function make(transcript: Transcript, check?: () => void): Promise<void> {
  const start = performance.now();
  const { state } = transcript.session.store;
  const { text, lines } = await documentOf(state, check);
  transcript.made = { state, lines };
  transcript.text = text;
  transcript.took = performance.now() - start;
}

function isSeen(uri: vscode.Uri): boolean {
  return vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());
}

async function documentOf(state: SessionState, check?: () => void): Promise<{ text: string; lines: ReadonlyMap<string, number> }> {
  const parts: { entryId?: string; text: string }[] = [];
  let length = 0;
  let first = 0;
  for await (const part of inTimeSlices(transcriptSections(state, transcriptStrings(state.agentName, verbatim)), check)) {
    parts.push(part);
    length += part.text.length + 2;
    while (length > MAX_LENGTH && first < parts.length - 1) {
      length -= parts[first]!.text.length + 2;
      parts[first++] = { text: '' }; // Frees the memory at once, because a conversation may be far longer than the limit.
    }
  }
  const kept = parts.slice(first);
  if (first > 0) {
    kept.unshift({ text: t('(The beginning of this conversation was omitted.)') });
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

/** Counts line breaks like an editor. */
function lineBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

async function show(document: vscode.TextDocument, line: number): Promise<void> {
  const place = new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Active, preview: true, selection: place });
}
