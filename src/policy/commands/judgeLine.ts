/** The effect of rules on a whole command line. Pure. */
import type { Effect } from '../rule';
import { isEvaluated } from './builtins';
import { type CommandPattern, fitsCommand, parsePattern, programKey, READS_ONLY_PATTERN } from './patterns';
import type { CommandReading, CommandSegment } from './reading';

/** A rule about commands. */
export interface LineRule {
  readonly id: string;
  readonly effect: Effect;
  readonly pattern: string;
}

interface SegmentVerdict {
  /** Undefined when no rule names the command. */
  readonly effect: Effect | undefined;
  readonly ruleIds: readonly string[];
}

export interface LineVerdict {
  /** Undefined: no rule denies or asks, and not all of the line is allowed. */
  readonly effect: Effect | undefined;
  readonly ruleIds: readonly string[];
  /** One for each segment of the reading. */
  readonly segments: readonly SegmentVerdict[];
}

interface Parsed extends LineRule {
  readonly parsed: CommandPattern;
}

/**
 * Judges a line by all of its commands. Deny beats ask, and ask beats allow. The line is allowed when nothing about it is in doubt and each
 * command is allowed, or when a rule holds exactly this line.
 * @param mayAllow false for a line whose environment or program is not the one that its text names
 */
export function judgeLine(line: string, { segments, doubts }: CommandReading, rules: readonly LineRule[], mayAllow: boolean): LineVerdict {
  const index = indexOf(rules);
  const parsed = index.all;
  const text = line.trim();
  const exact = mayAllow
    ? parsed.find(({ effect, parsed: { text: wanted, takesArguments } }) => effect === 'allow' && !takesArguments && wanted === text)
    : undefined;
  const verdicts = segments.map((segment) => ofSegment(segment, index));
  const of = (effect: Effect): readonly string[] => [
    ...new Set([
      ...verdicts.filter((each) => each.effect === effect).flatMap(({ ruleIds }) => ruleIds),
      ...parsed.filter((rule) => rule.effect === effect && effect !== 'allow' && rule.parsed.text === text).map(({ id }) => id),
    ]),
  ];
  const [denials, questions] = [of('deny'), of('ask')];
  if (denials.length > 0) {
    return { effect: 'deny', ruleIds: denials, segments: verdicts };
  }
  if (questions.length > 0) {
    return { effect: 'ask', ruleIds: questions, segments: verdicts };
  }
  if (exact) {
    return { effect: 'allow', ruleIds: [exact.id], segments: segments.map(() => ({ effect: 'allow', ruleIds: [exact.id] })) };
  }
  const areAllowed = segments.every((segment, at) => verdicts[at]!.effect === 'allow' || isGlue(segment, segments, verdicts));
  const isAllowed = mayAllow && doubts.length === 0 && areAllowed && verdicts.some(({ effect }) => effect === 'allow');
  return { effect: isAllowed ? 'allow' : undefined, ruleIds: isAllowed ? of('allow') : [], segments: verdicts };
}

/** The rules by the programs that they name. */
interface RuleIndex {
  readonly all: readonly Parsed[];
  /** Rules without a certain program. */
  readonly open: readonly Parsed[];
  readonly byProgram: ReadonlyMap<string, readonly Parsed[]>;
}

const indexes = new WeakMap<readonly LineRule[], RuleIndex>();

function indexOf(rules: readonly LineRule[]): RuleIndex {
  const known = indexes.get(rules);
  if (known) {
    return known;
  }
  const all = rules.flatMap((rule): readonly Parsed[] => {
    const pattern = parsePattern(rule.pattern);
    return pattern ? [{ ...rule, parsed: pattern }] : [];
  });
  const byProgram = new Map<string, Parsed[]>();
  const open: Parsed[] = [];
  for (const rule of all) {
    const [program] = rule.parsed.words;
    const key = program === undefined || rule.parsed.text === READS_ONLY_PATTERN ? undefined : programKey(program);
    const list = key === undefined ? open : (byProgram.get(key) ?? []);
    list.push(rule);
    void (key !== undefined && byProgram.set(key, list));
  }
  const index = { all, open, byProgram };
  indexes.set(rules, index);
  return index;
}

