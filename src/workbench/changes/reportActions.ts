/** The user's actions on the report of their changes and on undone changes: open, apply again, leave out of the report. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { LeftReason } from '../../changes/undo/undoPlan';
import type { SetAsideHunk } from '../../core/fileChanges/hunks';
import { editorColumn } from '../window/columns';
import { inert, type InertText, own, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { loadTitles, titleOf } from '../../application/shared/sessionTitle';
import type { UserActivity } from '../shared/userActivity';
import { type Button, type Item, openDiff, window } from '../shared/window';
import type { SessionChanges } from './session/sessionChanges';
import { leftMessage } from '../../application/changes/text/undoMessages';
import type { VersionDocuments } from './versions/versionDocuments';

export interface ReportActionDependencies {
  readonly activity: UserActivity;
  readonly versions: VersionDocuments;
}

interface UndoneRow extends Item {
  readonly changes: SessionChanges;
  readonly path: string;
  readonly hunk: SetAsideHunk;
}

const MAX_LINE = 80;

export class ReportActions {
  constructor(private readonly deps: ReportActionDependencies) {}

  /** Opens the difference between the agent's version and the present one. @param name as the report has it; absent: all files */
  async open(changes: SessionChanges, name: string | undefined): Promise<void> {
    for (const real of namedIn(changes, name)) {
      await this.openFile(changes, real);
    }
  }

  remove(changes: SessionChanges, name: string | undefined): void {
    namedIn(changes, name).forEach((real) => changes.report.dismiss(real));
  }

  /** Applies the undone changes of the report again, and names those that no longer fit. */
  async apply(changes: SessionChanges, name: string | undefined): Promise<void> {
    const waiting: string[] = [];
    for (const real of namedIn(changes, name)) {
      const note = changes.report.noteOf(real);
      if (note?.whole !== 'undone') {
        await applyHunks(changes, real, changes.report.undoneOf(real));
      } else if ((await this.applyFile(changes, real)) === 'moved') {
        waiting.push(real);
      }
    }
    for (const real of waiting) {
      // The file that gets this content may come later in the report.
      if ((await this.applyFile(changes, real)) === 'moved') {
        const file = path.basename(real);
        void window.showWarningMessage(t("Can't apply the changes again: {file} has the only copy of another file.", { file }));
      }
    }
  }

  /** One of all that the user has undone and that is still known. */
  async chooseUndone(sessions: readonly SessionChanges[]): Promise<void> {
    await loadTitles();
    const rows = sessions.flatMap((changes) => undoneRows(changes));
    if (rows.length === 0) {
      void window.showInformationMessage(t('No undone changes.'));
      return;
    }
    const row = await this.deps.activity.during(() => this.pick(rows));
    if (row) {
      await applyHunks(row.changes, row.path, [row.hunk.hunkId]);
    }
  }

  /** A row's button shows the change, and the list stays. */
  private pick(rows: readonly UndoneRow[]): Promise<UndoneRow | undefined> {
    const pick = window.createQuickPick<UndoneRow>();
    pick.items = rows;
    pick.placeholder = t('Select the change to apply again');
    pick.matchOnDescription = true;
    pick.ignoreFocusOut = true;
    return new Promise((resolve) => {
      pick.onDidTriggerItemButton(({ item }) => void this.openHunk(item));
      pick.onDidAccept(() => {
        resolve(pick.selectedItems[0]);
        pick.dispose();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  }

  private async openHunk({ changes, path: real, hunk }: UndoneRow): Promise<void> {
    const { versions } = this.deps;
    await openDiff(
      versions.hunkUriOf(changes, real, hunk.hunkId, 'agent'),
      versions.hunkUriOf(changes, real, hunk.hunkId, 'undone'),
      t('{file} (Undone Change)', { file: path.basename(real) }),
      { preview: true, preserveFocus: true, viewColumn: editorColumn() },
    );
  }

  private async openFile(changes: SessionChanges, real: string): Promise<void> {
    const { versions } = this.deps;
    const note = changes.report.noteOf(real);
    const uri = changes.uriOf(real);
    const before = note ? await versions.uriOf(changes, real, note.believed) : versions.believedUriOf(changes, real);
    if (!before) {
      await vscode.commands.executeCommand('vscode.open', uri, { preview: true, viewColumn: editorColumn() });
      return;
    }
    const after = note?.actual.kind === 'none' ? (await versions.uriOf(changes, real, note.actual))! : uri;
    const title = t("{file} (Agent's Version and Yours)", { file: path.basename(real) });
    await openDiff(before, after, title, { preview: true, viewColumn: editorColumn() });
  }

  /** Restores the agent's version of a file that was undone as a whole, unless it has changed since. The caller shows the reason `moved`. */
  private async applyFile(changes: SessionChanges, real: string): Promise<LeftReason | undefined> {
    const reason = await changes.undo?.applyAgain(changes.report.noteOf(real)!);
    if (reason === 'changed_since' || reason === 'not_stored') {
      void window.showWarningMessage(t("Can't apply the changes again: {file} has changed since.", { file: path.basename(real) }));
    } else if (reason && reason !== 'moved') {
      void window.showWarningMessage(leftMessage({ path: real, reason }, t));
    }
    return reason;
  }
}

/** The real paths of a report's file, or of all of them. */
function namedIn(changes: SessionChanges, name: string | undefined): readonly string[] {
  return changes.report.paths.filter((real) => name === undefined || changes.uriOf(real).fsPath === name);
}

/** Applies hunks as ordinary edits, which the editor can undo. */
async function applyHunks(changes: SessionChanges, real: string, hunkIds: readonly number[]): Promise<void> {
  const live = changes.review?.file(real)?.hunks;
  const file = path.basename(real);
  const fitting = hunkIds.filter((hunkId) => live?.reapplyEdit(hunkId));
  if (fitting.length < hunkIds.length) {
    const left = hunkIds.length - fitting.length;
    void window.showWarningMessage(
      left === 1
        ? t("Can't apply a change again: its place in {file} has changed since.", { file })
        : t("Can't apply {count} changes again: their places in {file} have changed since.", { count: left, file }),
    );
  }
  if (fitting.length > 0) {
    // From the last on, so that none moves another.
    const reason = await changes.undo?.editText(real, () =>
      fitting.flatMap((hunkId) => live?.reapplyEdit(hunkId) ?? []).sort((one, other) => other.start - one.start),
    );
    if (reason) {
      void window.showWarningMessage(leftMessage({ path: real, reason }, t));
    }
  }
}

function undoneRows(changes: SessionChanges): readonly UndoneRow[] {
  const session = inertLine(titleOf(changes.session.store.state), MAX_LINE);
  const buttons: readonly Button[] = [{ iconPath: new vscode.ThemeIcon('git-compare'), tooltip: t('Open Diff') }];
  return (changes.review?.files ?? []).flatMap((file) =>
    (file.hunks?.setAside ?? [])
      .filter(({ status }) => status === 'undone')
      .map((hunk): UndoneRow => {
        const { first } = file.hunks!.linesOf(hunk);
        const line = t('line {line}', { line: first + 1 });
        return {
          changes,
          path: file.path,
          hunk,
          label: fileLabel(file.path, line),
          description: session,
          detail: firstLine(hunk),
          buttons,
        };
      }),
  );
}

function fileLabel(file: string, line: InertText): InertText {
  return t('{file}, {line}', { file: path.basename(file), line });
}

/** The first line that the agent wrote, or removed. */
function firstLine({ newText, oldText }: SetAsideHunk): InertText {
  const [text, sign] = newText.trim() === '' ? [oldText, '−'] : [newText, '+'];
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return line === '' ? own('') : inert(`${sign} ${line.trim()}`, MAX_LINE);
}
