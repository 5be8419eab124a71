/** The tools that search with VS Code's own engine: in the text of files, unsaved text included, and for files by name. */
import path from 'node:path';
import { z } from 'zod';
import { fitting } from '../answer';
import { previewAt, startOf, withRetries } from '../answerText';
import { fileField, SessionFiles } from '../files';
import { counted, cursorField } from '../list';
import { RetryError } from '../retry';
import { type LineMatch, matchOf, plain } from '../search/matches';
import type { RipgrepEnd, RipgrepRun } from '../search/ripgrep';
import { fileArguments, type FileFilter, patternArguments, type SearchSettings, type TextQuery } from '../search/searchArguments';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext, type ToolSession } from '../tool';

export interface UnsavedText {
  readonly path: string;
  readonly text: string;
}

export interface SearchPort {
  /** The path of ripgrep, or undefined when this installation of VS Code has none. */
  program(): Promise<string | undefined>;
  run(run: RipgrepRun): AsyncGenerator<string, RipgrepEnd>;
  settings(folder: string): SearchSettings;
  /** The files with unsaved changes. */
  unsaved(): readonly UnsavedText[];
  /** False for a file that is protected from the session's agent. */
  mayRead(session: ToolSession, file: string): Promise<boolean>;
}

const TEXT_PAGE = 100;
const FILE_PAGE = 200;
/** The maximum position of a page. A search with more results needs a narrower question. */
const MAX_RESULTS = 20_000;
/** The maximum number of unsaved files that are searched. */
const MAX_UNSAVED = 100;

const filterFields = {
  include: z
    .string()
    .max(1000)
    .optional()
    .describe('Only files that match one of these globs, separated by commas, such as "*.ts" or "src/**/*.{js,ts}".'),
  exclude: z.string().max(1000).optional().describe('Not the files that match one of these globs, separated by commas.'),
  folder: fileField.optional().describe("Only this folder. Leave it out to search all of the session's folders."),
  cursor: cursorField,
};

const textInput = z.object({
  query: z.string().min(1).max(2000).describe('The text to find, or a regular expression with isRegex.'),
  isRegex: z.boolean().optional().describe("True: query is a regular expression in ripgrep's syntax. Default: false."),
  matchCase: z.boolean().optional().describe('Default: false.'),
  wholeWord: z.boolean().optional().describe('Default: false.'),
  ...filterFields,
});

const filesInput = z.object({
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .describe('A glob such as "**/*.test.ts", or a part of the file name without glob characters, such as "config".'),
  exclude: filterFields.exclude,
  folder: filterFields.folder,
  cursor: filterFields.cursor,
});

interface Found extends LineMatch {
  readonly file: string;
  readonly isUnsaved: boolean;
}

interface Progress {
  dropped: number;
}

export function searchTools(port: SearchPort): readonly EditorTool[] {
  return withRetries([
    editorTool({
      name: 'search_text',
      category: 'search',
      title: 'Search in files',
      description:
        "Searches the text of the session's files with VS Code's search engine. It leaves out ignored files and the files that the settings " +
        'files.exclude and search.exclude leave out, and it sees text that is not saved yet. Answers file:line:column and the line.',
      isReadOnly: true,
      input: textInput,
      timeout: 20_000,
      run: (input, context) => searchText(port, input, context),
    }),
    editorTool({
      name: 'find_files',
      category: 'search',
      title: 'Find files',
      description:
        "Finds files of the session's folders by a glob or a part of their name, with VS Code's search engine. It leaves out ignored files and " +
        'the files that the settings files.exclude and search.exclude leave out.',
      isReadOnly: true,
      input: filesInput,
      timeout: 20_000,
      run: (input, context) => findFiles(port, input, context),
    }),
  ]);
}

