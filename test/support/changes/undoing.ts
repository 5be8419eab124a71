/** A session's review, report and undo over a real folder, with an editor that holds the documents that a test opens. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { applyEdit, type TextEdit } from '../../../src/core/fileChanges/hunks';
import { diskFiles } from '../../../src/changes/disk/diskFiles';
import { FileTransaction } from '../../../src/changes/fileTransaction';
import { batchedGitReader } from '../../../src/changes/disk/gitReader';
import { ChangeReport } from '../../../src/changes/review/changeReport';
import { Review } from '../../../src/changes/review/review';
import { DEFAULT_CHANGE_LIMITS, FileStates } from '../../../src/changes/turns/fileStates';
import { decodeUtf8, encodeUtf8 } from '../../../src/changes/undo/editorText';
import { Undo, type UndoResult } from '../../../src/changes/undo/undo';
import type { UndoOptions } from '../../../src/changes/undo/undoWrites';
import type { EditorFile, UndoEditor } from '../../../src/changes/undo/undoDependencies';
import { RootCheck } from '../../../src/util/roots';
import { systemClock } from '../../../src/util/clock';
import { playTurn, run, type Workspace, type WorkspaceSession } from './workspace';

interface Document {
  text: string;
  dirty: boolean;
}

/** Documents by real path. A clean one is read again on access, as VS Code does after a change on disk. */
export class FakeEditor implements UndoEditor {
  readonly documents = new Map<string, Document>();
  readonly unsavedOther = new Set<string>();
  /** Documents that cannot be saved. */
  readonly readOnly = new Set<string>();
  review: Review | undefined;

  open(path: string, text = readFileSync(path, 'utf8')): Document {
    const document = { text, dirty: false };
    this.documents.set(path, document);
    return document;
  }

  async look(path: string): Promise<EditorFile> {
    const document = this.documents.get(path);
    if (this.unsavedOther.has(path)) {
      return { state: 'unsavedOther' };
    }
    if (document && !document.dirty && existsSync(path)) {
      document.text = decodeUtf8(readFileSync(path)) ?? document.text;
    }
    return document ? { state: document.dirty ? 'unsaved' : 'clean', text: document.text } : { state: 'closed' };
  }

  async edit(path: string, expected: string, edits: readonly TextEdit[], save: boolean): Promise<boolean | 'not_saved'> {
    const document = this.documents.get(path) ?? this.open(path);
    if (document.text !== expected) {
      return false;
    }
    // A document has one kind of line ending, and inserted text takes it.
    const lineEnd = document.text.includes('\r\n') ? '\r\n' : '\n';
    document.text = edits.reduce(applyEdit, document.text).replace(/\r?\n/g, lineEnd);
    this.review?.documentIs(path, document.text, edits, { type: 'user' });
    if (save && this.readOnly.has(path)) {
      document.dirty = true;
      return 'not_saved';
    }
    if (save) {
      writeFileSync(path, document.text);
      document.dirty = false;
    }
    return true;
  }

  async rename(): Promise<boolean> {
    return false;
  }

  writing(): () => void {
    return () => undefined;
  }

  async reloaded(): Promise<void> {
    await Promise.resolve();
  }
}

export interface Undoing {
  readonly review: Review;
  readonly report: ChangeReport;
  readonly editor: FakeEditor;
  readonly undo: Undo;
  readonly store: WorkspaceSession['store'];
  readonly log: WorkspaceSession['log'];
  /** Paths that were reported as written by the user. */
  readonly written: string[];
  /** Plays a turn and puts its changes into the review. */
  turn(act: () => void | Promise<void>): Promise<void>;
  /** Plans and performs the undo of these files, or of all. */
  undoFiles(names?: readonly string[], options?: UndoOptions & { readonly force?: boolean }): Promise<UndoResult>;
  dispose(): void;
}

export function undoing(workspace: Workspace, session: WorkspaceSession, isWorking = (): boolean => false): Undoing {
  const states = new FileStates(diskFiles, session.store, DEFAULT_CHANGE_LIMITS, Date.now);
  const check = new RootCheck({ cwd: workspace.folder, additionalDirectories: [] });
  const resolve = (file: string): Promise<string | undefined> => check.resolve(file).catch(() => undefined);
  session.store.useGit(batchedGitReader(run));
  const editor = new FakeEditor();
  const text = async (file: string): Promise<string | undefined> => {
    const bytes = await diskFiles.read(file, DEFAULT_CHANGE_LIMITS.fileBytes);
    return bytes && decodeUtf8(bytes);
  };
  const review = new Review({
    store: session.store,
    folder: session.storeFolder,
    clock: systemClock,
    text,
    isMissing: async (file) => (await diskFiles.stat(file)) === undefined,
    decode: async (_, bytes) => decodeUtf8(bytes),
  });
  editor.review = review;
  const report = new ChangeReport({
    sessionKey: 'session',
    folder: session.storeFolder,
    clock: systemClock,
    review,
    nameOf: (file) => file,
    access: { maySend: () => true, refresh: () => undefined, onDidChange: () => ({ dispose: () => undefined }) },
    wasSent: () => false,
  });
  const written: string[] = [];
  const undo = new Undo({
    review,
    report,
    states,
    store: session.store,
    writer: new FileTransaction({
      states,
      log: session.log,
      contains: async (file) => (await resolve(file)) === file,
      now: Date.now,
      mintId: () => randomUUID(),
      unrecordedTurn: () => session.recorder.unrecordedTurn,
    }),
    editor,
    codec: { decode: async (_, bytes) => decodeUtf8(bytes), encode: async (_, content, like) => encodeUtf8(content, like) },
    clock: systemClock,
    resolve,
    records: () => session.log.records(),
    nameOf: (file) => file,
    isWorking,
    onWritten: (paths) => written.push(...paths),
  });
  let turns = 0;
  return {
    review,
    report,
    editor,
    undo,
    store: session.store,
    log: session.log,
    written,
    turn: async (act) => {
      const { turnId, files } = await playTurn(session, `turn-${++turns}`, act);
      report.written(files.map((file) => file.path));
      await Promise.all(files.map(({ before }) => (before.kind === 'file' ? session.store.get(before.hash) : undefined)));
      await review.recorded(turnId, files);
      await delay(15);
    },
    undoFiles: async (names, { force = false, ...options } = {}) => {
      const files = review.files.filter((file) => names?.some((name) => workspace.at(name) === file.path) ?? true);
      const plans = await undo.plan(files.map((file) => ({ file })));
      return undo.perform(force ? plans.map((plan) => ({ ...plan, force: true as const })) : plans, options);
    },
    dispose: () => {
      review.dispose();
      report.dispose();
    },
  };
}
