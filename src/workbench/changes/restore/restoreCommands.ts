/** Takes files and the conversation back to before a message, and forward again. Loaded with the first of these commands. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { TransactionOptions } from '../../../changes/fileTransaction';
import type { RestoreFile, RestorePlan } from '../../../changes/restore';
import type { FileNote } from '../../../changes/review/changeReport';
import { RestoredFiles } from '../../../changes/review/restoredFiles';
import { bringsBackUndone } from '../../../changes/hunks/recordedChanges';
import type { FileState } from '../../../core/fileChanges/records';
import type { Failure } from '../../../core/model/failure';
import { entryIdOf } from '../../../core/model/state';
import { messageBefore } from '../../../session/state/agentMemory';
import type { Session } from '../../../session/session';
import { unifiedDiff } from '../../../text/diff/unified';
import { mapInPool } from '../../../util/pool';
import type { InertText } from '../../../application/shared/escape';
import { t } from '../../shared/l10n';
import { showFailure } from '../../shared/showFailure';
import { window } from '../../shared/window';
import { hasUnrecordedTurn } from '../../../application/changes/session/unrecordedTurn';
import { nothingToRestore, type NotRestored, resultMessage } from '../../../application/changes/text/restoreMessages';
import { needsQuestion, type PickedFile, type RestorePicks } from './restorePicks';
import { saveFirst, unsavedFiles } from '../files/unsavedFiles';
import type { SessionChanges } from '../session/sessionChanges';

export interface RestoreDependencies {
  readonly picks: RestorePicks;
  /** The conversation in front. */
  active(): SessionChanges | undefined;
  /** The changes of an open or stored session, by its key. */
  changesOf(key: string): Promise<SessionChanges | undefined>;
  /** The changes of a session, which are followed from here on; undefined where nothing is stored. */
  follow(session: Session): Promise<SessionChanges | undefined>;
  /** The open document of a file, by its real path. */
  documentOf(real: string): vscode.TextDocument | undefined;
  /** A session that begins with what was said before this entry, shown, with the message in its composer; undefined where there is no agent for it. */
  restoreConversation(session: Session, entryId: string): Promise<Session | undefined>;
  show(session: Session): void;
  /** Forgets a session in which nothing was said. */
  discard(session: Session): Promise<void>;
  /** True while any session of the window works in a folder of this one. Absent: only the session itself counts. */
  isBusy?(changes: SessionChanges): boolean;
}

const RESTORED =
  'The user put this file back to how it was before one of their earlier messages. What was done to it since then is undone.';
const NOT_RESTORED = 'The user took this conversation back to an earlier point, but not this file: it has what was done to it later.';

/** Files whose versions are read at the same time. */
const MAX_PARALLEL = 8;
/** Files from which the progress is shown. */
const MANY_FILES = 20;

export class RestoreCommands {
  /** For each session that a restore began, by its key: the key of the session before it, and the restore of its files. */
  private readonly origins = new Map<string, { readonly fromKey: string; readonly restoreId: string | undefined }>();

  constructor(private readonly deps: RestoreDependencies) {}

  /** @param entryId the message; absent: the user is asked */
  async restoreCheckpoint(session?: Session, entryId?: string): Promise<void> {
    const changes = session ? await this.deps.follow(session) : this.deps.active();
    if (!changes) {
      void window.showInformationMessage(t('There are no checkpoints: open a session in which the agent has worked.'));
      return;
    }
    if (this.isBusy(changes)) {
      return;
    }
    const turnId = entryId === undefined ? changes.restore && (await this.deps.picks.checkpoint(changes)) : turnOf(entryId);
    if (turnId === undefined) {
      return;
    }
    const plan = await changes.restore?.toCheckpoint(turnId);
    const message = entryIdOf.message('user', turnId);
    const { store } = changes.session;
    const { capabilities, status } = store.state;
    const canRewind = capabilities.rewind === true && status === 'ready' && messageBefore(store.state, message) !== undefined;
    const files = plan && (await pickedIn(changes, plan));
    const recorded = (await changes.log.records()).flatMap((record) => (record.type === 'turn' ? [record.turnId] : []));
    const isUnrecorded = hasUnrecordedTurn(store.state, turnId, new Set(recorded));
    const what = await this.deps.picks.what(changes, files, { lost: lostIn(plan), canRewind, isUnrecorded });
    if (!what) {
      return;
    }
    if (what === 'rewind') {
      const failure = await changes.session.rewindBefore(message);
      await (failure && showFailure('warning', failure));
      return;
    }
    let restored: Restored | undefined;
    if (what !== 'conversation' && plan) {
      const title = t('Select the files to restore to how they were before the message');
      restored = await this.restoreFiles(changes, plan, title, what === 'select');
      if (!restored) {
        return;
      }
    }
    const withConversation = what === 'conversation' || what === 'both';
    if (withConversation) {
      await this.restoreConversation(changes, message, plan, restored);
    } else if (restored && restored.restored.length > 0) {
      noteInConversation(changes.session, { code: 'session.restored' });
    }
    await this.say(changes, restored, withConversation);
  }

