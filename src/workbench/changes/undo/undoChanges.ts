/** Undoes changes for the user: asks before several files or a newer version are replaced, shows progress, and names what was left. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { LeftFile, PlannedUndo, UndoResult } from '../../../changes/undo/undo';
import type { UndoOptions } from '../../../changes/undo/undoWrites';
import { type InertText, joined } from '../../../application/shared/escape';
import { t } from '../../shared/l10n';
import { window } from '../../shared/window';
import type { PendingFile } from '../session/pendingFiles';
import type { SessionChanges } from '../session/sessionChanges';
import { sharedAuthors, type TitleOf } from '../../../application/changes/text/sharedAuthors';
import { isDoneWithin } from './settledChanges';
import { leftIn, leftMessage, leftSummary, pathsOf, planLines, undoQuestion } from '../../../application/changes/text/undoMessages';

/** A file, or some of its hunks. */
export interface UndoRequest extends PendingFile {
  readonly hunkIds?: readonly number[];
}

type MessageOf = (left: LeftFile) => InertText;

/** The plans of one session. */
interface SessionPlans {
  readonly changes: SessionChanges;
  readonly plans: readonly PlannedUndo[];
}

/** ms after which the user must see that the files are being read. */
const DELAY_MS = 500;

/** @param openDiff shows a file beside its earlier version */
export async function undoChanges(
  requests: readonly UndoRequest[],
  openDiff: (request: UndoRequest) => Promise<void>,
  titleOf: TitleOf,
): Promise<void> {
  const messageOf = (left: LeftFile): InertText => {
    const request = requests.find(({ file }) => file.path === left.path);
    return leftMessage(left, t, request && sharedAuthors(request.file, titleOf));
  };
  const planned = await planWithProgress(requests);
  if (!planned) {
    return;
  }
  const [request] = requests;
  if (request && new Set(requests.map(({ changes, file }) => `${changes.key} ${file.path}`)).size === 1) {
    await undoOne(request, planned, openDiff, messageOf);
  } else {
    await undoSeveral(planned, messageOf);
  }
}

/** Shows a notification where the plan of many files takes longer than {@link DELAY_MS}. Undefined when the user cancels; a plan changes nothing. */
async function planWithProgress(requests: readonly UndoRequest[]): Promise<readonly SessionPlans[] | undefined> {
  const planning = planAll(requests);
  if (await isDoneWithin(planning, DELAY_MS)) {
    return planning;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: t('Checking files'), cancellable: true };
  return window.withProgress(options, (_progress, token) =>
    Promise.race([planning, new Promise<undefined>((resolve) => void token.onCancellationRequested(() => resolve(undefined)))]),
  );
}

async function planAll(requests: readonly UndoRequest[]): Promise<readonly SessionPlans[]> {
  const sessions = [...new Set(requests.map(({ changes }) => changes))];
  return Promise.all(
    sessions.map(async (changes) => {
      const targets = requests
        .filter((request) => request.changes === changes)
        .map(({ file, hunkIds }) => ({ file, ...(hunkIds && { hunkIds }) }));
      return { changes, plans: (await changes.undo?.plan(targets)) ?? [] };
    }),
  );
}

/** A file without losses is undone with one click. */
async function undoOne(
  request: UndoRequest,
  planned: readonly SessionPlans[],
  openDiff: (request: UndoRequest) => Promise<void>,
  messageOf: MessageOf,
): Promise<void> {
  const [plan] = planned.flatMap(({ plans }) => plans);
  if (plan?.action.type === 'leave' && plan.action.canForce) {
    await undoNewer(request, plan, openDiff);
    return;
  }
  const { left } = await perform(planned, {});
  left.forEach((each) => void window.showWarningMessage(messageOf(each)));
}

/** The file is newer than the agent's change: the user decides, and can put the newer version back. */
async function undoNewer(request: UndoRequest, plan: PlannedUndo, openDiff: (request: UndoRequest) => Promise<void>): Promise<void> {
  const { undo } = request.changes;
  const { path: real } = request.file;
  const file = path.basename(real);
  const [anyway, diff] = [t('Undo Anyway'), t('Open Diff')];
  const choice = await window.showWarningMessage(
    t('{file} has changed since the agent changed it.', { file }),
    { modal: true, detail: t("Undo replaces the newer version with the one from before the agent's change.") },
    anyway,
    ...(hasDiff(request) ? [diff] : []),
  );
  if (choice === diff) {
    await openDiff(request);
    return;
  }
  if (choice !== anyway || !undo) {
    return;
  }
  const { left } = await undo.perform([{ ...plan, force: true }]);
  if (left.length > 0) {
    left.forEach((each) => void window.showWarningMessage(leftMessage(each, t)));
    return;
  }
  const back = t('Put Newer Version Back');
  if ((await window.showInformationMessage(t('The newer version of {file} was replaced.', { file }), back)) === back) {
    const reason = await undo.putBack(real, plan.facts.now);
    if (reason) {
      void window.showWarningMessage(leftMessage({ path: real, reason }, t));
    }
  }
}

/** False for a binary file, a link, or a file without a known earlier version: they open without a difference. */
function hasDiff({ file }: UndoRequest): boolean {
  return file.hunks !== undefined || file.isDeleted;
}

async function undoSeveral(planned: readonly SessionPlans[], messageOf: MessageOf): Promise<void> {
  const plans = planned.flatMap((each) => each.plans);
  const wanted = plans.filter(({ action }) => action.type !== 'leave');
  if (wanted.length === 0) {
    say(leftIn(plans), messageOf);
    return;
  }
  const undo = t('Undo');
  const detail = joined(planLines(plans, t), '\n');
  const question = undoQuestion(pathsOf(wanted.map(({ target }) => target.file)), t);
  if ((await window.showWarningMessage(question, { modal: true, detail }, undo)) !== undo) {
    return;
  }
  const result = await window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Undoing changes'), cancellable: true },
    (progress, token) => {
      const cancel = new AbortController();
      const listener = token.onCancellationRequested(() => cancel.abort());
      let count = 0;
      const onFile = (): void => {
        count++;
        const message = t('{done} of {count} files', { done: count, count: wanted.length });
        progress.report({ message, increment: 100 / wanted.length });
      };
      return perform(planned, { signal: cancel.signal, onFile }).finally(() => void listener.dispose());
    },
  );
  say(result.left, messageOf);
}

async function perform(planned: readonly SessionPlans[], options: UndoOptions): Promise<UndoResult> {
  const results: UndoResult[] = [];
  for (const { changes, plans } of planned) {
    results.push((await changes.undo?.perform(plans, options)) ?? { done: [], left: [] });
  }
  return { done: results.flatMap(({ done }) => done), left: results.flatMap(({ left }) => left) };
}

/** Names the files that were left, once. */
function say(left: readonly LeftFile[], messageOf: MessageOf): void {
  const [first] = left;
  if (first) {
    const message = pathsOf(left).length === 1 ? messageOf(first) : leftSummary(left, t);
    void window.showWarningMessage(message);
  }
}
