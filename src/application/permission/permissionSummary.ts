/**
 * Describes a permission request's operation in one line. Pure. The fields that the agent's own code filled in (a command subject, a diff, the
 * kind of the tool, paths) come first. Its raw input, which a model wrote, comes after them and never replaces them.
 */
import { isHostQuestion } from '../../core/approval/requests';
import { commandIn, cwdIn } from '../../core/approval/command';
import { environmentIn } from '../../core/approval/environment';
import { hasLineBreak } from '../../text/characters/characters';
import { type CountBudget, lineCounts } from '../../core/fileChanges/lineCounts';
import type { FileChange, PermissionSubject, ToolContent } from '../../core/model/content';
import { alignedTexts } from '../../core/toolCalls/fitOfChange';
import type { PendingPermission } from '../../session/permission/presenter';
import { reasonText } from './reasonText';
import { type InertText, joined, own, inertLine } from '../shared/escape';
import type { Translate } from '../shared/translate';

/** UTF-16 units of each piece; what is longer loses its middle, and is too long for any line. */
const MAX_PIECE = 600;
/** A heap of accents on one letter, which is drawn over the lines around it. */
const ACCENTS = /\p{M}{9}/u;
/** The limit for the counts of a request's changes. */
const COUNTED: CountBudget = { units: 2 * 1024 * 1024, steps: 500_000 };
/** Pieces that are put into words: no line holds as many. */
const MAX_PIECES = 50;

export interface OperationText {
  /** One line, escaped. Empty when the request contains nothing but its title. */
  readonly text: InertText;
  /** All of it is in `text`, and it is one line. */
  readonly whole: boolean;
  /** The command alone, where `text` says no more than that it would run in the session's folder. */
  readonly command?: InertText;
}

/** Returns the rule that protects a file from writes, by its absolute path; undefined when none does. */
export type RuleOf = (path: string) => string | undefined;

/** @param ruleOf returns the rule that protects a file which the request would change; the answer then also counts for that rule's question */
export function operationTextOf(ask: PendingPermission, t: Translate, ruleOf: RuleOf = () => undefined): OperationText {
  const pieces = piecesOf(ask, t, isHostQuestion(ask.subject) ? () => undefined : ruleOf);
  const shown = pieces.slice(0, MAX_PIECES).map(({ text }) => text);
  const rest = pieces.length - shown.length;
  const text = rest > 0 ? t('{items} (+{count})', { items: joined(shown, '; '), count: rest }) : joined(shown, '; ');
  const { reason } = ask.subject;
  // The values follow the command.
  const named = reason?.type === 'command' && ask.subject.environment ? { ...reason, variables: [] } : reason;
  const why = named ? reasonText(named, (path) => inFolder(path, ask.cwd), t) : own('');
  const command = pieces.length === 1 && why === '' ? pieces[0]!.command : undefined;
  return {
    ...(command !== undefined && { command }),
    text: joined(
      [text, why].filter((each) => each !== ''),
      ' — ',
    ),
    whole: rest === 0 && pieces.every(({ whole }) => whole) && (ask.subject.content ?? []).every(isTold),
  };
}

type Piece = OperationText;

function piecesOf(ask: PendingPermission, t: Translate, ruleOf: RuleOf): readonly Piece[] {
  const { subject, cwd } = ask;
  const changes = (subject.content ?? []).flatMap(changesIn);
  const budget = { ...COUNTED };
  const changed = new Set(changes.flatMap(({ path, oldPath }) => [path, oldPath]));
  const word = kindLabel(subject.kind, t);
  const written = commandIn(subject.rawInput);
  const runs = word === undefined && (subject.command ?? written) !== undefined;
  const structured = [
    ...(subject.command === undefined ? [] : [run(subject.command, subject.cwd, ask, t), ...runPieces(subject, t)]),
    ...changes.map((change) => protectedPiece(changePiece(change, cwd, budget, t), ruleOf(change.path), t)),
    ...(subject.locations ?? [])
      // A command's folder is named beside the command, where it is not the session's.
      .filter(({ path }) => !changed.has(path) && !(runs && path === cwd))
      .map(({ path, line }) => placePiece(subject.kind, inFolder(path, cwd) + (line === undefined ? '' : `:${line}`), t)),
  ];
  if (written !== undefined && written === subject.command) {
    return structured;
  }
  // A tool that edits or deletes, and says nowhere what, is not a command because its input has a field of that name.
  if (written !== undefined && (structured.length > 0 || word === undefined)) {
    const environment = subject.command === undefined ? environmentIn(subject.rawInput) : [];
    return [...structured, run(written, subject.cwd ?? cwdIn(subject.rawInput), ask, t), ...runPieces({ environment }, t)];
  }
  if (structured.length > 0) {
    return structured;
  }
  const told = rawText(subject.rawInput) || ask.description || textIn(subject);
  if (!told) {
    return word === undefined ? [] : [{ text: word, whole: true }];
  }
  const { text, whole } = piece(told);
  return [{ text: word === undefined ? text : joined([word, text], ': '), whole }];
}