  /** See {@link undoRestore}. @param sessionKey of a session that may be stored */
  async undoRestoreIn(sessionKey: string): Promise<void> {
    const changes = await this.deps.changesOf(sessionKey);
    await (changes && this.undoRestore(changes));
  }

  /** Undoes the last restore, of files and conversation. */
  async undoRestore(changes = this.deps.active()): Promise<void> {
    const origin = changes && this.origins.get(changes.key);
    const from = origin ? await this.deps.changesOf(origin.fromKey) : changes;
    if (!from) {
      void (origin && window.showInformationMessage(t('Nothing was restored in this session.')));
      return;
    }
    if (this.isBusy(from)) {
      return;
    }
    const restoreId = origin ? origin.restoreId : await from.restore?.lastRestoreId();
    const plan = restoreId === undefined ? undefined : await from.restore!.undoing(restoreId);
    if (!plan && !origin) {
      void window.showInformationMessage(t('Nothing was restored in this session.'));
      return;
    }
    if (plan) {
      const title = t('Select the files to put back to how they were before the restore');
      const isSame = changedIn(plan).length === 0;
      if (isSame && !origin) {
        void window.showInformationMessage(nothingToRestore(lostIn(plan), t));
      }
      const restored = isSame ? undefined : await this.restoreFiles(from, plan, title);
      if (!restored && !origin) {
        return;
      }
      if (!origin) {
        if (restored!.restored.length > 0) {
          noteInConversation(from.session, { code: 'session.undone' });
        }
        await this.say(from, restored, false);
      }
    }
    if (origin) {
      this.origins.delete(changes.key);
      this.deps.show(from.session);
      await this.deps.discard(changes.session);
    }
  }

  /**
   * Restores files. Changed, shared and unsaved files are named first, and only restored where the user selects them.
   * @param selects the user wants to select the files in any case
   * @returns undefined where the user wants none
   */
  private async restoreFiles(changes: SessionChanges, plan: RestorePlan, title: InertText, selects = false): Promise<Restored | undefined> {
    const files = await pickedIn(changes, plan);
    const isAsked = selects || files.some(needsQuestion);
    const wanted = isAsked ? await this.deps.picks.files(changes, files, title, lostIn(plan)) : files;
    // An agent may have begun to work meanwhile.
    if (!wanted || this.isBusy(changes)) {
      return undefined;
    }
    const { ready, left } = await this.withoutUnsaved(changes, wanted);
    changes.isRestoring = true;
    const result = await this.perform(changes, { ...plan, files: ready }).finally(() => {
      changes.isRestoring = false;
    });
    const notSelected = files
      .filter((file) => !wanted.includes(file))
      .map((file) => ({ path: file.path, reason: 'not_selected' as const }));
    const lost = plan.files
      .filter(({ action }) => action === 'unavailable')
      .map((file) => ({ path: file.path, reason: 'not_kept' as const }));
    return { restoreId: result.restoreId, restored: result.restored, left: [...left, ...result.reasons, ...notSelected, ...lost] };
  }

  /** Saves unsaved texts first, so that undoing the restore brings them back; the files where that fails are left. */
  private async withoutUnsaved(
    changes: SessionChanges,
    wanted: readonly RestoreFile[],
  ): Promise<{ readonly ready: readonly RestoreFile[]; readonly left: readonly NotRestored[] }> {
    const unsaved = await unsavedFiles();
    const ready: RestoreFile[] = [];
    const left: NotRestored[] = [];
    for (const file of wanted) {
      const document = this.deps.documentOf(file.path);
      if (!unsaved.has(file.path)) {
        ready.push(file);
      } else if (unsaved.get(file.path) === 'other') {
        left.push({ path: file.path, reason: 'unsaved_other' });
      } else if (document && (await saveFirst(document, file.path, changes.store))) {
        ready.push({ ...file, now: await changes.restore!.stateOf(file.path) });
      } else {
        left.push({ path: file.path, reason: 'unsaved' });
      }
    }
    return { ready, left };
  }

