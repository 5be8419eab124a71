/** The words of a permission's quick pick. Pure. Everything here but our own words was written by an agent. */
import type { Advice } from '../../core/advice/advice';
import { operationOf } from '../../core/approval/operation';
import { type AlikeAnswer, type AlikeKind, alikeAnswers } from '../../core/approval/alikeAnswers';
import { floodOf } from '../../core/approval/questionFlood';
import { saysKind } from '../../core/approval/optionName';
import type { SessionEvent } from '../../core/model/event';
import { ruleText } from '../../core/model/answeringRule';
import { entryIdOf, isAbsent, type PermissionEntry } from '../../core/model/state';
import type { Disposable } from '../../core/platform/disposable';
import { outdatedText } from '../../text/messages/outdated';
import { riskText } from '../../text/messages/risks';
import { ruleOfferText } from '../../text/messages/userRules';
import { toolKindLabel } from '../../text/transcript/toolKinds';
import { columnsOf } from '../../text/characters/characters';
import type { PermissionOption } from '../../core/model/content';
import type { PendingPermission } from '../../session/permission/presenter';
import { breakable, type InertText, joined, own, inertLine } from '../shared/escape';
import { operationTextOf, type RuleOf } from './permissionSummary';
import type { Translate } from '../shared/translate';

const MAX_NAME = 120;
const MAX_FILE = 60;
const MAX_TITLE = 160;
/** The maximum number of UTF-16 units of a sub-agent's name, which is shown before the title of the request. */
const MAX_ASKER = 60;
/** The maximum number of UTF-16 units of an option's name. It leaves room for the kind of answer next to it. */
const MAX_OPTION = 60;
/** Buttons for diffs. The card has them all. */
const MAX_DIFFS = 3;
/** UTF-16 units of an operation that is not shown whole. */
const MAX_PREVIEW = 80;
/** Columns that the box of a quick pick shows in a window 500 px wide, 310 px of it; what is longer is cut off there without a sign. */
const BOX_COLUMNS = 36;
/**
 * Columns that may go into the title, which VS Code breaks into lines and never cuts off: 6 lines in a wide window, 15 in one 500 px wide. More would
 * push the answers out of a low window.
 */
const TITLE_COLUMNS = 360;
/** Columns of a row in a wide window. A rule that is longer is offered only on the card, because its effect could not be read. */
const RULE_COLUMNS = 80;
/** The longest word that no line is too narrow for. */
const WORD_COLUMNS = 16;

export interface PermissionRow {
  readonly label: InertText;
  readonly description: InertText;
  /** A codicon's id. */
  readonly icon: string;
  /** Absent: the row leads to the session, or answers many questions. */
  readonly optionId?: string;
  /** Answers all questions that wait alike. */
  readonly alike?: Alike;
}

export interface Alike {
  readonly kind: AlikeKind;
  readonly answers: readonly AlikeAnswer[];
}

/** A rule that the user can make, which also answers the request. */
export interface RuleRow {
  readonly label: InertText;
  readonly suggestionId: string;
}

/** A proposed change that can be opened as a diff, by its place in the entry. */
export interface ProposedDiff {
  readonly entryId: string;
  readonly content: number;
  readonly change: number;
  /** The button's tooltip. */
  readonly label: InertText;
}

export interface PermissionStrings {
  /** Names the agent and the request, and the operation if it is longer than the box. */
  readonly title: InertText;
  /** The placeholder of the empty box: the operation, if it fits. */
  readonly placeholder: InertText;
  /** The agent's options, in its order. Where what would be done cannot be seen whole: what rejects it, and the way to where it can. */
  readonly rows: readonly PermissionRow[];
  /** The first changes of the request that have a diff. */
  readonly diffs: readonly ProposedDiff[];
  /** Empty where what would be done cannot be seen whole. */
  readonly rules: readonly RuleRow[];
}

