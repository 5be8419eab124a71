/**
 * What a permission request asks leave for, with what its tool call says of it: each text once, for whoever shows it, looks through it or writes it
 * down. What the request itself says counts before what the call says, and a command of the raw input, which a model wrote, comes last. Pure.
 */
import type { EnvironmentVariable, FileChange, Location, ToolContent } from '../model/content';
import type { PermissionEntry, ToolCallEntry } from '../model/state';
import { isSameFolder } from '../model/shownLocations';
import { shortPath } from '../model/titles';
import { commandIn, cwdIn, unquotedCommandIn } from './command';
import { environmentIn } from './environment';
import { collapsed, headingOf, plainTitle } from './heading';

/** UTF-16 units from which on a value of the raw input counts as shown where it is part of a change's text. */
const LEAST_PART = 16;
/** UTF-16 units of a change's texts of which a title may quote lines, and of such a line at least; lines that are looked for. */
const MAX_QUOTED = 20_000;
const LEAST_LINE = 3;
const MAX_LINES = 40;
/** Blanks around a line that are looked at. */
const MAX_INDENT = 200;
/** Places of a text in another that are looked at. */
const MAX_TRIES = 500;
/** UTF-16 units of a text that may be nothing but a command. */
const MAX_CODE = 20_000;

export interface Operation {
  /** What the question is called above all this; '' when its title says no more than {@link command} or {@link written}. */
  readonly heading: string;
  /** The request's own title, whole, for who hears it alone. */
  readonly name: string;
  /** The same without command and changed lines, for who hears it before reading those; '' when no more is left of it. */
  readonly spoken: string;
  /** The request's own title, where the call above it has another one; else ''. */
  readonly title: string;
  readonly description: string;
  /** Filled in by the agent's own code. */
  readonly command: string | undefined;
  /** The raw input's, where it is another one. */
  readonly written: string | undefined;
  /** Where a command would run. */
  readonly cwd: string | undefined;
  /** The variables that the agent sets for the command, those first that decide what runs. */
  readonly environment: readonly EnvironmentVariable[];
  /** Absolute path of the file that runs, where the command alone does not say which one it is. */
  readonly program: string | undefined;
  /** edit, delete or move: a tool that says by its kind alone what it would do. */
  readonly change: string | undefined;
  /** Without those whose change is shown. */
  readonly locations: readonly Location[];
  /** Indexes in the request's content. */
  readonly content: readonly number[];
  /** Indexes in the call's content. */
  readonly called: readonly number[];
  /** What the raw input says besides; undefined when it says nothing. */
  readonly input: unknown;
  /** Whose raw input it is, by its id in the conversation. */
  readonly inputOf: string;
  /** It tells more than a title and the raw input. */
  readonly isShown: boolean;
}

export interface Around {
  /** The call on whose card it is shown, and from which it takes what it does not say itself. */
  readonly call?: ToolCallEntry | undefined;
  /** It has a card of its own, which shows nothing of the call but its changes, places and input. */
  readonly alone?: boolean;
  /** Requests about the same call that stand above it on its card. */
  readonly before?: readonly PermissionEntry[];
  /** The session's folder. */
  readonly cwd: string;
  /** The raw input, where it is here whole and not in the entry. */
  readonly rawInput?: unknown;
}

export function operationOf(request: PermissionEntry, around: Around): Operation {
  const operation = wholeOperation(request, around);
  return around.before?.length ? withoutBefore(operation, request, around.before, around.call) : operation;
}

/** Less what stands above it. */
function withoutBefore(
  operation: Operation,
  request: PermissionEntry,
  before: readonly PermissionEntry[],
  call: ToolCallEntry | undefined,
): Operation {
  const commands = before.flatMap(({ subject }) => [
    subject.command,
    commandIn(isEmpty(subject.rawInput) ? call?.rawInput : subject.rawInput),
  ]);
  const contents = new Set(before.flatMap(({ subject }) => subject.content ?? []).map((each) => JSON.stringify(each)));
  const paths = new Set(
    before.flatMap(({ subject }) => [
      ...(subject.locations ?? call?.locations ?? []).map(({ path }) => path),
      ...(subject.content ?? []).flatMap((each) => (each.type === 'diff' ? each.changes.flatMap(pathsOf) : [])),
    ]),
  );
  const unlessShown = (command: string | undefined): string | undefined =>
    command !== undefined && commands.some((each) => same(command, each)) ? undefined : command;
  const [command, written] = [unlessShown(operation.command), unlessShown(operation.written)];
  return {
    ...operation,
    command,
    written,
    ...(command === undefined && written === undefined && { cwd: undefined, environment: [], program: undefined }),
    locations: operation.locations.filter(({ path }) => !paths.has(path)),
    content: operation.content.filter((index) => !contents.has(JSON.stringify(request.subject.content![index]))),
    called: [],
    input: isEmpty(request.subject.rawInput) ? undefined : operation.input,
  };
}

