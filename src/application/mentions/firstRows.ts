/** The rows for an `@` without text, in order: open editors, recent files, files by name, problems, then the categories. Pure. */
import { MAX_MENTION_ROWS, type MentionKind, type MentionRow } from '../../core/protocol/channels/mentions';
import type { TranslateVerbatim } from '../shared/translate';

/** The maximum number of open editors and, below, of files that were open or mentioned earlier. */
const MAX_OPEN = 8;
const MAX_RECENT = 5;
/** The maximum number of files: more would hide the categories below them. */
const MAX_FILES = 15;

/** The rows of the window, each list in its own order. */
export interface FirstRows {
  /** The selection and the active file. */
  readonly front: readonly MentionRow[];
  readonly open: readonly MentionRow[];
  /** Files that were active or mentioned earlier, newest first. */
  readonly recent: readonly MentionRow[];
  /** Other files of the session's folders. Files closest to their folder come first. */
  readonly listed: readonly MentionRow[];
  readonly problems: readonly MentionRow[];
  readonly categories: readonly MentionRow[];
}

/** Returns the rows in their order, each file once. */
export function firstRows({ front, open, recent, listed, problems, categories }: FirstRows): MentionRow[] {
  const seen = new Set<string>();
  const unseen = (rows: readonly MentionRow[]): MentionRow[] =>
    rows.filter((row) => {
      const uri = row.kind !== 'selection' && row.mention?.ref.kind === 'file' ? row.mention.ref.uri : undefined;
      const isKnown = uri !== undefined && seen.has(uri);
      void (uri !== undefined && seen.add(uri));
      return !isKnown;
    });
  const near = [...unseen(front), ...unseen(open).slice(0, MAX_OPEN), ...unseen(recent).slice(0, MAX_RECENT)];
  const others = unseen(listed)
    .filter(({ label }) => !label.startsWith('.'))
    .slice(0, Math.max(0, MAX_FILES - near.length))
    .toSorted((one, other) => byName(one.label, other.label) || byName(one.detail, other.detail));
  return [...near, ...others, ...problems, ...categories].slice(0, MAX_MENTION_ROWS);
}

function byName(one: string, other: string): number {
  return one.localeCompare(other, undefined, { numeric: true });
}

/** A category name, typed before a colon. The list then has rows of that category only. */
export type Category = 'file' | 'symbol' | 'problems' | 'changes' | 'commit' | 'terminal' | 'session' | 'prompt';

/** The categories that the window can offer now. */
export interface Served {
  /** True when a document or a workspace folder is open, so that a language server may know symbols. */
  readonly symbol: boolean;
  /** True when one of the session's folders is in a git repository. */
  readonly git: boolean;
  /** True when the output of a command is known. */
  readonly terminal: boolean;
  /** True when another conversation exists. */
  readonly session: boolean;
  readonly prompt: boolean;
}

/** Returns rows for the categories that the window can offer. */
export function categoryRows({ symbol, git, terminal, session, prompt }: Served, t: TranslateVerbatim): MentionRow[] {
  return [
    ...(symbol ? [row('symbol', t('Symbols…'), 'symbol')] : []),
    ...(git ? [row('changes', t('Changes…'), 'changes'), row('commit', t('Commits…'), 'commit')] : []),
    ...(terminal ? [row('terminal', t('Terminal output…'), 'terminal')] : []),
    ...(session ? [row('session', t('Sessions…'), 'session')] : []),
    ...(prompt ? [row('prompt', t('Prompt files…'), 'prompt')] : []),
  ];
}

function row(kind: MentionKind, label: string, complete: Category): MentionRow {
  return { kind, label, detail: '', complete: `${complete}:` };
}