/** @param ruleOf the rule that protects a file from writes, by its absolute path */
export function permissionStrings(
  ask: PendingPermission,
  waiting: number,
  t: Translate,
  ruleOf: RuleOf = () => undefined,
): PermissionStrings {
  const heading = headingOf(ask, t);
  const operation = operationTextOf(ask, t, ruleOf);
  const text = heading.saysRun ? (operation.command ?? operation.text) : operation.text;
  const columns = columnsOf(text);
  // A request without any detail asks for what its title says.
  const whole = operation.whole && columns <= TITLE_COLUMNS && (text !== '' || ask.title.length <= MAX_TITLE);
  const inBox = !whole || columns <= BOX_COLUMNS;
  const advice = entryOf(ask)?.subject.advice;
  // The text of a change names the rule that protects the file from writes. The text of a read names none.
  const isNamed = (ask.subject.content ?? []).some((each) => each.type === 'diff' && each.changes.some(({ path }) => ruleOf(path)));
  const facts = adviceText(ask, advice, isNamed, t);
  const named = withWarning(titleOf(ask, heading.words, waiting, t), ask, t);
  const hasRoom = facts !== '' && columnsOf(facts) + (inBox ? 0 : columns) <= TITLE_COLUMNS;
  const title = hasRoom ? joined([named, facts], ' — ') : named;
  return {
    title: inBox ? title : joined([title, breakable(text, WORD_COLUMNS)], ' — '),
    placeholder: whole ? (inBox ? text : t('Select an answer')) : inertLine(text, MAX_PREVIEW),
    rows: [
      ...(whole
        ? ask.options.map((option) => rowOf(option, t))
        : [
            ...ask.options.filter(({ kind }) => kind === 'reject_once' || kind === 'reject_always').map((option) => rowOf(option, t)),
            { label: t('Show in Session'), description: t('Too long to show here'), icon: 'comment-discussion' },
          ]),
      ...alikeRows(ask, t),
    ],
    diffs: diffsOf(ask, t),
    rules: whole ? rulesOf(advice, t) : [],
  };
}

/** Returns the rows that answer many questions at once. */
function alikeRows({ store }: PendingPermission, t: Translate): readonly PermissionRow[] {
  const questions = store ? floodOf(store.state) : [];
  const row = (kind: AlikeKind, label: (values: { count: number }) => InertText, icon: string): readonly PermissionRow[] => {
    const answers = questions.length === 0 || !store ? [] : alikeAnswers(questions, kind, store.state);
    const alike = { kind, answers };
    return answers.length < 2 ? [] : [{ label: label({ count: answers.length }), description: t('Answers all alike'), icon, alike }];
  };
  return [
    ...row('allow_once', (values) => t('Allow {count} questions once', values), 'check-all'),
    ...row('reject_once', (values) => t('Reject {count} questions', values), 'close-all'),
  ];
}

/** Returns the diffs of the request, which has those of its tool call if it has none of its own. */
function diffsOf({ subject, permissionId, call }: PendingPermission, t: Translate): readonly ProposedDiff[] {
  const places = (subject.content ?? []).flatMap((each, index) => {
    const inCall = call?.content.indexOf(each) ?? -1;
    const at = inCall < 0 ? { entryId: entryIdOf.permission(permissionId), content: index } : { entryId: call!.entryId, content: inCall };
    const changes = each.type === 'diff' ? each.changes : [];
    return changes.flatMap(({ path, oldText, newText }, change) => {
      const isShown = (oldText ?? newText) !== undefined || (each.type === 'diff' && each.patch !== undefined);
      return isShown ? [{ ...at, change, path }] : [];
    });
  });
  return places.slice(0, MAX_DIFFS).map(({ path, ...place }) => {
    const file = inertLine(path.split(/[\\/]/).at(-1)!, MAX_NAME);
    return { ...place, label: places.length === 1 ? t('Open Diff') : t('Open Diff of {file}', { file }) };
  });
}

function titleOf(ask: PendingPermission, heading: InertText, waiting: number, t: Translate): InertText {
  const agentName = inertLine(ask.agentName, MAX_NAME);
  const asker = ask.askedBy === undefined ? undefined : t('Sub-agent {name} asks', { name: inertLine(ask.askedBy, MAX_ASKER) || own('?') });
  const who = { agent: asker === undefined ? agentName : joined([agentName, asker], ': '), title: heading };
  return waiting > 1 ? t('{agent}: {title} (1 of {waiting})', { ...who, waiting }) : t('{agent}: {title}', who);
}

function withWarning(title: InertText, ask: PendingPermission, t: Translate): InertText {
  const paths = outdatedPaths(ask);
  if (paths.length === 0) {
    return title;
  }
  const agent = inertLine(ask.agentName, MAX_NAME);
  return joined([title, outdatedText(paths, agent, t, (name) => inertLine(name, MAX_FILE))], ' — ');
}

