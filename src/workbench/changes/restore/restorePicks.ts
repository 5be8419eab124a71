/** The questions before a restore: the message, the scope, and the files. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { RestoreFile } from '../../../changes/restore';
import { editorColumn } from '../../window/columns';
import { inert, type InertText, joined } from '../../../application/shared/escape';
import { t } from '../../shared/l10n';
import { relativeTime } from '../../../application/shared/relativeTime';
import type { UserActivity } from '../../shared/userActivity';
import { type Button, type Item, openDiff, window } from '../../shared/window';
import {
  fileEffect,
  fileEffects,
  lostMessage,
  nothingToRestore,
  unrecordedMessage,
} from '../../../application/changes/text/restoreMessages';
import { unseenText } from '../../../application/changes/text/sharedAuthors';
import type { Unsaved } from '../files/unsavedFiles';
import type { SessionChanges } from '../session/sessionChanges';
import { turnTitle } from '../text/turnTitles';
import type { VersionDocuments } from '../versions/versionDocuments';

/** `select`: the files that the user selects in a list. `rewind`: the agent forgets the end of the conversation, in the same session. */
export type RestoreWhat = 'files' | 'select' | 'conversation' | 'both' | 'rewind';

interface CheckpointRow extends Item {
  readonly turnId: string;
}

interface WhatRow extends Item {
  readonly what: RestoreWhat;
}

/** A file with what is unsaved of it in the editor. */
export interface PickedFile extends RestoreFile {
  readonly unsaved?: Unsaved | undefined;
  /** The restore brings a change of the agent's back that the user has undone. */
  readonly bringsBackUndone?: true;
}

interface FileRow extends Item {
  readonly file: PickedFile;
}

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

  /**
   * The scope of a restore. Each row names what happens to the files, so that the choice is the confirmation.
   * @param files that would change; undefined: files cannot be restored here. @param lost number of files without an earlier version
   * @param canRewind true when the agent can forget the end of its conversation
   * @param isUnrecorded true when a turn after the message ended with its window, before its changes were recorded
   */
  async what(
    changes: SessionChanges,
    files: readonly PickedFile[] | undefined,
    { lost, canRewind, isUnrecorded }: { readonly lost: number; readonly canRewind: boolean; readonly isUnrecorded: boolean },
  ): Promise<RestoreWhat | undefined> {
    const conversation = t('Starts a new session with the messages before this one');
    const { length = 0 } = files ?? [];
    const changed = length === 1 ? t('1 file will change') : t('{count} files will change', { count: length });
    const left = [...(lost > 0 ? [lostMessage(lost, t)] : []), ...(isUnrecorded ? [unrecordedMessage(t)] : [])];
    const count = joined([changed, ...left], '. ');
    const none = files ? nothingToRestore(lost, t, isUnrecorded) : t('No checkpoint of the files');
    const named = fileEffects(files ?? [], (real) => relativeName(changes, real), t);
    const effects = files?.some((file) => file.bringsBackUndone) ? joined([named, t('Brings back a change that you undid')], '. ') : named;
    const some: readonly WhatRow[] = [
      { what: 'files', label: t('Restore Files'), description: count, detail: effects },
      {
        what: 'both',
        label: t('Restore Files and Conversation'),
        description: count,
        detail: t('{files}. {conversation}', { files: effects, conversation }),
      },
    ];
    const rows: WhatRow[] = [
      ...(length > 0 ? some.slice(0, 1) : []),
      { what: 'conversation', label: t('Restore Conversation'), detail: conversation, ...(length === 0 && { description: none }) },
      ...(length > 0 ? some.slice(1) : []),
      ...(canRewind
        ? [
            {
              what: 'rewind' as const,
              label: t('Rewind Agent'),
              detail: t(
                'The agent forgets this message and everything after it. The conversation stays readable, and files stay as they are',
              ),
            },
          ]
        : []),
      // Otherwise the list of files comes anyway.
      ...(length > 0 && !files!.some(needsQuestion)
        ? [{ what: 'select' as const, label: t('Select Files to Restore…'), detail: t('Shows the difference of each file') }]
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

function rowOf(changes: SessionChanges, file: PickedFile): FileRow {
  const reason = reasonToAsk(file);
  const details = [...(reason === undefined ? [] : [reason]), ...(file.bringsBackUndone ? [t('Brings back a change that you undid')] : [])];
  const buttons: readonly Button[] = [{ iconPath: new vscode.ThemeIcon('git-compare'), tooltip: t('Open Diff') }];
  return {
    file,
    label: fileEffect(relativeName(changes, file.path), file, t),
    ...(details.length > 0 && { detail: joined(details, '. ') }),
    picked: reason === undefined,
    buttons,
  };
}

/** The path in the session's folder that has the file. */
function relativeName({ roots }: SessionChanges, real: string): string {
  const root = roots.find((each) => real.startsWith(each + path.sep));
  return root === undefined ? real : path.relative(root, real).split(path.sep).join('/');
}

/** True for a file that is restored only where the user selects it. */
export function needsQuestion(file: PickedFile): boolean {
  return reasonToAsk(file) !== undefined;
}

/** Why a file is not selected until the user selects it. */
function reasonToAsk({ changedSince, shared, unseen, unsaved }: PickedFile): InertText | undefined {
  switch (unsaved) {
    case 'other':
      return t('Open in an editor with unsaved changes: save it first');
    case 'text':
      return t('Has unsaved changes, which are saved first');
    default:
      return changedSince ? t('Changed since by you or another program') : shared ? sharedReason(unseen) : undefined;
  }
}

function sharedReason(unseen: boolean | undefined): InertText {
  return unseen ? unseenText(t) : t('Also changed by you or another session');
}
