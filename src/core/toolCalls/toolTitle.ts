/** The title of a tool call, with its subject where the title does not name it. The view and searches in conversations share it. Pure. */
import type { ToolCallEntry } from '../model/state';
import { editorToolIn, shortPath, shortTitle } from './titles';

type Named = Pick<ToolCallEntry, 'title' | 'name' | 'toolKind' | 'locations' | 'content' | 'rawInput'>;

/** A tool name alone: `edit`, `str_replace_editor`, `mcp__files__write`, `Read`. */
const ONE_WORD = /^[\p{L}_][\p{L}\p{N}_-]+$/u;
/** A tool name in plain words: `Edit file`, `Write File`, `Apply patch`. */
const ONLY_A_TOOL =
  /^(?:multi[ -]?)?(?:edit(?:ing)?|read(?:ing)?|writ(?:e|ing)|creat(?:e|ing)|updat(?:e|ing)|modify(?:ing)?|delet(?:e|ing)|remov(?:e|ing)|view(?:ing)?|open(?:ing)?|apply(?:ing)?|replac(?:e|ing)|mov(?:e|ing)|renam(?:e|ing)|insert(?:ing)?|run(?:ning)?|execut(?:e|ing)|search(?:ing)?|find(?:ing)?|list(?:ing)?|fetch(?:ing)?)(?: (?:a |the )?(?:files?|patch|text|lines?|contents?|code|changes?|director(?:y|ies)|folders?|commands?|shell|terminal|web|url)){0,2}$/i;
/** The most files that a title names. An ellipsis marks the omission of others. */
const MAX_FILES = 3;
/** UTF-16 units of a tool's input that are shown in its title. */
const MAX_SUBJECT = 400;

/**
 * Returns the title with paths relative to the session's folder, and with the subject when it is a tool's name alone. Returns '' for a call without
 * any text. @param kindWord the title of a call without title and name
 */
export function toolCallTitle(entry: Named, cwd: string, kindWord = ''): string {
  const title = shortTitle(entry.title ?? '', cwd, entry.toolKind).trim() || (entry.name ?? '').trim() || kindWord;
  if (editorToolIn(entry.title ?? '') ?? editorToolIn(entry.name ?? '')) {
    return [title, editorSubjectOf(entry, cwd)].filter(Boolean).join(': ');
  }
  if (title === '' || !(ONE_WORD.test(title) || ONLY_A_TOOL.test(title))) {
    return title;
  }
  const subject = subjectOf(entry, cwd);
  return subject === '' || subject === title ? title : `${title}${entry.toolKind === 'execute' ? ': ' : ' '}${subject}`;
}

/** Returns the tool's name, to be shown below a card with this title; undefined where the title says it already. */
export function nameBelow({ name }: Pick<Named, 'name'>, title: string): string | undefined {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return name === undefined || letters(name) === '' || letters(title).includes(letters(name)) ? undefined : name;
}

/** Returns the file that the call is about; undefined when there is none. */
export function pathOf(entry: Pick<Named, 'locations' | 'content' | 'rawInput'>): string | undefined {
  return filesOf(entry)[0];
}

/** Returns the command that the tool was given; undefined when there is none in a known form. */
export function commandOf({ rawInput }: Pick<Named, 'rawInput'>): string | undefined {
  const command = field(rawInput, ['command', 'cmd']);
  return typeof command === 'string'
    ? command.trim() || undefined
    : Array.isArray(command) && command.length > 0 && command.every((part) => typeof part === 'string')
      ? command.join(' ')
      : undefined;
}

/** True when `title` shows all of this command, so that it need not be shown again. */
export function saysCommand(title: string, command: string): boolean {
  const plain = (text: string) => text.replace(/`/g, '').replace(/\s+/g, ' ').trim();
  const bare = plain(command);
  return (
    bare !== '' &&
    !/[\r\n]/.test(command.trim()) &&
    bare.length <= MAX_SUBJECT &&
    (plain(title) === bare || plain(title).endsWith(` ${bare}`))
  );
}

function subjectOf(entry: Named, cwd: string): string {
  const text = (names: readonly string[]): string => {
    const value = field(entry.rawInput, names);
    return typeof value === 'string' ? value.trim().slice(0, MAX_SUBJECT) : '';
  };
  const command = entry.toolKind === 'execute' ? commandOf(entry) : undefined;
  if (command !== undefined) {
    return command;
  }
  const asked =
    entry.toolKind === 'search' ? text(['pattern', 'query', 'regex']) : entry.toolKind === 'fetch' ? text(['url', 'uri', 'query']) : '';
  if (asked !== '') {
    return asked;
  }
  const files = filesOf(entry).map((path) => shortPath(path, cwd));
  return files.length === 1 ? files[0]! : files.slice(0, MAX_FILES).join(', ') + (files.length > MAX_FILES ? ', …' : '');
}

/** Returns what a tool of the editor is about. Some agents wrap its arguments. */
function editorSubjectOf({ rawInput }: Named, cwd: string): string {
  const input = field(rawInput, ['arguments']) ?? rawInput;
  const text = (names: readonly string[]): string => {
    const value = field(input, names);
    return typeof value === 'string' ? value.trim().slice(0, MAX_SUBJECT) : '';
  };
  const symbol = text(['symbol']);
  const newName = text(['newName']);
  return newName === ''
    ? symbol || text(['query', 'pattern', 'expression', 'configuration', 'task']) || shortPath(text(['file', 'path']), cwd)
    : `${symbol} → ${newName}`.trim();
}

/** Returns each file once: from the locations and changes that the agent reported, otherwise from the input. */
function filesOf({ locations, content, rawInput }: Pick<Named, 'locations' | 'content' | 'rawInput'>): readonly string[] {
  const changed = content.flatMap((each) => (each.type === 'diff' ? each.changes.map(({ path }) => path) : []));
  const named = [...new Set([...locations.map(({ path }) => path), ...changed])];
  if (named.length > 0) {
    return named;
  }
  const path = field(rawInput, ['file_path', 'filePath', 'absolute_path', 'abs_path', 'notebook_path', 'path', 'filename']);
  return typeof path === 'string' && path !== '' ? [path] : [];
}

function field(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const name = names.find((each) => Object.hasOwn(value, each));
  return name === undefined ? undefined : (value as Readonly<Record<string, unknown>>)[name];
}
