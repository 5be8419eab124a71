/** The texts of a row in the sessions view. Pure. */
import path from 'node:path';
import { clockTime } from '../../text/messages/clockTime';
import { inert, type InertText, joined, inertLine } from '../shared/escape';
import { relativeTime } from '../shared/relativeTime';
import { titleLabel } from '../shared/sessionTitle';
import type { Translate } from '../shared/translate';
import type { RowStatus, SessionFacts } from './sessionFacts';
import type { AgentListState, GroupNode, TreeNode } from './tree';

/** UTF-16 units of a title in a row, and in its tooltip. */
const MAX_TITLE = 60;
/** A title that leaves room for the state that the user must act on, in a side bar of 300 px. */
const MAX_ASKING_TITLE = 24;
const MAX_WHOLE_TITLE = 400;
const MAX_NAME = 80;
const MAX_FOLDER = 60;
const MAX_PATH = 300;
const MINUTE_MS = 60_000;

export interface RowStrings {
  readonly label: InertText;
  readonly description?: InertText;
  readonly tooltip?: InertText;
  /** The text for screen readers, in place of label and description. */
  readonly spoken?: InertText;
  /** The words that the menus' `viewItem` clauses test, separated by spaces. */
  readonly context: string;
}

export interface RowTextFacts {
  /** ms since the epoch */
  readonly now: number;
  /** BCP 47 */
  readonly language: string;
  /** Returns the name of a workspace folder; undefined for any other folder. */
  folderName(folder: string): string | undefined;
  /** True when the rows can belong to several folders, so that a row of this folder names it. */
  namesFolder(folder: string): boolean;
}

export function rowStrings(node: TreeNode, facts: RowTextFacts, t: Translate): RowStrings {
  switch (node.kind) {
    case 'group':
      return { label: groupLabel(node, facts, t), ...(node.count > 0 && { description: inert(String(node.count)) }), context: 'group' };
    case 'session':
      return sessionStrings(node.facts, facts, t);
    case 'more':
      return { label: t('Show More…'), description: inert(String(node.left)), context: 'more' };
    case 'agent':
      return { label: agentListLabel(node.agentName, node.state, t), context: 'agent' };
  }
}

function groupLabel({ of }: GroupNode, { folderName }: RowTextFacts, t: Translate): InertText {
  switch (of.type) {
    case 'folder':
      return inertLine(folderName(of.folder) ?? path.basename(of.folder) ?? of.folder, MAX_FOLDER);
    case 'agent':
      return inertLine(of.agentName, MAX_NAME);
    case 'active':
      return t('In Progress');
    case 'recent':
      return t('Recent');
    case 'archived':
      return t('Archived');
    case 'elsewhere':
      return of.hasSessions ? (of.hasAgents ? t('Other Folders and Agent History') : t('Other Folders')) : t('Agent History');
  }
}