async function searchText(port: SearchPort, input: z.output<typeof textInput>, context: ToolContext): Promise<ToolAnswer> {
  const from = startOf(input.cursor, MAX_RESULTS);
  const search = await Search.of(port, input.folder, context);
  const progress: Progress = { dropped: 0 };
  const page: Found[] = [];
  let count = 0;
  let isCut = false;
  for await (const found of search.text(input, progress)) {
    if (count++ < from) {
      continue;
    }
    if (page.length === TEXT_PAGE) {
      isCut = true;
      break;
    }
    page.push(found);
  }
  const { timedOut } = context;
  if (page.length === 0) {
    const text = timedOut ? TIMED_OUT : from > 0 ? 'No further matches.' : `No matches. ${search.remark(input)}`;
    return { text: [text, ...droppedRows(progress)].join('\n'), data: { matches: [], timedOut } };
  }
  const rows = page.map((found) => {
    const name = search.files.shown(found.file);
    return `${name}:${found.line}:${found.column}: ${previewAt(found.text, found.start)}${found.isUnsaved ? ' [not saved]' : ''}`;
  });
  const nextCursor = cutToFit([page, rows], rows, from, isCut);
  const head = `${from === 0 ? '' : `From ${from + 1}: `}${counted(page.length, 'matching line')}.`;
  return {
    text: [head, ...rows, ...droppedRows(progress), ...(timedOut ? [TIMED_OUT] : [])].join('\n'),
    data: {
      matches: page.map((found) => ({
        file: search.files.shown(found.file),
        line: found.line,
        column: found.column,
        preview: previewAt(found.text, found.start),
      })),
      timedOut,
    },
    ...(nextCursor !== undefined && { nextCursor }),
  };
}

