/**
 * The operation that a permission request asks for, together with the details of its tool call. Every text appears once; the card, find and the
 * export share it. The request's own data takes precedence over the call's. The command of the raw input comes last, because a model wrote it. Pure.
 */
import type { EnvironmentVariable, FileChange, Location, ToolContent } from '../model/content';
import type { PermissionEntry, ToolCallEntry } from '../model/state';
import { isSameFolder } from '../toolCalls/shownLocations';
import { shortPath } from '../toolCalls/titles';
import { commandIn, cwdIn, unquotedCommandIn } from './command';
import { environmentIn } from './environment';
import { collapsed, headingOf, plainTitle } from './heading';
import { purposeIn } from './purpose';

/** UTF-16 units that a value of the raw input needs to count as shown when it is part of a change's text. */
const MIN_PART = 16;
/** UTF-16 units of a change's texts whose lines may be removed from a title, the shortest such line, and the number of such lines. */
const MAX_QUOTED = 20_000;
const MIN_LINE = 3;
const MAX_LINES = 40;
/** UTF-16 units before and after a line that are checked for white space. */
const MAX_INDENT = 200;
/** Occurrences of a text in another text that are checked. */
const MAX_TRIES = 500;
/** UTF-16 units of a text that may consist of a command alone. */
const MAX_CODE = 20_000;

export interface Operation {
  /** The question's heading, above everything else; '' when its title says no more than {@link command} or {@link written}. */
  readonly heading: string;
  /** The request's own title, whole, for announcements without the rest of the card. */
  readonly name: string;
  /** The title without command and changed lines, for screen readers, which read those next; '' when nothing is left of it. */
  readonly spoken: string;
  /** The request's own title where the heading has the call's title; otherwise ''. */
  readonly title: string;
  readonly description: string;
  /** The model's description of the command, where the agent sends it as a text, too; otherwise ''. */
  readonly purpose: string;
  /** The command as the agent's code reports it. */
  readonly command: string | undefined;
  /** The command of the raw input, where it differs from {@link command}. */
  readonly written: string | undefined;
  /** The folder that the command would run in. */
  readonly cwd: string | undefined;
  /** The variables that the agent sets for the command. Variables that decide what runs come first. */
  readonly environment: readonly EnvironmentVariable[];
  /** Absolute path of the program, where the command alone does not identify it. */
  readonly program: string | undefined;
  /** Set to edit, delete or move for a tool whose kind alone describes the change. */
  readonly change: string | undefined;
  /** The locations, except those of files whose change is shown. */
  readonly locations: readonly Location[];
  /** Indexes in the request's content. */
  readonly content: readonly number[];
  /** Indexes in the call's content. */
  readonly called: readonly number[];
  /** The raw input without values that are shown elsewhere, or the whole raw input when nothing else is shown; undefined when nothing is left. */
  readonly input: unknown;
  /** The entry that the raw input belongs to, by its id in the conversation. */
  readonly inputOf: string;
  /** True when there is more to show than a title and the raw input. */
  readonly isShown: boolean;
}

export interface OperationContext {
  /** The call on whose card the request is shown. It supplies the details that the request itself leaves out. */
  readonly call?: ToolCallEntry | undefined;
  /** True for a request with a card of its own, which shows only the changes, locations and input of the call. */
  readonly alone?: boolean;
  /** Requests about the same call that are shown above this one on its card. */
  readonly before?: readonly PermissionEntry[];
  /** The session's folder. */
  readonly cwd: string;
  /** The whole raw input, where the caller has it and the entry does not. */
  readonly rawInput?: unknown;
}

export function operationOf(request: PermissionEntry, around: OperationContext): Operation {
  const operation = wholeOperation(request, around);
  return around.before?.length ? withoutBefore(operation, request, around.before, around.call) : operation;
}

/** Removes the details that the requests above already show. */
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
    ...(command === undefined && written === undefined && { purpose: '', cwd: undefined, environment: [], program: undefined }),
    locations: operation.locations.filter(({ path }) => !paths.has(path)),
    content: operation.content.filter((index) => !contents.has(JSON.stringify(request.subject.content![index]))),
    called: [],
    input: isEmpty(request.subject.rawInput) ? undefined : operation.input,
  };
}

