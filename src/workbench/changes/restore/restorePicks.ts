/** The questions before a restore: the message, the scope, and the files. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RestoreFile } from '../../../changes/restore';
import { editorColumn } from '../../chat/columns';
import { inert, type InertText, visible } from '../../shared/escape';
import { t } from '../../shared/l10n';
import { relativeTime } from '../../shared/relativeTime';
import type { UserActivity } from '../../shared/userActivity';
import { type Button, type Item, openDiff, window } from '../../shared/window';
import { lostMessage, nothingToRestore } from './restoreMessages';
import type { Unsaved } from './unsavedFiles';
import type { SessionChanges } from '../sessionChanges';
import { turnTitle } from '../turnTitles';
import type { VersionDocuments } from '../versionDocuments';

export type RestoreWhat = 'files' | 'conversation' | 'both';

interface CheckpointRow extends Item {
  readonly turnId: string;
}

interface WhatRow extends Item {
  readonly what: RestoreWhat;
}

/** A file with what is unsaved of it in the editor. */
export interface PickedFile extends RestoreFile {
  readonly unsaved?: Unsaved | undefined;
}

interface FileRow extends Item {
  readonly file: PickedFile;
}

const MAX_NAME = 120;

export class RestorePicks {
  constructor(
    private readonly activity: UserActivity,
    private readonly now: () => number,
    private readonly versions: VersionDocuments,
  ) {}

  /** The turn of the message that is chosen. */
  async checkpoint({ restore, session }: SessionChanges): Promise<string | undefined> {
    const checkpoints = await restore!.checkpoints();
    const rows = [...checkpoints].reverse().map(({ turnId, at }): CheckpointRow => {
      return {
        turnId,
        label: turnTitle(session, turnId),
        description: inert(relativeTime(at, this.now(), vscode.env.language)),
      };
    });
    if (rows.length === 0) {
      void window.showInformationMessage(t('There are no checkpoints in this session.'));
      return undefined;
    }
    const placeHolder = t('Select a message to restore to just before it was sent');
    return (await this.activity.during(() => window.showQuickPick(rows, { placeHolder })))?.turnId;
  }

  /** @param changed files that would change; undefined: files cannot be restored here. @param lost those of which no earlier version was kept */
  async what(changed: number | undefined, lost: number): Promise<RestoreWhat | undefined> {
    const conversation = t('Starts a new session with the messages before this one');
    const files =
      changed === undefined
        ? t('No checkpoint of the files')
        : changed === 0
          ? nothingToRestore(lost, t)
          : changed === 1
            ? t('1 file will change')
            : t('{count} files will change', { count: changed });
    const rows: WhatRow[] = [
      ...(changed ? [{ what: 'files' as const, label: t('Restore Files'), detail: files }] : []),
      { what: 'conversation', label: t('Restore Conversation'), detail: conversation, ...(!changed && { description: files }) },
      ...(changed
        ? [
            {
              what: 'both' as const,
              label: t('Restore Files and Conversation'),
              detail: t('{files}. {conversation}', { files, conversation }),
            },
          ]
        : []),
    ];
    const placeHolder = t('Select what to restore');
    return (await this.activity.during(() => window.showQuickPick(rows, { placeHolder, ignoreFocusOut: true })))?.what;
  }

  /** The files that the user selects; a row's button shows the difference, and the list stays open. Undefined: none. */
  files(changes: SessionChanges, files: readonly PickedFile[], title: InertText, lost: number): Promise<readonly PickedFile[] | undefined> {
    const rows = files.map((file) => rowOf(changes, file));
    const pick = window.createQuickPick<FileRow>();
    pick.title = title;
    pick.placeholder = lost === 0 ? t('Files that were changed since are restored only if you select them') : lostMessage(lost, t);
    pick.canSelectMany = true;
    pick.ignoreFocusOut = true;
    pick.items = rows;
    pick.selectedItems = rows.filter(({ picked }) => picked);
    return this.activity.during(
      () =>
        new Promise((resolve) => {
          pick.onDidTriggerItemButton(({ item }) => void this.openDiff(changes, item.file));
          pick.onDidAccept(() => {
            resolve(pick.selectedItems.length > 0 ? pick.selectedItems.map(({ file }) => file) : undefined);
            pick.dispose();
          });
          pick.onDidHide(() => resolve(undefined));
          pick.show();
        }),
    );
  }

  /** From what it is to what it will be. */
  private async openDiff(changes: SessionChanges, { path: real, to, now }: RestoreFile): Promise<void> {
    const before = now.kind === 'none' ? await this.versions.uriOf(changes, real, now) : changes.uriOf(real);
    const after = await this.versions.uriOf(changes, real, to);
    if (before && after) {
      const options = { preview: true, preserveFocus: true, viewColumn: editorColumn() };
      await openDiff(before, after, t('{file} (Restore)', { file: path.basename(real) }), options);
    }
  }
}

function rowOf({ roots }: SessionChanges, file: PickedFile): FileRow {
  const root = roots.find((each) => file.path.startsWith(each + path.sep));
  const folder = path.dirname(root === undefined ? file.path : path.relative(root, file.path));
  const actions = { write: t('Change'), create: t('Create'), delete: t('Delete'), none: t('Change'), unavailable: t('Change') };
  const action = actions[file.action];
  const detail = reasonToAsk(file);
  const buttons: readonly Button[] = [{ iconPath: new vscode.ThemeIcon('git-compare'), tooltip: t('Open Diff') }];
  return {
    file,
    label: visible(path.basename(file.path), MAX_NAME),
    description: folder === '.' ? action : t('{action} in {folder}', { action, folder: visible(folder, MAX_NAME) }),
    ...(detail && { detail }),
    picked: !detail,
    buttons,
  };
}

/** Why a file is not selected until the user selects it. */
function reasonToAsk({ changedSince, shared, unsaved }: PickedFile): InertText | undefined {
  switch (unsaved) {
    case 'notebook':
      return t('Open notebook with unsaved changes: save it first');
    case 'text':
      return t('Has unsaved changes, which are saved first');
    default:
      return changedSince ? t('Changed since by you or another program') : shared ? t('Also changed by you or another session') : undefined;
  }
}