async function findFiles(
  port: SearchPort,
  { pattern, exclude, folder, cursor }: z.output<typeof filesInput>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const from = startOf(cursor, MAX_RESULTS);
  const search = await Search.of(port, folder, context);
  const filter = { include: /[*?{[/\\]/.test(pattern) ? pattern : `**/*${pattern}*`, exclude };
  const page: string[] = [];
  let [count, isCut] = [0, false];
  for await (const file of search.names(filter, ['--glob-case-insensitive'])) {
    if (count++ < from) {
      continue;
    }
    if (page.length === FILE_PAGE) {
      isCut = true;
      break;
    }
    page.push(search.files.shown(file));
  }
  const { timedOut } = context;
  const nextCursor = cutToFit([page], page, from, isCut);
  const head =
    page.length > 0 ? `${counted(page.length, 'file')}${from > 0 ? `, from ${from + 1}` : ''}:` : timedOut ? '' : 'No such files.';
  const rows = [head, ...page, ...(timedOut ? [TIMED_OUT] : [])].filter((row) => row !== '');
  return { text: rows.join('\n'), data: { files: page, timedOut }, ...(nextCursor !== undefined && { nextCursor }) };
}

/** Removes the rows that do not fit in an answer. Returns the cursor of the next page. @param isCut true when there are more results than `rows` */
function cutToFit(lists: readonly unknown[][], rows: readonly string[], from: number, isCut: boolean): string | undefined {
  const [count, found] = [fitting(rows), rows.length];
  lists.forEach((list) => list.splice(count));
  const next = from + count;
  return (isCut || count < found) && next < MAX_RESULTS ? String(next) : undefined;
}

const TIMED_OUT = 'The search took too long, so there may be more. Narrow it with folder, include or exclude.';

function droppedRows({ dropped }: Progress): readonly string[] {
  return dropped === 0 ? [] : [`${dropped} matches in very long lines are left out.`];
}

/** The searches of one call, in the session's folders or in one folder of them. */
class Search {
  private readonly readable = new Map<string, Promise<boolean>>();

  private constructor(
    private readonly port: SearchPort,
    private readonly program: string,
    readonly files: SessionFiles,
    private readonly folders: readonly string[],
    private readonly context: ToolContext,
  ) {}

  /** @throws RetryError when there is nothing to search */
  static async of(port: SearchPort, folder: string | undefined, context: ToolContext): Promise<Search> {
    const files = await SessionFiles.of(context.session.roots);
    const folders = folder === undefined ? outermost(files.folders) : [(await files.resolve(folder, 'folder')).path];
    const program = await port.program();
    if (program === undefined) {
      throw new RetryError("VS Code's search program is missing in this installation. Search with your own tools.");
    }
    return new Search(port, program, files, folders, context);
  }

  /** The lines that match: first those of unsaved text, then those on the disk, by path. @throws RetryError for an invalid pattern */
  async *text(query: TextQuery, progress: Progress): AsyncGenerator<Found> {
    const { signal } = this.context;
    const pattern = patternArguments(query);
    const unsaved = await this.unsaved(query);
    for (const { path: file, text } of unsaved) {
      const args = [...fileArguments(NO_SETTINGS, {}), ...pattern, '--', '-'];
      for await (const line of this.lines({ args, cwd: this.folders[0]!, input: text, signal }, progress)) {
        const match = matchOf(line);
        if (match) {
          yield { ...match, file, isUnsaved: true };
        }
      }
    }
    const searched = new Set(unsaved.map((each) => keyOf(each.path)));
    for (const folder of this.folders) {
      const args = [...fileArguments(this.port.settings(folder), query), ...pattern, '--', '.'];
      for await (const line of this.lines({ args, cwd: folder, signal }, progress)) {
        const match = matchOf(line);
        const file = match && path.join(folder, match.path);
        if (match && file !== undefined && !searched.has(keyOf(file)) && (await this.mayRead(file))) {
          yield { ...match, file, isUnsaved: false };
        }
      }
    }
  }

  /** The names of the files that a search would read. @throws RetryError for an invalid glob */
  async *names(filter: FileFilter, further: readonly string[] = []): AsyncGenerator<string> {
    const { signal } = this.context;
    for (const folder of this.folders) {
      const args = [...fileArguments(this.port.settings(folder), filter), ...further, '--files', '--null', '--', '.'];
      for await (const name of this.lines({ args, cwd: folder, signal, separator: '\0' }, { dropped: 0 })) {
        yield path.join(folder, plain(name));
      }
    }
  }

  /** Returns the words that say why there may be no matches. */
  remark({ include, exclude, isRegex }: TextQuery): string {
    const filters = include === undefined && exclude === undefined ? '' : 'Check include and exclude, which are relative to the folder. ';
    return `${filters}Ignored and excluded files are not searched.${isRegex ? '' : ' Set isRegex for a regular expression.'}`;
  }

  /** The unsaved files that the search includes. ripgrep decides, because only it knows all ignore files. */
  private async unsaved(filter: FileFilter): Promise<readonly UnsavedText[]> {
    const open = new Map(this.port.unsaved().map((each) => [keyOf(each.path), each]));
    const inside = [...open.values()].filter(({ path: file }) => this.folders.some((folder) => isBelow(folder, file)));
    if (inside.length === 0) {
      return [];
    }
    const found: UnsavedText[] = [];
    for await (const file of this.names(filter)) {
      const each = open.get(keyOf(file));
      if (each && (await this.mayRead(file)) && found.push(each) === Math.min(MAX_UNSAVED, inside.length)) {
        break;
      }
    }
    return found;
  }

  private async *lines(run: Omit<RipgrepRun, 'program'>, progress: Progress): AsyncGenerator<string> {
    if (run.signal.aborted) {
      return;
    }
    const end = yield* this.port.run({ ...run, program: this.program });
    progress.dropped += end.dropped;
    if (end.problem !== undefined) {
      throw new RetryError(`The search failed: ${problemText(end.problem)}\nCorrect query, include or exclude.`);
    }
  }

  private mayRead(file: string): Promise<boolean> {
    const known = this.readable.get(file) ?? this.port.mayRead(this.context.session, file);
    this.readable.set(file, known);
    return known;
  }
}

const NO_SETTINGS: SearchSettings = { excluded: [], useIgnoreFiles: true, useParentIgnoreFiles: true, useGlobalIgnoreFiles: true };

/** Returns the folders without those inside another one, whose files would be found twice. */
function outermost(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => !folders.some((other) => other !== folder && isBelow(other, folder)));
}

function isBelow(folder: string, file: string): boolean {
  const below = path.relative(folder, file);
  return below !== '' && below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}

/** Windows has two spellings of a drive's letter. */
function keyOf(file: string): string {
  return process.platform === 'win32' ? file.toLowerCase() : file;
}

function problemText(problem: string): string {
  return problem.replace(/^rg: /gm, '').slice(0, 600);
}
