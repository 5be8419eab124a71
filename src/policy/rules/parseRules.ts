/** Reads the user's rules from a setting, which anyone may have written by hand. Pure. */
import path from 'node:path';
import { editDistance } from '../../util/editDistance';
import type { Effect } from '../rule';
import { parsePattern } from '../protection/pathPattern';
import { ruleIdOf } from './ruleId';
import type { UserRule } from './userRule';

/** The kinds of mistakes. `text/messages` has no words for them; `ruleProblems.ts` of the application has. */
export type RuleProblemCode =
  | 'not_a_list'
  | 'not_an_object'
  | 'effect'
  | 'unknown_member'
  | 'effect_as_member'
  | 'not_a_text'
  | 'not_texts'
  | 'no_subject'
  | 'two_subjects'
  | 'path'
  | 'command'
  | 'mcp'
  | 'host'
  | 'folder'
  | 'examples_without_subject'
  | 'match'
  | 'not_match'
  | 'too_many';

/** A mistake in a rule. */
export interface RuleProblem {
  readonly code: RuleProblemCode;
  /** The name of the member, the example, or the reason in the words of the reader of patterns. */
  readonly detail?: string;
  /** The member that the user probably meant. */
  readonly meant?: string;
}

/** A rule that is not in force, or only in part. */
export interface BrokenRule {
  /** The position in the setting, from 0. Undefined for the setting as a whole. */
  readonly index?: number;
  readonly id: string;
  readonly problem: RuleProblem;
  /** True when the rule may have denied something: nothing is allowed by a rule until it is repaired. */
  readonly suspendsAllows: boolean;
  /** The members of the rule that can be read, for a list. */
  readonly written: Partial<UserRule>;
  /** The beginning of the entry as it is written, in JSON. */
  readonly source: string;
}

export interface ParsedRules {
  readonly rules: readonly UserRule[];
  readonly broken: readonly BrokenRule[];
  /** The ids by the position in the setting. Copies of a rule have the same one. */
  readonly ids: readonly string[];
}

/** The maximum number of rules of one setting. Later ones would make each decision slow. */
export const MAX_RULES = 2000;
/** The maximum number of UTF-16 units of a member, and the most examples. */
const MAX_TEXT = 10_000;
const MAX_EXAMPLES = 100;
/** A pattern with more of them takes too long. */
const MAX_ANY_FOLDERS = 4;

/** The length up to which an unknown member is compared with the known ones. */
const MAX_NAME = 40;
const MAX_SOURCE = 200;

const EFFECTS: readonly Effect[] = ['allow', 'ask', 'deny'];
const TEXTS = ['id', 'agent', 'tool', 'path', 'command', 'mcp', 'host', 'folder', 'message'] as const;
const LISTS = ['match', 'notMatch'] as const;
const MEMBERS: ReadonlySet<string> = new Set(['effect', ...TEXTS, ...LISTS]);
/** A rule has at most one of these. */
const SUBJECTS = ['path', 'command', 'mcp', 'host'] as const;

/**
 * @param setting the value as it is written; undefined: none
 * @param only the effect of all rules of this setting, which they need not name
 */
export function parseRules(setting: unknown, only?: Effect): ParsedRules {
  if (setting === undefined || setting === null) {
    return { rules: [], broken: [], ids: [] };
  }
  if (!Array.isArray(setting)) {
    return {
      rules: [],
      broken: [{ id: 'setting', problem: { code: 'not_a_list' }, suspendsAllows: true, written: {}, source: sourceOf(setting) }],
      ids: [],
    };
  }
  const rules = new Map<string, UserRule>();
  const broken: BrokenRule[] = [];
  const ids: string[] = [];
  setting.forEach((written: unknown, index) => {
    const read = index < MAX_RULES ? readRule(written, only) : { problem: { code: 'too_many' } as const };
    if ('problem' in read) {
      const members = textsOf(written);
      const effect = only ?? members.effect;
      ids.push(`broken-${index}`);
      broken.push({
        index,
        id: `broken-${index}`,
        problem: read.problem,
        suspendsAllows: effect !== 'allow',
        written: members,
        source: sourceOf(written),
      });
      return;
    }
    const { rule } = read;
    const id = freeId(rule, rules);
    ids.push(id);
    rules.set(id, { ...rule, id });
  });
  return { rules: [...rules.values()], broken, ids };
}

/** Returns an id that no other rule has: two different rules with one id would hide each other. A copy is the same rule. */
function freeId(rule: UserRule, rules: ReadonlyMap<string, UserRule>): string {
  if (!rules.has(rule.id)) {
    return rule.id;
  }
  const content = ruleIdOf(rule);
  let id = content;
  for (let count = 2; rules.has(id) && ruleIdOf(rules.get(id)!) !== content; count++) {
    id = `${content}-${count}`;
  }
  return id;
}

