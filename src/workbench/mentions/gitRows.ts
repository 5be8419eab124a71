/** Rows of uncommitted changes and of commits, read from git. */
import * as vscode from 'vscode';
import type { RunGit } from '../../changes/disk/git';
import type { Roots } from '../../core/model/roots';
import { MAX_MENTION_ROWS, type MentionRow } from '../../core/protocol/channels/mentions';
import { verbatim } from '../shared/l10n';
import { relativeTime } from '../../application/shared/relativeTime';
import { changesMention, commitMention } from '../../application/mentions/mentionOf';
import { line } from '../../application/mentions/rowText';
import { foldersOf } from './sessionFiles';

/** Returns a row for all changes of each folder, and one for each changed file. */
export async function changeRows(git: RunGit | undefined, roots: Roots): Promise<MentionRow[]> {
  const rows: MentionRow[] = [];
  for (const folder of git ? foldersOf(roots) : []) {
    const { gitStatus } = await import('../../changes/disk/git');
    const status = await gitStatus(git!, folder);
    const file = { uri: vscode.Uri.file(folder).toString(), path: folder.replaceAll('\\', '/') };
    if (status) {
      rows.push({
        kind: 'changes',
        label: verbatim('All changes'),
        detail: verbatim('{count} files', { count: status.entries.length }),
        mention: changesMention(file, true, verbatim),
      });
      const { topOf } = await import('../../changes/disk/git');
      const top = await topOf(git!, folder);
      for (const { path } of top === undefined ? [] : status.entries.slice(0, MAX_MENTION_ROWS)) {
        const uri = vscode.Uri.joinPath(vscode.Uri.file(top!), path).toString();
        rows.push({
          kind: 'changes',
          label: line(path.slice(path.lastIndexOf('/') + 1)),
          detail: line(path),
          mention: changesMention({ uri, path }, false, verbatim),
        });
      }
    }
  }
  return rows;
}

/** Returns rows of the commits that `text` finds, the newest first. */
export async function commitRows(git: RunGit | undefined, roots: Roots, text: string): Promise<MentionRow[]> {
  if (!git) {
    return [];
  }
  const { commitsOf } = await import('../../application/mentions/gitTexts');
  const found = await Promise.all(
    foldersOf(roots).map(async (cwd) =>
      (await commitsOf(git, cwd, text, MAX_MENTION_ROWS)).map((commit) => ({ folder: vscode.Uri.file(cwd).toString(), commit })),
    ),
  );
  // Several folders may belong to one repository.
  const unique = new Map(found.flat().map((each) => [each.commit.hash, each]));
  return [...unique.values()]
    .toSorted((a, b) => b.commit.at - a.commit.at)
    .map(({ folder, commit }) => ({
      kind: 'commit',
      label: line(commit.subject) || commit.hash.slice(0, 8),
      detail: `${commit.hash.slice(0, 8)} · ${line(commit.author)}, ${relativeTime(commit.at, Date.now(), vscode.env.language)}`,
      mention: commitMention(folder, commit),
    }));
}
