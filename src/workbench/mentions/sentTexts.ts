/** Mentions whose text is created from several files: finds these files, and those among them that need the user's consent. */
import * as vscode from 'vscode';
import type { Mention } from '../../core/mentions/mention';
import type { Roots } from '../../core/model/roots';
import { protectedFiles } from '../../policy/protection/protectedPaths';
import { ProtectedRules } from '../../policy/protection/protectedRules';
import type { RunGit } from '../../changes/disk/git';
import { readProtectedPaths } from '../settings/agentSettings';
import type { ToldText } from '../../application/mentions/gitTexts';

type Ref = Mention['ref'];

/** The texts by {@link textKey}. The text that was checked is the text that is sent, so that a change in between can add nothing to it. */
export type SentTexts = ReadonlyMap<string, ToldText>;

export interface SentTextsDependencies {
  git(): Promise<RunGit | undefined>;
  /** Returns the problems of one file, or of all. */
  problems(uri: string | undefined): Promise<ToldText>;
  /** False for an address whose mere use would contact another machine. */
  isNear(file: string): boolean;
}

/** Returns undefined for a mention of another kind. */
export function textKey(ref: Ref): string | undefined {
  switch (ref.kind) {
    case 'changes':
      return `changes ${ref.uri}`;
    case 'commit':
      return `commit ${ref.hash} ${ref.uri}`;
    case 'problems':
      return `problems ${ref.uri ?? ''}`;
    default:
      return undefined;
  }
}

/** Creates the texts. A text that cannot be created is left out. Never rejects. */
export async function sentTexts(mentions: readonly Pick<Mention, 'ref'>[], deps: SentTextsDependencies): Promise<SentTexts> {
  const texts = await Promise.all(
    mentions.map(async ({ ref }) => {
      const key = textKey(ref);
      const text = key === undefined ? undefined : await textOf(ref, deps).catch(() => undefined);
      return text && ([key!, text] as const);
    }),
  );
  return new Map(texts.filter((entry) => entry !== undefined));
}

async function textOf(ref: Ref, { git, problems, isNear }: SentTextsDependencies): Promise<ToldText | undefined> {
  if (ref.kind === 'problems') {
    return problems(ref.uri);
  }
  const folder = ref.kind === 'changes' || ref.kind === 'commit' ? vscode.Uri.parse(ref.uri, true).fsPath : undefined;
  const run = folder !== undefined && isNear(folder) ? await git() : undefined;
  if (folder === undefined || !run) {
    return undefined;
  }
  const { changesOf, commitFiles, commitText } = await import('../../application/mentions/gitTexts');
  if (ref.kind !== 'commit') {
    return changesOf(run, folder);
  }
  // A commit never changes, so both commands read the same one.
  const [text, files] = await Promise.all([commitText(run, folder, ref.hash), commitFiles(run, folder, ref.hash)]);
  return { text, files };
}

/**
 * Returns those of these files that are protected from reading, by any of their names. A file that is not near is judged by its path alone.
 * @param files absolute
 */
export async function protectedAmong(files: readonly string[], roots: Roots, isNear: (file: string) => boolean): Promise<vscode.Uri[]> {
  const found = await protectedFiles(files, roots, new ProtectedRules(readProtectedPaths()), { access: 'read', isNear });
  return found.map((file) => vscode.Uri.file(file));
}