function agentListLabel(agentName: string, state: AgentListState, t: Translate): InertText {
  const agent = inertLine(agentName, MAX_NAME);
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

function sessionStrings(facts: SessionFacts, clock: RowTextFacts, t: Translate): RowStrings {
  const { now, language, folderName, namesFolder } = clock;
  const { title, agentName, cwd, changes, pinned, elsewhere } = facts;
  // Seconds are not shown, because such a list would change constantly.
  const at = facts.at > 0 && now - facts.at < MINUTE_MS ? now : facts.at;
  const label = titleLabel(title, isAsking(facts) ? MAX_ASKING_TITLE : MAX_TITLE) || inertLine(agentName, MAX_NAME);
  const whole = inertLine(title, MAX_WHOLE_TITLE) || label;
  const time = at === 0 ? [] : [inert(relativeTime(at, now, language, 'amount'))];
  const folder = inertLine(folderName(cwd) ?? (path.basename(cwd) || cwd), MAX_FOLDER);
  const counts = changes ? [inert(`+${changes.added} −${changes.removed}`)] : [];
  const [needs] = NAMED.has(facts.status) ? statusTexts(facts, clock, t) : [];
  const remote = elsewhere ? [t('open in another window')] : remoteText(facts, t);
  const state = [...statusTexts(facts, clock, t), ...workingSubagents(facts, t), ...remote];
  // Agents keep sessions in memory for a while, so that alone is in the tooltip only.
  const away = facts.atAgent === 'open' ? [] : remote;
  const agent = inertLine(agentName, MAX_NAME);
  const long = at === 0 ? [] : [inert(relativeTime(at, now, language))];
  const place = t('{agent} in {folder}', { agent, folder: inertLine(cwd, MAX_PATH) });
  return {
    label,
    // The icon shows the state. The row's text adds only a state that the user must act on or wait for. A narrow side bar cuts the end off.
    description: joined(
      [...(needs ? [needs] : []), ...(facts.namesAgent ? [agent] : []), ...away, ...time, ...counts, ...(namesFolder(cwd) ? [folder] : [])],
      ' · ',
    ),
    tooltip: joined(
      [
        whole,
        place,
        joined([...state, ...(pinned ? [t('pinned')] : []), ...long], ' · '),
        ...(changes ? [linesChanged(changes, t)] : []),
      ].filter((line) => line !== ''),
      '\n',
    ),
    spoken: joined(
      [whole, ...state, ...(pinned ? [t('pinned')] : []), place, ...long, ...(changes ? [linesChanged(changes, t)] : [])],
      ', ',
    ),
    context: contextOf(facts),
  };
}

/** The statuses that a row's text names beside their icon. */
const NAMED: ReadonlySet<RowStatus> = new Set<RowStatus>(['needsYou', 'interrupted', 'limited']);

function isAsking({ status, isUnresponsive }: SessionFacts): boolean {
  return status === 'needsYou' && !isUnresponsive;
}

/** Returns no text for a resting session. */
function statusTexts(
  { status, isUnresponsive, needsInput, askedBy, continuesAt }: SessionFacts,
  { now, language }: Pick<RowTextFacts, 'now' | 'language'>,
  t: Translate,
): InertText[] {
  if (isUnresponsive) {
    return [t('not responding to Stop')];
  }
  switch (status) {
    case 'needsYou':
      return [
        needsInput
          ? t('needs input')
          : askedBy === undefined
            ? t('needs your answer')
            : t('sub-agent {name} needs your answer', { name: inertLine(askedBy, MAX_NAME) }),
      ];
    case 'working':
      return [t('working')];
    case 'done':
      return [t('done')];
    case 'failed':
      return [t('failed')];
    case 'limited':
      return [continuesAt === undefined ? t('at its limit') : t('waits until {time}', { time: clockTime(continuesAt, now, language) })];
    case 'interrupted':
      return [t('interrupted')];
    case 'resting':
      return [];
  }
}

/** Returns the state of a session that another client of the agent may use. */
function remoteText({ atAgent }: SessionFacts, t: Translate): InertText[] {
  switch (atAgent) {
    case 'working':
      return [t('working at the agent')];
    case 'needsYou':
      return [t('needs an answer at the agent')];
    case 'open':
      return [t('open at the agent')];
    case undefined:
      return [];
  }
}

function workingSubagents({ subagents }: SessionFacts, t: Translate): InertText[] {
  return subagents === undefined ? [] : [subagents === 1 ? t('1 sub-agent works') : t('{count} sub-agents work', { count: subagents })];
}

function linesChanged({ files, added, removed }: NonNullable<SessionFacts['changes']>, t: Translate): InertText {
  return files === 1
    ? t('1 file changed, {added} lines added, {removed} removed', { added, removed })
    : t('{files} files changed, {added} lines added, {removed} removed', { files, added, removed });
}

/** Returns the words for the `viewItem` clauses of package.json. */
function contextOf(facts: SessionFacts): string {
  const { key, live, running, busy, pinned, archived, unread, elsewhere } = facts;
  const asking = isAsking(facts);
  const flags = { kept: key !== undefined, listed: key === undefined, live, running, busy, asking, pinned, archived, unread, elsewhere };
  return ['session', ...Object.entries(flags).flatMap(([name, holds]) => (holds ? [name] : []))].join(' ');
}