function wholeOperation(request: PermissionEntry, { call, alone = false, cwd: folder, rawInput: whole }: OperationContext): Operation {
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
  // The folder of a command is shown beside the command where it is not the session's, so it is not a location.
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
  const [requested, called] = [plain(request.title), plain((alone ? '' : call?.title || call?.name) || request.title)];
  /** Returns the heading; '' for a title that is part of the command, which adds nothing to it. */
  const without = (name: string, texts: readonly string[]): string => (isPartOf(name, commandTexts) ? '' : headingOf(name, texts));
  const heading = without(called, shown);
  const title = same(inVerbForm(requested), inVerbForm(called)) || isPartOf(requested, commandTexts) ? '' : headingOf(requested, shown);
  const said = new Set([...shown, requested, called].map(collapsed));
  const isNew = (text: string): boolean => text.trim() === '' || !said.has(collapsed(text));
  const description = isNew(request.description ?? '') ? (request.description ?? '') : '';
  const texts = [...contents.content.map((index) => subject.content![index]!), ...contents.called.map((index) => call!.content[index]!)];
  const purpose = commands.length > 0 || kind === 'execute' ? purposeIn(rawInput, texts) : undefined;
  const isPurposeNew = purpose !== undefined && isNew(purpose) && !same(purpose, description);
  const says = (each: ToolContent): boolean => {
    if (each.type !== 'content' || each.content.type !== 'text') {
      return true;
    }
    const bare = unfenced(each.content.text);
    return isNew(bare) && !same(bare, description) && !same(bare, purpose);
  };
  const content = contents.content.filter((index) => says(subject.content![index]!));
  const shownOfCall = contents.called.filter((index) => says(call!.content[index]!));

  const isShown = commands.length > 0 || content.length > 0 || shownOfCall.length > 0 || locations.length > 0;
  const hasDiff = changes.length > 0 || [...(subject.content ?? [])].some(({ type }) => type === 'diff');
  const strings = [
    ...shown,
    ...(cwd === undefined ? [] : [cwd]),
    ...(isShown ? [requested, called, description, purpose ?? ''] : []),
  ].filter(Boolean);
  return {
    heading,
    name: requested || called,
    spoken: without(requested || called, [...commandTexts, ...lines]),
    title: title === heading ? '' : title,
    description,
    purpose: isPurposeNew ? purpose : '',
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

/** Returns the indexes of both contents to show, each item once. The request's changes replace the call's. */
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

/** Returns the lines that differ in small changes, because a title may quote them. */
function changedLines(changes: readonly FileChange[]): readonly string[] {
  const found = new Set<string>();
  for (const { oldText, newText } of changes) {
    if ((oldText?.length ?? 0) + (newText?.length ?? 0) > MAX_QUOTED) {
      continue;
    }
    const [before, after] = [oldText, newText].map((text) => new Set((text ?? '').split('\n').map((line) => line.trim())));
    for (const line of [...[...before!].filter((line) => !after!.has(line)), ...[...after!].filter((line) => !before!.has(line))]) {
      if (line.length >= MIN_LINE && found.size < MAX_LINES) {
        found.add(line);
      }
    }
  }
  return [...found];
}

function pathsOf({ path, oldPath }: FileChange): readonly string[] {
  return oldPath === undefined ? [path] : [path, oldPath];
}

/** Takes linear time: a request may name many thousands of locations. */
function unique(locations: readonly Location[]): readonly Location[] {
  const seen = new Set<string>();
  return locations.filter(({ path, line }) => isFirst(`${line ?? ''}:${path}`, seen));
}

function isFirst(key: string, seen: Set<string>): boolean {
  return seen.size < seen.add(key).size;
}

/** Returns the kind of a tool that edits without a shown change, deletes or moves. Undefined when the title already contains that word. */
function changeOf(kind: string | undefined, hasDiff: boolean, title: string): string | undefined {
  const isChange = kind === 'delete' || kind === 'move' || (kind === 'edit' && !hasDiff);
  return isChange && !new RegExp(`(?<![\\p{L}])${kind}(?![\\p{L}])`, 'iu').test(title) ? kind : undefined;
}

interface DisplayedTexts {
  readonly strings: readonly string[];
  readonly changes: readonly FileChange[];
  /** The command that was read from this raw input, so its words are not repeated. */
  readonly command: string | undefined;
}

/** Returns the raw input without the values that are shown elsewhere; undefined when nothing is left. */
function withoutShown(rawInput: unknown, shown: DisplayedTexts): unknown {
  const texts = shown.changes.flatMap(({ oldText, newText }) => [oldText, newText]).filter((text) => typeof text === 'string');
  const strings = new Set(shown.strings.map(collapsed));
  const isShown = (text: string): boolean =>
    (text.trim() !== '' && strings.has(collapsed(text))) ||
    (text.trim() !== '' && texts.some((each) => (text.length >= MIN_PART && each.includes(text)) || hasLines(each, text.trim())));
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

/** True when `text` occurs in `whole` as whole lines. */
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
  return title.length >= MIN_LINE && commands.some((command) => collapsed(command).includes(title));
}

function same(text: string, other: string | undefined): boolean {
  return other !== undefined && text.trim() !== '' && collapsed(text) === collapsed(other);
}

/** Returns a title with its first verb in one form: codex-acp calls the same work “Editing files” and “Edit files”. */
function inVerbForm(title: string): string {
  return title.trim().replace(/^([A-Za-z]{3,20}?)(?:(ing)|e)?(?= |$)/, (_, stem: string, isGerund?: string) => {
    return (isGerund ? stem.replace(/([bgmnprt])\1$/, '$1') : stem).toLowerCase();
  });
}

/** Returns a text that consists of code alone without its fence or quotes. */
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