/** Reads one rule. The examples are compared later, because those of commands need a parser. */
export function readRule(written: unknown, only?: Effect): { readonly rule: UserRule } | { readonly problem: RuleProblem } {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    return { problem: { code: 'not_an_object' } };
  }
  const fields = written as Readonly<Record<string, unknown>>;
  const problem = problemOf(fields, only);
  if (problem) {
    return { problem };
  }
  const effect = only ?? (fields['effect'] as Effect);
  const texts = Object.fromEntries(TEXTS.flatMap((name) => (fields[name] === undefined ? [] : [[name, (fields[name] as string).trim()]])));
  const lists = Object.fromEntries(LISTS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
  const body = { effect, ...texts, ...lists } as Omit<UserRule, 'id'> & { readonly id?: string };
  return { rule: { ...body, id: body.id ?? ruleIdOf(body) } };
}

function problemOf(fields: Readonly<Record<string, unknown>>, only: Effect | undefined): RuleProblem | undefined {
  const unknown = Object.keys(fields).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) {
    return unknownMember(unknown);
  }
  const { effect } = fields;
  const isEffect = only === undefined ? EFFECTS.includes(effect as Effect) : effect === undefined || effect === only;
  if (!isEffect) {
    return { code: 'effect', ...(typeof effect === 'string' && { detail: effect }) };
  }
  const noText = TEXTS.find((name) => fields[name] !== undefined && !isText(fields[name]));
  if (noText !== undefined) {
    return { code: 'not_a_text', detail: noText };
  }
  const noList = LISTS.find((name) => fields[name] !== undefined && !areTexts(fields[name]));
  if (noList !== undefined) {
    return { code: 'not_texts', detail: noList };
  }
  return subjectProblem(fields as unknown as Partial<UserRule>, only ?? (effect as Effect));
}

/** Some programs list the subjects by effect, as in `{ "allow": ["npm test"] }`. */
function unknownMember(name: string): RuleProblem {
  const effect = EFFECTS.find((each) => each === name.toLowerCase());
  if (effect) {
    return { code: 'effect_as_member', detail: effect };
  }
  const isShort = name.length <= MAX_NAME;
  const meant = isShort ? [...MEMBERS].find((each) => editDistance(each.toLowerCase(), name.toLowerCase()) <= each.length / 4) : undefined;
  return { code: 'unknown_member', detail: name, ...(meant !== undefined && { meant }) };
}

function subjectProblem(rule: Partial<UserRule>, effect: Effect): RuleProblem | undefined {
  const { tool, path: pattern, command, mcp, host, folder, match, notMatch } = rule;
  const subjects = SUBJECTS.filter((name) => rule[name] !== undefined);
  if (subjects.length > 1) {
    return { code: 'two_subjects', detail: subjects.join(', ') };
  }
  if (tool !== undefined && (command ?? mcp ?? host) !== undefined) {
    return { code: 'two_subjects', detail: ['tool', ...subjects].join(', ') };
  }
  // Everything is never allowed by a stored rule.
  if (effect === 'allow' && subjects.length === 0 && tool === undefined) {
    return { code: 'no_subject' };
  }
  if ((match ?? notMatch) !== undefined && subjects.length === 0 && tool === undefined) {
    return { code: 'examples_without_subject' };
  }
  if (pattern !== undefined && !isPattern(pattern)) {
    return { code: 'path', detail: pattern };
  }
  if (mcp !== undefined && !/^[^/\s][^/]*(?:\/[^/]+)?$/.test(mcp.trim())) {
    return { code: 'mcp', detail: mcp };
  }
  if (host !== undefined && !isHost(host.trim())) {
    return { code: 'host', detail: host };
  }
  if (folder !== undefined && !path.isAbsolute(folder.trim())) {
    return { code: 'folder', detail: folder };
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT;
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_EXAMPLES && value.every(isText);
}

function isPattern(text: string): boolean {
  const pattern = parsePattern(text);
  return pattern !== undefined && !pattern.names.includes('..') && pattern.names.filter((name) => name === '**').length <= MAX_ANY_FOLDERS;
}

/** True for a host name, or `*.` and one. A port, a path or a user is no part of it. */
function isHost(text: string): boolean {
  const name = text.startsWith('*.') ? text.slice(2) : text;
  if (name === '' || /[*/@?#\s\\]/.test(name) || (/:/.test(name) && !/^\[.*\]$/.test(name))) {
    return false;
  }
  return URL.canParse(`https://${name}/`) && (!text.startsWith('*.') || name.includes('.'));
}

/** The texts of a rule that cannot be used, for a list. */
function textsOf(written: unknown): Partial<UserRule> {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    return {};
  }
  const fields = written as Readonly<Record<string, unknown>>;
  const effect = EFFECTS.find((each) => each === fields['effect']);
  const texts = TEXTS.flatMap((name) => (isText(fields[name]) ? [[name, fields[name]]] : []));
  return { ...(effect && { effect }), ...(Object.fromEntries(texts) as Partial<UserRule>) };
}

/** The value comes from a settings file, so it has a JSON form. */
function sourceOf(written: unknown): string {
  return JSON.stringify(written).slice(0, MAX_SOURCE);
}

/** Returns the entries of a setting without a rule and its copies. */
export function withoutRule(written: readonly unknown[], id: string, only?: 'deny'): readonly unknown[] {
  const { ids } = parseRules(written, only);
  return written.filter((_, index) => ids[index] !== id);
}

/** Returns a rule that needs no check of examples. */
export function withoutExamples({ match: _, notMatch: __, ...rule }: UserRule): UserRule {
  return rule;
}
