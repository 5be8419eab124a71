/** Goes back to how files stood before a message, and forward again. Loaded with the first of these commands. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RestoreFile, RestorePlan } from '../../changes/restore';
import { sameState } from '../../core/fileChanges/records';
import { inert, type InertText, visible } from '../shared/escape';
import { t } from '../shared/l10n';
import { relativeTime } from '../shared/relativeTime';
import type { UserActivity } from '../shared/userActivity';
import { type Item, window } from '../shared/window';
import type { SessionChanges } from './sessionChanges';
import { turnTitle } from './turnTitles';

interface CheckpointRow extends Item {
  readonly turnId: string;
}

interface FileRow extends Item {
  readonly file: RestoreFile;
}

export interface RestoreDependencies {
  readonly activity: UserActivity;
  /** The conversation in front. */
  active(): SessionChanges | undefined;
  /** The open document of a file, by its real path. */
  documentOf(real: string): vscode.TextDocument | undefined;
  now(): number;
}

const MAX_NAME = 120;

export class RestoreCommands {
  constructor(private readonly ports: RestoreDependencies) {}

  async restoreCheckpoint(): Promise<void> {
    const changes = this.idle();
    if (!changes) {
      return;
    }
    const turnId = await this.chooseCheckpoint(changes);
    const plan = turnId === undefined ? undefined : await changes.restore!.toCheckpoint(turnId);
    await (plan && this.perform(changes, plan, t('Select the files to restore to how they were before the message')));
  }

  /** Takes back the last restore. */
  async undoRestore(): Promise<void> {
    const changes = this.idle();
    const restoreId = await changes?.restore?.lastRestoreId();
    const plan = restoreId === undefined ? undefined : await changes!.restore!.undoing(restoreId);
    if (changes && !plan) {
      void window.showInformationMessage(t('Nothing was restored in this session.'));
    }
    await (plan && this.perform(changes!, plan, t('Select the files to put back to how they were before the restore')));
  }

  /** Says why where nothing can be restored. */
  private idle(): SessionChanges | undefined {
    const changes = this.ports.active();
    if (!changes?.restore) {
      void window.showInformationMessage(t('There are no checkpoints: open a session in which the agent has worked.'));
      return undefined;
    }
    if (changes.turnId !== undefined) {
      void window.showInformationMessage(t('The agent is working. Wait until it is done, or stop it first.'));
      return undefined;
    }
    return changes;
  }

  private async chooseCheckpoint({ restore, session }: SessionChanges): Promise<string | undefined> {
    const checkpoints = await restore!.checkpoints();
    const rows = [...checkpoints].reverse().map(({ turnId, at }): CheckpointRow => {
      return {
        turnId,
        label: turnTitle(session, turnId),
        description: inert(relativeTime(at, this.ports.now(), vscode.env.language)),
      };
    });
    const placeHolder = t('Select the message before which the files were as you want them');
    return (await this.ports.activity.during(() => window.showQuickPick(rows, { placeHolder })))?.turnId;
  }

  /** Shows what will change first; what somebody has changed since is named, and left out unless it is chosen. */
  private async perform(changes: SessionChanges, plan: RestorePlan, title: InertText): Promise<void> {
    // What is not saved yet is as much the user's.
    const files = plan.files.map((file) => ({
      ...file,
      changedSince: file.changedSince || this.ports.documentOf(file.path)?.isDirty === true,
    }));
    const lost = files.filter(({ action }) => action === 'unavailable').length;
    const rows = files.filter(({ action }) => action !== 'none' && action !== 'unavailable').map((file) => rowOf(changes, file));
    if (rows.length === 0) {
      void window.showInformationMessage(
        lost === 0 ? t('The files are already as they were.') : t('{count} files have no earlier version that was kept.', { count: lost }),
      );
      return;
    }
    const placeHolder =
      lost === 0
        ? t('Files that were changed since are restored only if you select them')
        : t('{count} more files have no earlier version that was kept, and stay as they are', { count: lost });
    const chosen = await this.ports.activity.during(() =>
      window.showQuickPick(rows, { canPickMany: true, title, placeHolder, ignoreFocusOut: true }),
    );
    if (!chosen || chosen.length === 0) {
      return;
    }
    const wanted = chosen.map(({ file }) => file);
    const dirty = wanted.flatMap(({ path: real }) => this.ports.documentOf(real) ?? []).filter(({ isDirty }) => isDirty);
    // The present text is kept by the restore from the disk.
    await Promise.all(dirty.map((document) => document.save()));
    const current = dirty.length === 0 ? wanted : await this.again(changes, wanted);
    const { restored, left } = await changes.restore!.perform(
      { ...plan, files: current },
      current.map(({ path: real }) => real),
    );
    for (const real of restored) {
      await tellReview(changes, wanted.find((file) => file.path === real)!);
    }
    await this.say(restored.length, left.length);
  }

  /** What the files are now, once what was not saved is. */
  private again(changes: SessionChanges, wanted: readonly RestoreFile[]): Promise<readonly RestoreFile[]> {
    return Promise.all(wanted.map(async (file) => ({ ...file, now: await changes.restore!.stateOf(file.path) })));
  }

  private async say(restored: number, left: number): Promise<void> {
    const undo = t('Undo Restore');
    const message =
      left === 0
        ? t('Restored files: {count}.', { count: restored })
        : t('Restored files: {count}. Not restored, because they were changed meanwhile or could not be written: {left}.', {
            count: restored,
            left,
          });
    const choice = await (restored > 0 ? window.showInformationMessage(message, undo) : window.showWarningMessage(message));
    if (choice === undo) {
      await this.undoRestore();
    }
  }
}

function rowOf({ roots }: SessionChanges, file: RestoreFile): FileRow {
  const root = roots.find((each) => file.path.startsWith(each + path.sep));
  const folder = path.dirname(root === undefined ? file.path : path.relative(root, file.path));
  const actions = { write: t('Change'), create: t('Create'), delete: t('Delete'), none: t('Change'), unavailable: t('Change') };
  const action = actions[file.action];
  return {
    file,
    label: visible(path.basename(file.path), MAX_NAME),
    description: folder === '.' ? action : t('{action} in {folder}', { action, folder: visible(folder, MAX_NAME) }),
    ...(file.changedSince && { detail: t('Changed since by you or another program') }),
    picked: !file.changedSince,
  };
}

async function tellReview({ review }: SessionChanges, { path: real, to }: RestoreFile): Promise<void> {
  const file = review?.file(real);
  if (!file) {
    return;
  }
  if (file.hunks && to.kind === 'file') {
    await review!.fileChanged(real);
  } else if (sameState(file.before, to)) {
    review!.drop(real);
  }
}
