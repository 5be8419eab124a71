/** Goes back to how files and the conversation stood before a message, and forward again. Loaded with the first of these commands. */
import type * as vscode from 'vscode';
import type { RestoreFile, RestorePlan } from '../../../changes/restore';
import { type FileState, sameState } from '../../../core/fileChanges/records';
import { entryIdOf } from '../../../core/model/state';
import type { Session } from '../../../session/session';
import { unifiedDiff } from '../../../text/diff/unified';
import type { InertText } from '../../shared/escape';
import { t } from '../../shared/l10n';
import { window } from '../../shared/window';
import { nothingToRestore, type RestorePicks } from './restorePicks';
import type { SessionChanges } from '../sessionChanges';

export interface RestoreDependencies {
  readonly picks: RestorePicks;
  /** The conversation in front. */
  active(): SessionChanges | undefined;
  /** What follows the changes of a session, from here on where nothing has yet; undefined where nothing is kept. */
  follow(session: Session): Promise<SessionChanges | undefined>;
  /** The open document of a file, by its real path. */
  documentOf(real: string): vscode.TextDocument | undefined;
  /** A session that begins with what was said before this entry, shown, with the message in its composer; undefined where there is no agent for it. */
  restoreConversation(session: Session, entryId: string): Promise<Session | undefined>;
  show(session: Session): void;
  /** Forgets a session in which nothing was said. */
  discard(session: Session): Promise<void>;
}

/** Sessions that were begun by going back, and those that they came from. */
const origins = new Map<string, { readonly from: SessionChanges; readonly to: Session; readonly restoreId: string | undefined }>();

const RESTORED =
  'The user put this file back to how it was before one of their earlier messages. What was done to it since then is undone.';
const NOT_RESTORED = 'The user took this conversation back to an earlier point, but not this file: it has what was done to it later.';

export class RestoreCommands {
  constructor(private readonly ports: RestoreDependencies) {}

  /** @param entryId the message; absent: it is asked for */
  async restoreCheckpoint(session?: Session, entryId?: string): Promise<void> {
    const changes = session ? await this.ports.follow(session) : this.ports.active();
    if (!changes) {
      void window.showInformationMessage(t('There are no checkpoints: open a session in which the agent has worked.'));
      return;
    }
    if (isWorking(changes)) {
      return;
    }
    const turnId = entryId === undefined ? changes.restore && (await this.ports.picks.checkpoint(changes)) : turnOf(entryId);
    if (turnId === undefined) {
      return;
    }
    const plan = await changes.restore?.toCheckpoint(turnId);
    const changed = plan && changedIn(plan).length;
    const what = await this.ports.picks.what(changed, lostIn(plan));
    if (!what) {
      return;
    }
    let restored: Restored | undefined;
    if (what !== 'conversation' && plan) {
      restored = await this.restoreFiles(changes, plan, t('Select the files to restore to how they were before the message'));
      if (!restored) {
        return;
      }
    }
    if (what !== 'files') {
      await this.restoreConversation(changes, entryIdOf.message('user', turnId), plan, restored);
    }
    await this.say(changes, restored, what !== 'files');
  }

