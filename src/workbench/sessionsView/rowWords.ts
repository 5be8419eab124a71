/** What a row of the sessions view says. Pure. */
import path from 'node:path';
import { statusWord } from '../../text/messages/statuses';
import { inert, type InertText, joined, visible } from '../shared/escape';
import { relativeTime } from '../shared/relativeTime';
import type { Translate } from '../shared/translate';
import type { SessionFacts, Standing } from './sessionFacts';
import type { AgentListState, GroupBy, GroupNode, TreeNode } from './tree';

const MAX_TITLE = 120;
const MAX_NAME = 80;
const MAX_FOLDER = 60;
const MAX_PATH = 300;
const MINUTE_MS = 60_000;

export interface RowWords {
  readonly label: InertText;
  readonly description?: InertText;
  readonly tooltip?: InertText;
  /** For screen readers, in place of label and description. */
  readonly spoken?: InertText;
  /** What `viewItem` in the menus' clauses reads: words with spaces between them. */
  readonly context: string;
}

export interface WordFacts {
  readonly groupBy: GroupBy;
  /** ms since the epoch */
  readonly now: number;
  /** BCP 47 */
  readonly language: string;
  /** A workspace folder's name there; undefined for any other folder. */
  folderName(folder: string): string | undefined;
}

export function rowWords(node: TreeNode, facts: WordFacts, t: Translate): RowWords {
  switch (node.kind) {
    case 'group':
      return { label: groupLabel(node, facts, t), description: inert(String(node.count)), context: 'group' };
    case 'session':
      return sessionWords(node.facts, facts, t);
    case 'more':
      return { label: t('Show More…'), description: inert(String(node.left)), context: 'more' };
    case 'agent':
      return { label: agentListLabel(node.agentName, node.state, t), context: 'agent' };
  }
}

function groupLabel({ of }: GroupNode, { folderName }: WordFacts, t: Translate): InertText {
  switch (of.type) {
    case 'standing':
      return standingLabel(of.standing, t);
    case 'folder':
      return visible(folderName(of.folder) ?? path.basename(of.folder) ?? of.folder, MAX_FOLDER);
    case 'agent':
      return visible(of.agentName, MAX_NAME);
    case 'pinned':
      return t('Pinned');
    case 'elsewhere':
      return t('Other Folders');
    case 'archived':
      return t('Archived');
  }
}

function standingLabel(standing: Standing, t: Translate): InertText {
  switch (standing) {
    case 'needsYou':
      return t('Needs You');
    case 'working':
      return t('Working');
    case 'done':
      return inert(statusWord('completed', t, String));
    case 'resting':
      return t('Idle');
    case 'failed':
      return inert(statusWord('failed', t, String));
  }
}

function agentListLabel(agentName: string, state: AgentListState, t: Translate): InertText {
  const agent = visible(agentName, MAX_NAME);
  switch (state) {
    case 'idle':
      return t('Load Sessions of {agent}…', { agent });
    case 'loading':
      return t('Loading sessions from {agent}…', { agent });
    case 'more':
      return t('Load More Sessions of {agent}…', { agent });
    case 'failed':
      return t("Couldn't load sessions of {agent}. Retry…", { agent });
  }
}

function sessionWords(facts: SessionFacts, { groupBy, now, language, folderName }: WordFacts, t: Translate): RowWords {
  const { title, agentName, cwd, changes, pinned, elsewhere } = facts;
  // No seconds: a list that counts them is never still.
  const at = facts.at > 0 && now - facts.at < MINUTE_MS ? now : facts.at;
  const label = visible(title, MAX_TITLE) || visible(agentName, MAX_NAME);
  const time = at === 0 ? [] : [inert(relativeTime(at, now, language, 'narrow'))];
  const folder = visible(folderName(cwd) ?? (path.basename(cwd) || cwd), MAX_FOLDER);
  const counts = changes ? [inert(`+${changes.added} −${changes.removed}`)] : [];
  const state = [...standingWords(facts, t), ...(elsewhere ? [t('open in another window')] : [])];
  const agent = visible(agentName, MAX_NAME);
  const long = at === 0 ? [] : [inert(relativeTime(at, now, language))];
  const place = t('{agent} in {folder}', { agent, folder: visible(cwd, MAX_PATH) });
  return {
    label,
    description: joined(
      [
        ...(groupBy === 'state' && !elsewhere && !facts.needsInput ? [] : state),
        ...time,
        ...(groupBy === 'folder' ? [] : [folder]),
        ...counts,
      ],
      ' · ',
    ),
    tooltip: joined(
      [
        label,
        place,
        joined([...state, ...(pinned ? [t('pinned')] : []), ...long], ' · '),
        ...(changes ? [linesChanged(changes, t)] : []),
      ].filter((line) => line !== ''),
      '\n',
    ),
    spoken: joined(
      [label, ...state, ...(pinned ? [t('pinned')] : []), place, ...long, ...(changes ? [linesChanged(changes, t)] : [])],
      ', ',
    ),
    context: contextOf(facts),
  };
}

/** Nothing for one that rests. */
function standingWords({ standing, isUnresponsive, needsInput }: SessionFacts, t: Translate): InertText[] {
  if (isUnresponsive) {
    return [t('not responding to Stop')];
  }
  switch (standing) {
    case 'needsYou':
      return [needsInput ? t('needs input') : t('needs your answer')];
    case 'working':
      return [t('working')];
    case 'done':
      return [t('done')];
    case 'failed':
      return [t('failed')];
    case 'resting':
      return [];
  }
}

function linesChanged({ files, added, removed }: NonNullable<SessionFacts['changes']>, t: Translate): InertText {
  return files === 1
    ? t('1 file changed, {added} lines added, {removed} removed', { added, removed })
    : t('{files} files changed, {added} lines added, {removed} removed', { files, added, removed });
}

/** Words that the menus of package.json look for. */
function contextOf({ key, live, running, busy, pinned, archived, unread, elsewhere }: SessionFacts): string {
  const flags = { kept: key !== undefined, listed: key === undefined, live, running, busy, pinned, archived, unread, elsewhere };
  return ['session', ...Object.entries(flags).flatMap(([name, holds]) => (holds ? [name] : []))].join(' ');
}