  private async perform(changes: SessionChanges, plan: RestorePlan): ReturnType<NonNullable<SessionChanges['restore']>['perform']> {
    const chosen = plan.files.map((file) => file.path);
    const review = changes.review && new RestoredFiles(changes.review, plan.point, plan.files);
    const perform = async (options?: TransactionOptions): ReturnType<NonNullable<SessionChanges['restore']>['perform']> => {
      const result = await changes.restore!.perform(plan, chosen, options);
      const restored = new Set(result.restored);
      await noteRestored(
        changes,
        review,
        plan.files.filter((file) => restored.has(file.path)),
      );
      return result;
    };
    if (chosen.length < MANY_FILES) {
      return perform();
    }
    const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title: t('Restoring files') };
    return window.withProgress(options, (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      return perform({
        signal: controller.signal,
        onFile: (_, done, total) => progress.report({ increment: 100 / total, message: t('{done} of {total}', { done, total }) }),
      });
    });
  }

  /** The new session begins as the agent was then, and gets a report of the files that are not as they were then. */
  private async restoreConversation(
    changes: SessionChanges,
    entryId: string,
    plan: RestorePlan | undefined,
    restored: Restored | undefined,
  ): Promise<void> {
    const next = await this.deps.restoreConversation(changes.session, entryId);
    const its = next && (await this.deps.follow(next));
    if (!next || !its) {
      return;
    }
    this.origins.set(next.key, { fromKey: changes.key, restoreId: restored?.restoreId });
    noteInConversation(next, { code: 'session.restored' });
    for (const { path: real, to } of plan?.files ?? []) {
      if (!restored?.restored.includes(real)) {
        its.report.note(await noteOf(changes, real, to, await changes.stateOf(real), NOT_RESTORED));
      }
    }
  }

  private async say(changes: SessionChanges, result: Restored | undefined, isNewSession: boolean): Promise<void> {
    const undo = t('Undo Restore');
    const { restored = [], left = [] } = result ?? {};
    const message = result
      ? resultMessage(restored.length, left, t, (real) => path.basename(changes.uriOf(real).fsPath))
      : t('Conversation restored in a new session.');
    const isDone = restored.length > 0 || isNewSession;
    const choice = await (isDone ? window.showInformationMessage(message, undo) : window.showWarningMessage(message));
    if (choice === undo) {
      const begun = isNewSession ? [...this.origins].findLast(([, { fromKey }]) => fromKey === changes.key)?.[0] : undefined;
      await this.undoRestore((begun === undefined ? undefined : await this.deps.changesOf(begun)) ?? changes);
    }
  }

  /** Shows why nothing can be restored for now. */
  private isBusy(changes: SessionChanges): boolean {
    if (changes.turnId !== undefined) {
      void window.showInformationMessage(t('The agent is working. Wait until it is done, or stop it first.'));
      return true;
    }
    if (changes.isRestoring) {
      void window.showInformationMessage(t('Files of this session are being restored. Wait until it is done.'));
      return true;
    }
    if (this.deps.isBusy?.(changes)) {
      void window.showInformationMessage(
        t('An agent of another session is working in this folder. Wait until it is done, or stop it first.'),
      );
      return true;
    }
    return false;
  }
}

interface Restored {
  readonly restoreId: string | undefined;
  readonly restored: readonly string[];
  readonly left: readonly NotRestored[];
}

/** True while any of `sessions` works in a folder of `changes`, or in one above or below it. */
export function worksInFolderOf(changes: SessionChanges, sessions: readonly SessionChanges[]): boolean {
  const isWithin = (folder: string, other: string): boolean => folder === other || folder.startsWith(other + path.sep);
  return sessions
    .filter((other) => other !== changes && other.turnId !== undefined)
    .some((other) => other.roots.some((root) => changes.roots.some((own) => isWithin(root, own) || isWithin(own, root))));
}

function changedIn({ files }: Pick<RestorePlan, 'files'>): readonly RestoreFile[] {
  return files.filter(({ action }) => action !== 'none' && action !== 'unavailable');
}

/** The files that a plan changes, with their unsaved changes and those that the user had undone. */
async function pickedIn({ review }: SessionChanges, plan: RestorePlan): Promise<readonly PickedFile[]> {
  const unsaved = await unsavedFiles();
  return mapInPool(changedIn(plan), MAX_PARALLEL, async (file): Promise<PickedFile> => {
    const isBack = review && (await bringsBackUndone(plan.point, file, (real, state) => review.textOf(real, state)));
    return { ...file, unsaved: unsaved.get(file.path), ...(isBack && { bringsBackUndone: true }) };
  });
}

function lostIn(plan: RestorePlan | undefined): number {
  return plan?.files.filter(({ action }) => action === 'unavailable').length ?? 0;
}

/** Adds a notice, where the user finds the way back after the notification is gone. */
function noteInConversation({ store }: Session, failure: Failure): void {
  store.append({ type: 'notice', noticeId: `restore-${store.seq}`, severity: 'info', title: '', failure });
}

function turnOf(entryId: string): string {
  return entryId.slice(entryIdOf.message('user', '').length);
}

/** Updates the review and the report to the agent. The notes come together, so that the report in the composer is drawn once. */
async function noteRestored(changes: SessionChanges, review: RestoredFiles | undefined, files: readonly RestoreFile[]): Promise<void> {
  const notes = await mapInPool(files, MAX_PARALLEL, async (file) => {
    await review?.restored(file);
    return noteOf(changes, file.path, file.now, file.to, RESTORED);
  });
  notes.forEach((note) => changes.report.note(note));
}

/** A note for the next prompt, so that the agent knows the file as it is. */
async function noteOf(changes: SessionChanges, real: string, believed: FileState, actual: FileState, words: string): Promise<FileNote> {
  const [before, after] = await Promise.all([changes.textOf(real, believed), changes.textOf(real, actual)]);
  const diff = before === undefined || after === undefined ? '' : unifiedDiff(before, after);
  const otherPaths = changes.report.otherPathsOf(real);
  return { path: real, whole: 'restored', words, believed, actual, diff, otherPaths };
}