  /** Takes back the last restore, of files and conversation. */
  async undoRestore(changes = this.ports.active()): Promise<void> {
    const origin = changes && origins.get(changes.key);
    const from = origin?.from ?? changes;
    if (!from || isWorking(from)) {
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
        void window.showInformationMessage(nothingToRestore(lostIn(plan)));
      }
      const restored = isSame ? undefined : await this.restoreFiles(from, plan, title);
      if (!restored && !origin) {
        return;
      }
      if (!origin) {
        await this.say(from, restored, false);
      }
    }
    if (origin) {
      origins.delete(changes!.key);
      this.ports.show(from.session);
      await this.ports.discard(origin.to);
    }
  }

  /** Shows what will change first; what somebody has changed since is named, and left out unless it is chosen. Undefined: the user wants none. */
  private async restoreFiles(changes: SessionChanges, plan: RestorePlan, title: InertText): Promise<Restored | undefined> {
    const { ports } = this;
    // What is not saved yet is as much the user's.
    const files = plan.files.map((file) => ({
      ...file,
      changedSince: file.changedSince || ports.documentOf(file.path)?.isDirty === true,
    }));
    const wanted = await ports.picks.files(changes, changedIn({ files }), title, lostIn(plan));
    if (!wanted) {
      return undefined;
    }
    const dirty = wanted.flatMap(({ path: real }) => ports.documentOf(real) ?? []).filter(({ isDirty }) => isDirty);
    // The present text is kept by the restore from the disk.
    await Promise.all(dirty.map((document) => document.save()));
    const current = dirty.length === 0 ? wanted : await this.again(changes, wanted);
    const { restoreId, restored, left } = await changes.restore!.perform(
      { ...plan, files: current },
      current.map(({ path: real }) => real),
    );
    for (const real of restored) {
      const file = current.find(({ path }) => path === real)!;
      await tellReview(changes, file);
      await tellAgent(changes, real, file.now, file.to, RESTORED);
    }
    return { restoreId, restored, left };
  }

  /** The new session begins as the agent was then; which files are not as they were then, it is told. */
  private async restoreConversation(
    changes: SessionChanges,
    entryId: string,
    plan: RestorePlan | undefined,
    restored: Restored | undefined,
  ): Promise<void> {
    const next = await this.ports.restoreConversation(changes.session, entryId);
    const its = next && (await this.ports.follow(next));
    if (!next || !its) {
      return;
    }
    origins.set(next.key, { from: changes, to: next, restoreId: restored?.restoreId });
    for (const { path: real, to } of plan?.files ?? []) {
      if (!restored?.restored.includes(real)) {
        await tellAgent(changes, real, to, await changes.stateOf(real), NOT_RESTORED, its);
      }
    }
  }

  /** What the files are now, once what was not saved is. */
  private again(changes: SessionChanges, wanted: readonly RestoreFile[]): Promise<readonly RestoreFile[]> {
    return Promise.all(wanted.map(async (file) => ({ ...file, now: await changes.restore!.stateOf(file.path) })));
  }

  private async say(changes: SessionChanges, result: Restored | undefined, isNewSession: boolean): Promise<void> {
    const undo = t('Undo Restore');
    const { restored = [], left = [] } = result ?? {};
    const message = !result
      ? t('Conversation restored in a new session.')
      : left.length > 0
        ? t('Restored files: {count}. Not restored, because they were changed meanwhile or could not be written: {left}.', {
            count: restored.length,
            left: left.length,
          })
        : t('Restored files: {count}.', { count: restored.length });
    const isDone = restored.length > 0 || isNewSession;
    const choice = await (isDone ? window.showInformationMessage(message, undo) : window.showWarningMessage(message));
    if (choice === undo) {
      const begun = [...origins].findLast(([, { from }]) => isNewSession && from === changes)?.[1].to;
      await this.undoRestore((begun && (await this.ports.follow(begun))) ?? changes);
    }
  }
}

interface Restored {
  readonly restoreId: string | undefined;
  readonly restored: readonly string[];
  readonly left: readonly string[];
}

function changedIn({ files }: Pick<RestorePlan, 'files'>): readonly RestoreFile[] {
  return files.filter(({ action }) => action !== 'none' && action !== 'unavailable');
}

function lostIn(plan: RestorePlan | undefined): number {
  return plan?.files.filter(({ action }) => action === 'unavailable').length ?? 0;
}

function turnOf(entryId: string): string {
  return entryId.slice(entryIdOf.message('user', '').length);
}

/** Says so where nothing can be restored for now. */
function isWorking(changes: SessionChanges): boolean {
  if (changes.turnId !== undefined) {
    void window.showInformationMessage(t('The agent is working. Wait until it is done, or stop it first.'));
  }
  return changes.turnId !== undefined;
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

/** With the next prompt: files and what the agent believes must not part in silence. @param from whose versions these are */
async function tellAgent(
  from: SessionChanges,
  real: string,
  believed: FileState,
  actual: FileState,
  words: string,
  to = from,
): Promise<void> {
  const [before, after] = [await from.textOf(real, believed), await from.textOf(real, actual)];
  const diff = before === undefined || after === undefined ? '' : unifiedDiff(before, after);
  const otherPaths = from.report.otherPathsOf(real);
  to.report.note({ path: real, whole: 'restored', words, believed, actual, diff, otherPaths });
}