function wholeOperation(request: PermissionEntry, { call, alone = false, cwd: folder, rawInput: whole }: Around): Operation {
  const { subject } = request;
  const own = !isEmpty(subject.rawInput) || !call;
  const rawInput = whole ?? (own ? subject.rawInput : call.rawInput);
  const fromInput = commandIn(rawInput);
  const { command } = subject;
  const written = fromInput === undefined || same(fromInput, command) ? undefined : fromInput;
  const commands = [command, written].filter((each) => each !== undefined);
  const kind = subject.kind ?? call?.toolKind;

  const contents = contentsOf(request, call, alone);
  const changes = [
    ...contents.content.map((index) => subject.content![index]!),
    ...contents.called.map((index) => call!.content[index]!),
  ].flatMap((each) => (each.type === 'diff' ? each.changes : []));
  const changed = new Set(changes.flatMap(pathsOf));
  const cwd = subject.cwd ?? cwdIn(rawInput) ?? (commands.length > 0 ? folder : undefined);
  // The folder that a command runs in is said beside the command, where it is not the session's.
  const isItsFolder = (path: string): boolean => commands.length > 0 && (isSameFolder(path, folder) || isSameFolder(path, cwd ?? folder));
  const locations = unique(subject.locations?.length ? subject.locations : (call?.locations ?? [])).filter(
    ({ path }) => !changed.has(path) && !isItsFolder(path),
  );
  const paths = [...changed, ...locations.map(({ path }) => path)].flatMap((path) => [path, shortPath(path, folder)]);

  const unquoted = unquotedCommandIn(rawInput);
  const commandTexts = [...commands, ...(unquoted === undefined ? [] : [unquoted])];
  const lines = changedLines(changes);
  const shown = [...commandTexts, ...paths, ...lines];
  const plain = (title: string): string => plainTitle(title, folder, kind, commands[0]);
  const [asked, called] = [plain(request.title), plain((alone ? '' : call?.title || call?.name) || request.title)];
  /** A title that is part of the command says nothing besides it. */
  const without = (name: string, texts: readonly string[]): string => (isPartOf(name, commandTexts) ? '' : headingOf(name, texts));
  const heading = without(called, shown);
  const title = same(asked, called) || isPartOf(asked, commandTexts) ? '' : headingOf(asked, shown);
  const said = new Set([...shown, asked, called].map(collapsed));
  const isNew = (text: string): boolean => text.trim() === '' || !said.has(collapsed(text));
  const description = isNew(request.description ?? '') ? (request.description ?? '') : '';
  const isText = (each: ToolContent | undefined): boolean => each?.type === 'content' && each.content.type === 'text';
  const says = (each: ToolContent | undefined): boolean =>
    each?.type !== 'content' ||
    each.content.type !== 'text' ||
    (isNew(unfenced(each.content.text)) && !same(unfenced(each.content.text), description));
  const content = contents.content.filter((index) => !isText(subject.content![index]) || says(subject.content![index]));
  const shownOfCall = contents.called.filter((index) => !isText(call!.content[index]) || says(call!.content[index]));

  const isShown = commands.length > 0 || content.length > 0 || shownOfCall.length > 0 || locations.length > 0;
  const hasDiff = changes.length > 0 || [...(subject.content ?? [])].some(({ type }) => type === 'diff');
  const strings = [...shown, ...(cwd === undefined ? [] : [cwd]), ...(isShown ? [asked, called, description] : [])].filter(Boolean);
  return {
    heading,
    name: asked || called,
    spoken: without(asked || called, [...commandTexts, ...lines]),
    title: title === heading ? '' : title,
    description,
    command,
    written,
    cwd,
    environment: subject.environment ?? (commands.length > 0 ? environmentIn(rawInput) : []),
    program: subject.program,
    change: changeOf(kind, hasDiff, `${heading} ${title}`),
    locations,
    content,
    called: shownOfCall,
    input: isShown ? withoutShown(rawInput, { strings, changes, command: fromInput }) : rawInput,
    inputOf: own ? request.entryId : call.entryId,
    isShown,
  };
}

/** Which of both contents are shown: none twice, and the request's changes in place of the call's. */
function contentsOf(
  { subject }: PermissionEntry,
  call: ToolCallEntry | undefined,
  alone: boolean,
): { readonly content: readonly number[]; readonly called: readonly number[] } {
  const content = subject.content ?? [];
  const keys = content.map((each) => JSON.stringify(each));
  const callKeys = (call?.content ?? []).map((each) => JSON.stringify(each));
  const [ownKeys, seenOfCall, seen] = [new Set(keys), new Set<string>(), new Set<string>()];
  const isChanged = content.some(({ type }) => type === 'diff');
  const called = (call?.content ?? []).flatMap((each, index) => {
    const isSame = ownKeys.has(callKeys[index]!);
    const isNew = isFirst(callKeys[index]!, seenOfCall);
    const isWanted = each.type === 'diff' ? !isChanged || isSame : !alone;
    return isWanted && !(alone && isSame) && isNew ? [index] : [];
  });
  const shown = new Set(called.map((index) => callKeys[index]));
  return {
    called,
    content: keys.flatMap((key, index) => (isFirst(key, seen) && !shown.has(key) ? [index] : [])),
  };
}

