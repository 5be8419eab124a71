/** Asks whether a new worktree gets the uncommitted changes of the open folder, which Git itself leaves behind without a word. */
import path from 'node:path';
import type { EventInput } from '../../core/model/event';
import type { BranchStart, Repository } from '../../worktree/worktrees';
import { inertLine, joined } from '../../application/shared/escape';
import { failureText } from '../../application/shared/failureText';
import { t } from '../shared/l10n';
import { type Item, window } from '../shared/window';
import { saveFirst, unsavedIn, type WorktreeContext } from './worktreeContext';

const MAX_NAME = 100;
const MAX_DETAIL = 200;
/** The maximum number of files that the conversation names. */
const MAX_NAMED = 20;

/** The files that were taken along, and the branch or folder that they come from. */
export interface TakenChanges {
  readonly from: string;
  readonly files: readonly string[];
}

type Row = Item & { readonly isTaken: boolean };

/** Resolves to whether the changes are taken along, and to undefined when the user cancels. @throws Fault */
export async function askForChanges(
  context: WorktreeContext,
  repository: Repository,
  start: BranchStart,
  from: string,
): Promise<boolean | undefined> {
  const { opened } = repository;
  const { files, refusal } = await context.worktrees.uncommitted(repository, start);
  const unsaved = unsavedIn(opened).map(({ uri }) => path.relative(opened, uri.fsPath).replaceAll(path.sep, '/'));
  const all = [...new Set([...files, ...unsaved])].sort();
  const count = all.length;
  // A clean folder is not asked about, whatever the commit. Changed submodules are changes, although no file is named.
  if (count === 0 && (!refusal || refusal.code === 'worktree.changes_of_other_commit')) {
    return false;
  }
  const names = inertLine(all.join(', '), MAX_DETAIL);
  const branch = inertLine(from, MAX_NAME);
  const leave: Row = { label: t('Leave them in {branch}', { branch }), isTaken: false };
  const take: Row = {
    label: count === 1 ? t('Take 1 uncommitted change along') : t('Take {count} uncommitted changes along', { count }),
    detail: joined([t('Copied. {branch} stays as it is.', { branch }), names], ' '),
    isTaken: true,
  };
  const placeHolder = refusal
    ? failureText(refusal, t)
    : count === 1
      ? t('{branch} has 1 uncommitted change', { branch })
      : t('{branch} has {count} uncommitted changes', { branch, count });
  const rows = refusal ? [{ ...leave, detail: joined([failureText(refusal, t), names], ' ') }] : [take, leave];
  const chosen = await context.activity.during(() => window.showQuickPick(rows, { title: t('Uncommitted Changes'), placeHolder }));
  return chosen?.isTaken ? ((await saveFirst(context, opened)) ? true : undefined) : chosen?.isTaken;
}

/** Returns the note in the conversation about changes that its worktree began with. */
export function takenNote({ from, files }: TakenChanges): EventInput {
  const named = files.slice(0, MAX_NAMED).join(', ');
  const params = { branch: from, files: files.length > MAX_NAMED ? `${named}, …` : named };
  return { type: 'notice', noticeId: 'changes-taken', severity: 'info', title: '', failure: { code: 'session.changes_taken', params } };
}
