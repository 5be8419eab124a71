/** Shows the files that a worktree changed, in VS Code's editor for several diffs. */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Git } from '../../util/git';
import { Reader } from '../../worktree/reader';
import type { Repository, Worktree, WorktreeChanges } from '../../worktree/worktrees';
import { inertLine } from '../../application/shared/escape';
import { documentSchemes } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { registerDocuments } from '../documents/ownDocuments';
import { openChanges } from '../shared/window';

const MAX_NAME = 100;

let registered: Disposable | undefined;

/**
 * The addresses of documents that a diff was opened for. A document at any other address is empty, because a page or another extension could
 * invent one.
 */
const shownTexts = new Set<string>();

export async function showChanges(
  git: Git,
  { path: folder, branch, head = '' }: Worktree,
  { base, files }: WorktreeChanges,
): Promise<void> {
  registered ??= registerDocuments(documentSchemes.commit, {
    provideTextDocumentContent: async (uri) => {
      if (!shownTexts.has(uri.query)) {
        return '';
      }
      const { root, object } = JSON.parse(uri.query) as { root: string; object: string };
      return (await (await Reader.in(git, root)).run(['cat-file', 'blob', object])).stdout.toString();
    },
  });
  const resources = files.map((file) => {
    const now = vscode.Uri.file(path.join(folder, file.path));
    const query = JSON.stringify({ root: folder, object: `${base}:${file.path}` });
    shownTexts.add(query);
    const before = file.status === 'added' ? undefined : now.with({ scheme: documentSchemes.commit, authority: '', query });
    return [now, before, file.status === 'deleted' ? undefined : now] as const;
  });
  await openChanges(t('Changes in {branch}', { branch: inertLine(branch ?? head.slice(0, 8), MAX_NAME) }), resources);
}

/** Compares files of the main tree with those of a worktree, both as they are on the disk. @param files relative, with slashes */
export async function showConflicts(
  { root }: Pick<Repository, 'root'>,
  { path: folder, branch, head = '' }: Worktree,
  files: readonly string[],
): Promise<void> {
  const existing = async (file: string): Promise<vscode.Uri | undefined> =>
    (await lstat(file).catch(() => undefined))?.isFile() ? vscode.Uri.file(file) : undefined;
  const resources = await Promise.all(
    files.map(async (name) => {
      const [ours, theirs] = [path.join(root, name), path.join(folder, name)];
      return [vscode.Uri.file(ours), await existing(ours), await existing(theirs)] as const;
    }),
  );
  const shown = inertLine(branch ?? head.slice(0, 8), MAX_NAME);
  await openChanges(t('Main working tree compared with {branch}', { branch: shown }), resources);
}