function ofSegment(segment: CommandSegment, index: RuleIndex): SegmentVerdict {
  const inner = segment.inner.map((each) => ofSegment(each, index));
  const [program] = segment.words;
  const rules = program === undefined ? index.open : [...(index.byProgram.get(programKey(program)) ?? []), ...index.open];
  const fitting = (effect: Effect): readonly string[] =>
    rules.filter((rule) => rule.effect === effect && fitsCommand(rule.parsed, segment, effect)).map(({ id }) => id);
  for (const effect of ['deny', 'ask'] as const) {
    const ids = [...fitting(effect), ...inner.filter((each) => each.effect === effect).flatMap(({ ruleIds }) => ruleIds)];
    if (ids.length > 0) {
      return { effect, ruleIds: ids };
    }
  }
  // Output of a group of commands is a segment without words.
  if (segment.words.length === 0) {
    return { effect: segment.isTransparent && segment.assigns.length === 0 ? 'allow' : undefined, ruleIds: [] };
  }
  const own = fitting('allow');
  // The user has written this command with all of its words, or names the program that runs inside.
  const isNamed = rules.some(({ id, parsed }) => own.includes(id) && (!parsed.takesArguments || namesInner(parsed, segment)));
  const areInner = inner.length > 0 && inner.every(({ effect }) => effect === 'allow');
  const isCovered = inner.length === 0 ? own.length > 0 : isNamed || (areInner && (segment.isTransparent || own.length > 0));
  return isCovered
    ? { effect: 'allow', ruleIds: [...own, ...inner.flatMap(({ ruleIds }) => ruleIds)] }
    : { effect: undefined, ruleIds: [] };
}

/** True when the words of the pattern include the program inside, with arguments that a rule for that program covers. */
function namesInner({ words: wanted, text, takesArguments }: CommandPattern, { words, inner: [only, ...more] }: CommandSegment): boolean {
  const at = words.length - (only?.words.length ?? 0);
  const isTail = only !== undefined && more.length === 0 && at > 0 && only.words.every((word, index) => word === words[at + index]);
  return (
    isTail && only.inner.length === 0 && wanted.length > at && fitsCommand({ text, words: wanted.slice(at), takesArguments }, only, 'allow')
  );
}

/**
 * True for a command that only holds others together: a change to a folder below, `true`, or a text without anything to expand. It needs another
 * command that a rule allows.
 */
function isGlue(
  { words, assigns, inner, redirections, staysInside }: CommandSegment,
  all: readonly CommandSegment[],
  verdicts: readonly SegmentVerdict[],
): boolean {
  const [program, ...rest] = words;
  if (program === undefined || assigns.length > 0 || inner.length > 0 || rest.some((word) => word === undefined)) {
    return false;
  }
  const isOther = all.some((_, at) => verdicts[at]!.effect === 'allow' && verdicts[at]!.ruleIds.length > 0);
  switch (program) {
    case 'cd':
    case 'Set-Location':
      return isOther && (isInside(rest) || (staysInside === true && rest.filter((word) => word !== '--').length === 1));
    case 'true':
    case ':':
    case 'false':
    case 'pwd':
      return isOther && rest.length === 0;
    case 'set':
      // The reader doubts all of its options but those that end a line at a failure.
      return isOther && rest.length > 0;
    case 'Write-Host':
    case 'Write-Output':
      return isOther && redirections.length === 0 && rest.every((word) => !word?.startsWith('-'));
    case 'echo':
    case 'printf':
      // Some shells evaluate numbers of `printf`.
      return isOther && redirections.every(({ access }) => access === 'reads') && (program === 'echo' || rest.every(isPlainText));
    default:
      return false;
  }
}

function isPlainText(word: string | undefined, at: number): boolean {
  return word !== undefined && !(at === 0 && word.startsWith('-')) && !isEvaluated(word);
}

function isInside(rest: readonly (string | undefined)[]): boolean {
  const [target, ...more] = rest[0] === '--' ? rest.slice(1) : rest;
  const isBelow = target !== undefined && target !== '' && !/^[/\\~-]|^[A-Za-z]:/.test(target) && !/[*?[\]]/.test(target);
  return more.length === 0 && isBelow && target.split(/[\\/]/).every((name) => name !== '..');
}
