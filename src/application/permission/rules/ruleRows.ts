/** The rows of the list of permission rules: the rules by their effect, and the last denials. Pure. */
import type { RuleOriginName, StoredRule } from '../../../policy/rules/userRule';
import { shortPath } from '../../../core/toolCalls/titles';
import { modeLabel, modeOfCode } from '../../../text/messages/permissionModeNames';
import { userRuleText } from '../../../text/messages/userRules';
import { inert, type InertText, inertLine, joined } from '../../shared/escape';
import { relativeTime } from '../../shared/relativeTime';
import type { Translate } from '../../shared/translate';
import type { RecentDenial } from './denials';

const MAX_LABEL = 200;
const MAX_TEXT = 1000;
const EFFECTS = ['deny', 'ask', 'allow'] as const;

export interface RuleRow {
  readonly id: string;
  /** The id of the group. Undefined for a group. */
  readonly parent?: string;
  readonly label: InertText;
  readonly description?: InertText;
  readonly tooltip?: InertText;
  /** A codicon's id. Undefined for a group. */
  readonly icon?: string;
  /** The words that `when` clauses in package.json read. */
  readonly context: string;
  readonly rule?: StoredRule;
  readonly denial?: RecentDenial;
}

export interface RuleFacts {
  /** All rules of the window. A rule may be listed more than once. */
  readonly rules: readonly StoredRule[];
  readonly denials: readonly RecentDenial[];
  /** ms since the epoch. */
  readonly now: number;
  /** A BCP 47 tag. */
  readonly language: string;
}

/** Returns the groups and their rows, each group before its rows. A group without rows is left out. */
export function ruleRows({ rules, denials, now, language }: RuleFacts, t: Translate): readonly RuleRow[] {
  const ago = (at: number): InertText => inert(relativeTime(at, now, language));
  const byId = new Map(rules.map((each) => [idOf(each), each]));
  const sorted = EFFECTS.flatMap((effect) => [...byId].filter(([, { rule }]) => rule.effect === effect));
  return [
    ...groupOf('rules', t('Rules'), sorted, ([id, stored]) => ruleRow(id, stored, ago, t)),
    ...groupOf('denied', t('Recently Denied'), denials, (denial) => denialRow(denial, ago, t)),
  ];
}

function groupOf<T>(id: string, label: InertText, items: readonly T[], row: (item: T) => RuleRow): readonly RuleRow[] {
  return items.length === 0 ? [] : [{ id, label, context: 'group' }, ...items.map((item) => ({ ...row(item), parent: id }))];
}

/** Rules of different origins may have the same content, and mistakes of different settings the same number. */
function idOf({ rule, from, problem = '' }: StoredRule): string {
  return isBroken(rule.id) ? `${from}:${rule.id}:${problem}` : `${from === 'session' || from === 'workspace' ? from : 'user'}:${rule.id}`;
}

/** True for an entry of the settings that is not a rule, so that only its text can be changed. */
function isBroken(id: string): boolean {
  return id === 'setting' || id.startsWith('broken-');
}

function ruleRow(id: string, stored: StoredRule, ago: (at: number) => InertText, t: Translate): RuleRow {
  const { rule, from, lastUsed, problem, isUnconfirmed, source } = stored;
  const text = source ?? userRuleText(rule, t);
  // The folder's path would hide the description.
  const short =
    source !== undefined || rule.folder === undefined
      ? text
      : userRuleText({ ...rule, folder: rule.folder.split(/[\\/]/).findLast(Boolean) ?? '/' }, t);
  const origin = originText(from, t);
  const used = lastUsed === undefined ? t('not used yet') : t('used {time}', { time: ago(lastUsed) });
  const isRevocable = from !== 'workspace' && !isBroken(rule.id);
  return {
    id,
    label: inertLine(short, MAX_LABEL),
    description: problem === undefined ? joined([origin, used], ' · ') : joined([inertLine(problem, MAX_LABEL), origin], ' · '),
    tooltip: joined(
      [
        inertLine(text, MAX_TEXT),
        ...(problem === undefined ? [] : [inertLine(problem, MAX_TEXT)]),
        ...(rule.message === undefined ? [] : [t('The agent receives: {message}', { message: inertLine(rule.message, MAX_TEXT) })]),
        joined([origin, used], ' · '),
      ],
      '\n',
    ),
    icon: problem === undefined ? iconOf(rule.effect) : 'warning',
    context: ['rule', ...(isRevocable ? ['revocable'] : []), ...(isUnconfirmed ? ['unconfirmed'] : [])].join(' '),
    rule: stored,
  };
}

function denialRow(denial: RecentDenial, ago: (at: number) => InertText, t: Translate): RuleRow {
  const { id, at, title, cwd, ruleId, allow, deny } = denial;
  const description = joined([denierText(denial, t), ago(at)], ' · ');
  const { name, folder } = namedFile(title, cwd);
  const offers = [
    ...(allow ? [t('Allow in This Folder: {rule}', { rule: inertLine(userRuleText(allow, t), MAX_TEXT) })] : []),
    ...(deny ? [t('Always Deny: {rule}', { rule: inertLine(userRuleText(deny, t), MAX_TEXT) })] : []),
  ];
  return {
    id,
    label: inertLine(name, MAX_LABEL),
    description: folder === '' ? description : joined([inertLine(folder, MAX_LABEL), description], ' · '),
    tooltip: joined([inertLine(title, MAX_TEXT), description, ...offers], '\n'),
    icon: 'circle-slash',
    context: ['denial', ...(allow ? ['allowable'] : []), ...(deny ? ['deniable'] : []), ...(ruleId === undefined ? [] : ['ruled'])].join(
      ' ',
    ),
    denial,
  };
}

/** Returns a title that is an absolute path as the file's name and its folder, relative to the session's. The folder is '' for any other title. */
function namedFile(title: string, cwd: string): { readonly name: string; readonly folder: string } {
  const path = /^(?:[a-z]:[\\/]|\/)/i.test(title) ? shortPath(title, cwd) : '';
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const name = path.slice(at + 1);
  return name === '' ? { name: title, folder: '' } : { name, folder: path.slice(0, Math.max(0, at)) };
}

function denierText({ rule, code }: RecentDenial, t: Translate): InertText {
  const mode = modeOfCode(code);
  if (mode) {
    return t('by the permission mode {mode}', { mode: inertLine(modeLabel(mode, t)) });
  }
  if (rule === undefined) {
    return t('by you');
  }
  return code === 'answered_before' ? t('by your earlier answer') : t('by the rule {rule}', { rule: inertLine(rule, MAX_LABEL) });
}

function originText(from: RuleOriginName, t: Translate): InertText {
  switch (from) {
    case 'settings':
      return t('in your settings');
    case 'card':
      return t('made on a request');
    case 'import':
      return t('imported');
    case 'workspace':
      return t('in the settings of the workspace');
    case 'session':
      return t('for a session');
  }
}

function iconOf(effect: StoredRule['rule']['effect']): string {
  switch (effect) {
    case 'deny':
      return 'circle-slash';
    case 'ask':
      return 'question';
    case 'allow':
      return 'pass';
  }
}