function outdatedPaths(ask: PendingPermission): readonly string[] {
  return entryOf(ask)?.outdated ?? [];
}

function entryOf({ store, permissionId }: PendingPermission): PermissionEntry | undefined {
  const entry = store?.state.entries.get(entryIdOf.permission(permissionId));
  return entry?.kind === 'permission' && !isAbsent(entry) ? entry : undefined;
}

/** Returns the rule that asks or that protects a file, and the risks. @param isNamed the operation's text names the protecting rule */
function adviceText({ subject }: PendingPermission, advice: Advice | undefined, isNamed: boolean, t: Translate): InertText {
  const { why, risks = [] } = advice ?? {};
  const rule = why && !subject.reason ? inertLine(ruleText({ id: '', reason: why }), MAX_TITLE) : own('');
  const words = risks.flatMap((risk) => riskText(risk, t) ?? []).map((each) => inertLine(each));
  return joined([...reasonWords(why?.code, rule, isNamed, t), ...words], ' · ');
}

function reasonWords(code: string | undefined, rule: InertText, isNamed: boolean, t: Translate): readonly InertText[] {
  if (code === 'rule') {
    return rule === '' ? [] : [t('required by the rule {rule}', { rule })];
  }
  const isProtected = code === 'protected_path' || code === 'protected_path_overwritten';
  return isProtected && !isNamed ? [t('protected by the rule {rule}', { rule })] : [];
}

function rulesOf(advice: Advice | undefined, t: Translate): readonly RuleRow[] {
  return (advice?.suggestions ?? [])
    .map(({ id, rule, scope }) => ({ label: inertLine(ruleOfferText(rule, scope, t)), suggestionId: id }))
    .filter(({ label }) => columnsOf(label) <= RULE_COLUMNS);
}

/** Calls `listener` when files of the request have changed, or the host's advice has come, until disposed. */
export function followRequest({ store, permissionId }: PendingPermission, listener: () => void): Disposable {
  const isOf = (event: SessionEvent): boolean =>
    (event.type === 'permission_outdated' || event.type === 'permission_advised') && event.permissionId === permissionId;
  return store?.onEvents((_, events) => void (events.some(isOf) && listener())) ?? { dispose: () => undefined };
}

/** Returns the name that the request has on its card. `saysRun` means that the name is no more than that a command would run. */
export function headingOf(ask: PendingPermission, t: Translate): { readonly words: InertText; readonly saysRun: boolean } {
  const { permissionId, title, description, options, subject, call, cwd } = ask;
  const request: PermissionEntry = {
    kind: 'permission',
    entryId: entryIdOf.permission(permissionId),
    at: 0,
    permissionId,
    title,
    ...(description !== undefined && { description }),
    options,
    subject,
  };
  const { heading, command, written } = operationOf(request, { call, cwd, alone: call === undefined });
  const words = inertLine(heading, MAX_TITLE);
  if (words !== '') {
    return { words, saysRun: false };
  }
  if (command !== undefined || written !== undefined) {
    return { words: t('Run command'), saysRun: true };
  }
  return { words: call ? inertLine(toolKindLabel(call.toolKind, t, String), MAX_OPTION) : t('Permission'), saysRun: false };
}

function rowOf(option: PermissionOption, t: Translate): PermissionRow {
  const { name, optionId, kind } = option;
  const label = inertLine(name, MAX_OPTION) || inertLine(optionId, MAX_OPTION) || t('(unnamed option)');
  const { words, icon } = kindOf(kind, t);
  const isSaid = saysKind(option) || words.toLowerCase() === label.toLowerCase();
  return { label, description: isSaid ? own('') : words, icon, optionId };
}

/** Nothing is said of kinds we do not know: never call those an approval. */
function kindOf(kind: string, t: Translate): { readonly words: InertText; readonly icon: string } {
  switch (kind) {
    case 'allow_once':
      return { words: t('Allow once'), icon: 'pass' };
    case 'allow_always':
      return { words: t('Always allow'), icon: 'check-all' };
    case 'reject_once':
      return { words: t('Reject once'), icon: 'close' };
    case 'reject_always':
      return { words: t('Always reject'), icon: 'circle-slash' };
    default:
      return { words: own(''), icon: 'question' };
  }
}
