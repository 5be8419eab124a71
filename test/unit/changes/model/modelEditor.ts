/** The editor as undos use it, over the fake documents. */
import { mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TextEdit } from '../../../../src/core/fileChanges/hunks';
import type { EditorFile, UndoEditor } from '../../../../src/changes/undo/undoDependencies';
import type { Documents } from './documents';
import { statsOf } from './fileSteps';

export class ModelEditor implements UndoEditor {
  /** Paths that an undo writes. Their reloads are the user's changes. */
  readonly written = new Set<string>();

  constructor(private readonly documents: Documents) {}

  async look(path: string): Promise<EditorFile> {
    const document = this.documents.get(path);
    return document ? { state: document.isDirty ? 'unsaved' : 'clean', text: document.text } : { state: 'closed' };
  }

  async edit(path: string, expected: string, edits: readonly TextEdit[], save: boolean): Promise<boolean | 'not_saved'> {
    const document = this.documents.open(path);
    if (document?.text !== expected) {
      return false;
    }
    this.documents.edit(document, edits);
    return !save || this.documents.save(document) || 'not_saved';
  }

  async rename(from: string, to: string): Promise<boolean> {
    if (statsOf(to) || !statsOf(from)) {
      return false;
    }
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    this.documents.moved(from, to);
    return true;
  }

  writing(paths: readonly string[]): () => void {
    paths.forEach((path) => this.written.add(path));
    return () => paths.forEach((path) => this.written.delete(path));
  }

  async reloaded(): Promise<void> {
    this.documents.reload();
    await Promise.resolve();
  }
}