/** Of small changes the lines that differ, as a title may quote them. */
function changedLines(changes: readonly FileChange[]): readonly string[] {
  const found = new Set<string>();
  for (const { oldText, newText } of changes) {
    if ((oldText?.length ?? 0) + (newText?.length ?? 0) > MAX_QUOTED) {
      continue;
    }
    const [before, after] = [oldText, newText].map((text) => new Set((text ?? '').split('\n').map((line) => line.trim())));
    for (const line of [...[...before!].filter((line) => !after!.has(line)), ...[...after!].filter((line) => !before!.has(line))]) {
      if (line.length >= LEAST_LINE && found.size < MAX_LINES) {
        found.add(line);
      }
    }
  }
  return [...found];
}

function pathsOf({ path, oldPath }: FileChange): readonly string[] {
  return oldPath === undefined ? [path] : [path, oldPath];
}

/** In linear time: a request may name many thousands. */
function unique(locations: readonly Location[]): readonly Location[] {
  const seen = new Set<string>();
  return locations.filter(({ path, line }) => isFirst(`${line ?? ''}:${path}`, seen));
}

function isFirst(key: string, seen: Set<string>): boolean {
  return seen.size < seen.add(key).size;
}

/** One that edits has its change for that, where it has any; one whose title says it need not say it again. */
function changeOf(kind: string | undefined, hasDiff: boolean, title: string): string | undefined {
  const isChange = kind === 'delete' || kind === 'move' || (kind === 'edit' && !hasDiff);
  return isChange && !new RegExp(`(?<![\\p{L}])${kind}(?![\\p{L}])`, 'iu').test(title) ? kind : undefined;
}

interface Shown {
  readonly strings: readonly string[];
  readonly changes: readonly FileChange[];
  /** Of this very input: its words need not be shown again. */
  readonly command: string | undefined;
}

/** The raw input without what is shown of it elsewhere; undefined when nothing is left. */
function withoutShown(rawInput: unknown, shown: Shown): unknown {
  const texts = shown.changes.flatMap(({ oldText, newText }) => [oldText, newText]).filter((text) => typeof text === 'string');
  const strings = new Set(shown.strings.map(collapsed));
  const isShown = (text: string): boolean =>
    (text.trim() !== '' && strings.has(collapsed(text))) ||
    (text.trim() !== '' && texts.some((each) => (text.length >= LEAST_PART && each.includes(text)) || hasLines(each, text.trim())));
  const rest = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return isShown(value) ? undefined : value;
    }
    if (Array.isArray(value)) {
      const items = value.map(rest).filter((item) => item !== undefined);
      return items.length === 0 && value.length > 0 ? undefined : items;
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const fields = Object.entries(value).flatMap(([name, each]) => {
      const left = rest(each);
      return left === undefined ? [] : [[name, left] as const];
    });
    return fields.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(fields);
  };
  if (shown.command === undefined || typeof rawInput !== 'object' || rawInput === null) {
    return rest(rawInput);
  }
  const { command: _command, args: _args, ...others } = rawInput as Record<string, unknown>;
  return Object.keys(others).length === 0 ? undefined : rest(others);
}

/** Whether `text` stands in `whole` as lines of its own. */
function hasLines(whole: string, text: string): boolean {
  let tries = 0;
  for (let at = whole.indexOf(text); at >= 0 && tries++ < MAX_TRIES; at = whole.indexOf(text, at + 1)) {
    if (
      /(?:^|\n)[^\S\n]*$/.test(whole.slice(Math.max(0, at - MAX_INDENT), at)) &&
      /^[^\S\n]*\r?(?:\n|$)/.test(whole.slice(at + text.length, at + text.length + MAX_INDENT))
    ) {
      return true;
    }
  }
  return false;
}

function isPartOf(title: string, commands: readonly string[]): boolean {
  return title.length >= LEAST_LINE && commands.some((command) => collapsed(command).includes(title));
}

function same(text: string, other: string | undefined): boolean {
  return other !== undefined && text.trim() !== '' && collapsed(text) === collapsed(other);
}

/** A text that is nothing but code, without its fence or quotes. */
function unfenced(text: string): string {
  if (text.length > MAX_CODE) {
    return text;
  }
  const block = /^\s*(`{3,}|~{3,})[^\n]*\n([^]*?)\n?\s*\1\s*$/.exec(text);
  return (block ? block[2]! : /^\s*(`{1,3})(?!`)([^`]+)\1\s*$/.test(text) ? text.trim().replace(/^`+|`+$/g, '') : text).replace(
    /^\s*\$ /,
    '',
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
