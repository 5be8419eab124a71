/** Where changes that wait are seen: a source control with a group for each session, the gutter of editors, code lenses. Loaded with the first of them. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Clock, Disposable } from '../../core/model/ports';
import { DisposableStore } from '../../util/disposable';
import { changeCommands, changesProvider } from './changeCommandIds';
import { ContextKey } from '../shared/contextKey';
import { visible } from '../shared/escape';
import { contextKeys } from '../shared/ids';
import { t } from '../shared/l10n';
import { loadTitles, titleOf } from '../shared/sessionTitle';
import { createSourceControl, type Lens, registerLenses, type SourceControl, type SourceControlGroup } from './sourceControl';
import { BaselineDocuments } from './baselineDocuments';
import type { PendingFile, PendingFiles } from './pendingFiles';

/** A row of the source control. */
export interface ChangeRow extends vscode.SourceControlResourceState {
  readonly sessionKey: string;
  /** Real. */
  readonly path: string;
}

/** ms after a change until it is drawn: typing changes what waits with every key. */
const DRAW_MS = 100;
const MAX_TITLE = 60;

export class ReviewSurfaces implements Disposable {
  readonly baselines: BaselineDocuments;
  private readonly store = new DisposableStore();
  private readonly lensesChanged = this.store.add(new vscode.EventEmitter<void>());
  private readonly hasChanges = new ContextKey(contextKeys.hasChanges);
  private readonly editorHasChanges = new ContextKey(contextKeys.editorHasChanges);
  private control: SourceControl | undefined;
  private readonly groups = new Map<string, SourceControlGroup>();
  private drawing: Disposable | undefined;

  constructor(
    private readonly changes: PendingFiles,
    private readonly clock: Clock,
  ) {
    const { store } = this;
    this.baselines = store.add(new BaselineDocuments(changes));
    store.add(registerLenses({ scheme: 'file' }, this.lensesChanged.event, (document) => this.lensesOf(document)));
    store.add(changes.onDidChange(() => this.later()));
    store.add(vscode.window.onDidChangeActiveTextEditor(() => this.updateKeys()));
    void loadTitles().then(() => this.later());
    this.draw();
  }

  dispose(): void {
    this.drawing?.dispose();
    this.hasChanges.set(false);
    this.editorHasChanges.set(false);
    this.removeControl();
    this.store.dispose();
  }

  private later(): void {
    this.drawing ??= this.clock.after(DRAW_MS, () => {
      this.drawing = undefined;
      this.draw();
    });
  }

  private draw(): void {
    const { pending } = this.changes;
    this.updateKeys();
    if (pending.length > 0) {
      this.drawGroups(pending);
    } else {
      this.removeControl();
    }
    this.lensesChanged.fire();
    void this.baselines.refresh();
  }

  private updateKeys(): void {
    const document = vscode.window.activeTextEditor?.document;
    this.hasChanges.set(this.changes.pending.length > 0);
    this.editorHasChanges.set(document !== undefined && this.changes.pendingAt(document.uri).length > 0);
  }

  private drawGroups(pending: readonly PendingFile[]): void {
    const control = (this.control ??= this.makeControl());
    const keys = new Set(pending.map(({ changes }) => changes.key));
    for (const [key, group] of this.groups) {
      if (!keys.has(key)) {
        group.dispose();
        this.groups.delete(key);
      }
    }
    for (const key of keys) {
      const files = pending.filter(({ changes }) => changes.key === key);
      const label = visible(titleOf(files[0]!.changes.session.store.state), MAX_TITLE);
      const group = this.groups.get(key) ?? control.createResourceGroup(key, label);
      this.groups.set(key, group);
      group.label = label;
      group.resourceStates = files.map((each) => this.rowOf(each));
    }
    control.count = pending.length;
  }

  private makeControl(): SourceControl {
    const control = createSourceControl(changesProvider, t('ACP Changes'));
    control.inputBox.visible = false;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) => {
        const [pending] = this.changes.pendingAt(uri).filter(({ file }) => file.hunks);
        return pending && this.baselines.uriOf(pending);
      },
    };
    return control;
  }

  private removeControl(): void {
    this.groups.forEach((group) => group.dispose());
    this.groups.clear();
    this.control?.dispose();
    this.control = undefined;
  }

  private rowOf({ changes, file }: PendingFile): ChangeRow {
    const name = path.basename(file.path);
    const tooltip = file.isDeleted
      ? t('{file} was deleted', { file: name })
      : file.before.kind === 'none'
        ? t('{file} was created', { file: name })
        : file.before.kind === 'unknown'
          ? t('{file} was changed; no earlier version was kept', { file: name })
          : file.oldPath !== undefined
            ? t('{file} was moved from {oldFile}', { file: name, oldFile: path.basename(file.oldPath) })
            : t('{file} was changed', { file: name });
    const row = {
      resourceUri: changes.uriOf(file.path),
      sessionKey: changes.key,
      path: file.path,
      contextValue: file.before.kind === 'unknown' && !file.hunks ? 'unknown' : 'file',
      decorations: { strikeThrough: file.isDeleted, tooltip },
    };
    // VS Code shows it as it is; its argument is the row.
    return { ...row, command: { command: changeCommands.openFileChanges, title: t('Open Changes'), arguments: [row] } };
  }

  private lensesOf(document: vscode.TextDocument): readonly Lens[] {
    return this.changes.pendingAt(document.uri).flatMap(({ changes, file }) =>
      (file.hunks?.hunks ?? []).flatMap((hunk): Lens[] => {
        const line = Math.min(file.hunks!.linesOf(hunk).first, document.lineCount - 1);
        const range = new vscode.Range(line, 0, line, 0);
        const args = [{ sessionKey: changes.key, path: file.path, hunkId: hunk.hunkId }];
        return [
          { range, title: t('Keep'), command: changeCommands.keepChange, args },
          { range, title: t('Undo'), command: changeCommands.undoChange, args },
        ];
      }),
    );
  }
}
