/** What of mentions the user must be asked about besides the files that they name. */
import * as vscode from 'vscode';
import type { Mention } from '../../core/mentions/mention';
import type { Roots } from '../../core/model/ports';
import { ProtectedPaths } from '../../fs/protection/protectedPaths';
import { ProtectedRules } from '../../fs/protection/protectedRules';
import type { RunGit } from '../../changes/disk/git';
import { readProtectedPaths } from '../agents/agentSettings';

/** Files that may hold secrets, by their names, among those whose changes are mentioned. Never rejects. */
export async function secretsTold(
  mentions: readonly Pick<Mention, 'ref'>[],
  roots: Roots,
  git: () => Promise<RunGit | undefined>,
): Promise<vscode.Uri[]> {
  const told = await Promise.all(mentions.map(({ ref }) => filesTold(ref, git).catch(() => [])));
  const files = [...new Set(told.flat())];
  if (files.length === 0) {
    return [];
  }
  const paths = new ProtectedPaths(roots, new ProtectedRules(readProtectedPaths()));
  const areSecret = await Promise.all(files.map((file) => paths.isProtectedByName(file, 'read')));
  return files.filter((_, at) => areSecret[at]).map((file) => vscode.Uri.file(file));
}

async function filesTold(ref: Mention['ref'], find: () => Promise<RunGit | undefined>): Promise<readonly string[]> {
  if (ref.kind !== 'changes' && ref.kind !== 'commit') {
    return [];
  }
  const git = await find();
  const folder = vscode.Uri.parse(ref.uri, true).fsPath;
  const { changedFiles, commitFiles } = await import('./gitTexts');
  return git ? (ref.kind === 'changes' ? changedFiles(git, folder) : commitFiles(git, folder, ref.hash)) : [];
}