function piece(text: string): Piece {
  const trimmed = text.trim();
  return { text: inertLine(trimmed, MAX_PIECE), whole: trimmed.length <= MAX_PIECE && !hasLineBreak(trimmed) && !ACCENTS.test(trimmed) };
}

/** Names the folder when it is not the session's own. */
function run(command: string, cwd: string | undefined, ask: PendingPermission, t: Translate): Piece {
  const what = piece(command);
  if (cwd === undefined || cwd === ask.cwd) {
    return { text: t('Run: {command}', { command: what.text }), whole: what.whole, command: what.text };
  }
  const where = piece(cwd);
  return { text: t('Run: {command} — in {cwd}', { command: what.text, cwd: where.text }), whole: what.whole && where.whole };
}

/** The environment and the program, which decide what runs as much as the command does. */
function runPieces({ environment = [], program }: Pick<PermissionSubject, 'environment' | 'program'>, t: Translate): readonly Piece[] {
  const sets = environment.map(({ name, value }): Piece => {
    const { text, whole } = piece(`${name}=${value}`);
    return { text: t('Set: {variable}', { variable: text }), whole: whole && !/\s{2}/.test(value) };
  });
  if (program === undefined) {
    return sets;
  }
  const { text, whole } = piece(program);
  return [...sets, { text: t('Program: {file}', { file: text }), whole }];
}

function changesIn(content: ToolContent): readonly FileChange[] {
  return content.type === 'diff' ? content.changes : [];
}

/** False for content that no line describes: a patch without file names, or an unknown type. */
function isTold(content: ToolContent): boolean {
  return content.type === 'diff' ? content.changes.length > 0 : content.type !== 'unknown';
}

function protectedPiece(change: Piece, rule: string | undefined, t: Translate): Piece {
  return rule === undefined
    ? change
    : { ...change, text: t('{change} (protected by the rule {rule})', { change: change.text, rule: inertLine(rule, MAX_PIECE) }) };
}

function changePiece(change: FileChange, cwd: string, budget: CountBudget, t: Translate): Piece {
  const { operation, path, oldPath } = change;
  const { text, whole } = piece(inFolder(path, cwd));
  const told = operationText(operation, text, t);
  if (oldPath === undefined || told !== undefined) {
    return { text: withCounts(told ?? joined([inertLine(operation, 40), text], ': '), change, budget, t), whole };
  }
  const old = piece(inFolder(oldPath, cwd));
  const moved = joined([inertLine(operation, 40), joined([old.text, text], ' → ')], ': ');
  return { text: withCounts(moved, change, budget, t), whole: whole && old.whole };
}

/** Adds the numbers of changed lines, where the agent sent the texts. */
function withCounts(text: InertText, change: FileChange, budget: CountBudget, t: Translate): InertText {
  const { oldText, newText } = alignedTexts(change);
  if ((oldText ?? newText) === undefined) {
    return text;
  }
  const counts = lineCounts(oldText ?? '', newText ?? '', budget);
  return counts && counts.added + counts.removed > 0 ? t('{change} (+{added} −{removed})', { change: text, ...counts }) : text;
}

function operationText(operation: string, path: InertText, t: Translate): InertText | undefined {
  switch (operation) {
    case 'add':
      return t('Create {path}', { path });
    case 'delete':
      return t('Delete {path}', { path });
    case 'modify':
      return t('Edit {path}', { path });
    default:
      return undefined;
  }
}

/** A path alone does not say what would be done to it; the kind of the tool does. */
function placePiece(kind: string | undefined, place: string, t: Translate): Piece {
  const { text, whole } = piece(place);
  const word = kindLabel(kind, t);
  return { text: word === undefined ? text : joined([word, text], ' '), whole };
}

function kindLabel(kind: string | undefined, t: Translate): InertText | undefined {
  switch (kind) {
    case 'edit':
      return t('Edit');
    case 'delete':
      return t('Delete');
    case 'move':
      return t('Move');
    default:
      return undefined;
  }
}

function rawText(rawInput: unknown): string {
  if (rawInput === undefined || rawInput === null) {
    return '';
  }
  const text = typeof rawInput === 'string' ? rawInput : JSON.stringify(rawInput);
  return text === '{}' || text === '[]' ? '' : text;
}

function textIn({ content = [] }: PermissionSubject): string {
  return content.flatMap((each) => (each.type === 'content' && each.content.type === 'text' ? each.content.text : [])).join('\n');
}

/** A path inside the session's folder without the folder; any other path whole, so that it can be told apart. */
function inFolder(path: string, cwd: string): string {
  const inside = path.startsWith(cwd) && /^[\\/]/.test(path.slice(cwd.length)) && !/(^|[\\/])\.\.([\\/]|$)/.test(path);
  return inside ? path.slice(cwd.length + 1) : path;
}
