/** The words of a permission's quick pick. Pure. Everything here but our own words was written by an agent. */
import { commandIn } from '../../core/approval/command';
import { headingOf, plainTitle } from '../../core/approval/heading';
import { columnsOf } from '../../text/characters/characters';
import type { PermissionOption } from '../../core/model/content';
import type { PendingPermission } from '../../permission/presenter';
import { breakable, type InertText, joined, own, visible } from '../shared/escape';
import { operationTextOf, type RuleOf } from './permissionSummary';
import type { Translate } from '../shared/translate';

const MAX_NAME = 120;
const MAX_TITLE = 160;
/** UTF-16 units of a sub-agent's name, which stands before the title of the request. */
const MAX_ASKER = 60;
/** So that what kind of answer it is can be read beside it. */
const MAX_OPTION = 60;
/** UTF-16 units of an operation that is not shown whole. */
const MAX_PREVIEW = 80;
/** Columns that the box of a quick pick shows in a window 500 px wide, 310 px of it; what is longer is cut off there without a sign. */
const BOX_COLUMNS = 36;
/** Columns that may go into the title, which VS Code breaks into lines: two in a wide window, five in a narrow one. */
const TITLE_COLUMNS = 120;
/** The longest word that no line is too narrow for. */
const WORD_COLUMNS = 16;

export interface PermissionRow {
  readonly label: InertText;
  readonly description: InertText;
  /** A codicon's id. */
  readonly icon: string;
  /** Absent: the row leads to the session. */
  readonly optionId?: string;
}

export interface PermissionWords {
  /** Who asks, and what; with what would be done, where that is longer than the box. */
  readonly title: InertText;
  /** What stands in the empty box: what would be done, where that fits. */
  readonly placeholder: InertText;
  /** The agent's options, in its order. Where what would be done cannot be seen whole: what rejects it, and the way to where it can. */
  readonly rows: readonly PermissionRow[];
}

/** @param ruleOf the rule that protects a file from writes, by its absolute path */
export function permissionWords(ask: PendingPermission, waiting: number, t: Translate, ruleOf: RuleOf = () => undefined): PermissionWords {
  const operation = operationTextOf(ask, t, ruleOf);
  const columns = columnsOf(operation.text);
  // A request that tells nothing else has asked for its title.
  const whole = operation.whole && columns <= TITLE_COLUMNS && (operation.text !== '' || ask.title.length <= MAX_TITLE);
  const inBox = !whole || columns <= BOX_COLUMNS;
  const title = titleOf(ask, waiting, t);
  return {
    title: inBox ? title : joined([title, breakable(operation.text, WORD_COLUMNS)], ' — '),
    placeholder: whole ? (inBox ? operation.text : t('Select an answer')) : visible(operation.text, MAX_PREVIEW),
    rows: whole
      ? ask.options.map((option) => rowOf(option, t))
      : [
          ...ask.options.filter(({ kind }) => kind === 'reject_once' || kind === 'reject_always').map((option) => rowOf(option, t)),
          { label: t('Show in Session'), description: t('Too long to show here'), icon: 'comment-discussion' },
        ],
  };
}

function titleOf(ask: PendingPermission, waiting: number, t: Translate): InertText {
  const agentName = visible(ask.agentName, MAX_NAME);
  const asker = ask.askedBy === undefined ? undefined : t('Sub-agent {name} asks', { name: visible(ask.askedBy, MAX_ASKER) || own('?') });
  const who = { agent: asker === undefined ? agentName : joined([agentName, asker], ': '), title: headingWords(ask, t) };
  return waiting > 1 ? t('{agent}: {title} (1 of {waiting})', { ...who, waiting }) : t('{agent}: {title}', who);
}

/** The request's title, without the command that stands beside it. */
function headingWords({ title, subject }: PendingPermission, t: Translate): InertText {
  const commands = [subject.command, commandIn(subject.rawInput)].filter((command) => command !== undefined);
  const heading = headingOf(plainTitle(title, '', subject.kind, commands[0]), commands);
  return visible(heading, MAX_TITLE) || (title.trim() === '' ? t('Permission') : t('Run command'));
}

function rowOf({ name, optionId, kind }: PermissionOption, t: Translate): PermissionRow {
  const label = visible(name, MAX_OPTION) || visible(optionId, MAX_OPTION) || t('(unnamed option)');
  const { words, icon } = kindOf(kind, t);
  return { label, description: words.toLowerCase() === label.toLowerCase() ? own('') : words, icon, optionId };
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
