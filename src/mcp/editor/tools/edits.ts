/** The tools that change files with the editor's language features. Each change is one undoable edit over all of its files. */
import { z } from 'zod';
import { fileField, type SessionFiles } from '../files';
import type { CodeAction, EditPlan, EditsPort } from '../language';
import { counted, listAnswer, openFile, Previews, rowText, TIMED_OUT, untilLate } from '../list';
import { locate, locateLine, positionFields, splitLines, type Position, type Range, wordAround } from '../position';
import { changedLines } from '../rangeEdits';
import { answeringRetries, reasoned, RetryError } from '../retry';
import { editorTool, type EditorTool, type ToolAnswer, type ToolContext } from '../tool';

/** ms, with a question to the user about a protected file. */
const TIMEOUT = 300_000;
/** ms for the language server. */
const SERVER_TIMEOUT = 30_000;
const MAX_FILES = 500;
const MAX_ROWS = 60;
const MAX_ACTIONS = 40;
/** The maximum number of actions that are remembered for a session. */
const MAX_REMEMBERED = 400;

const ONE_EDIT = 'The change is one undoable edit in the editor; the files are saved.';

interface RememberedAction {
  readonly path: string;
  readonly range: Range;
  /** The text of the lines of the range. */
  readonly lines: string;
  readonly title: string;
  readonly kind: string;
  readonly asked: string | undefined;
}

export function editTools(port: EditsPort): readonly EditorTool[] {
  const actions = new RememberedActions();
  return [renameSymbol(port), codeActions(port, actions), applyCodeAction(port, actions), organizeImports(port), format(port)];
}

function renameSymbol(port: EditsPort): EditorTool {
  return editorTool({
    name: 'rename_symbol',
    category: 'edits',
    title: 'Rename symbol',
    description: `Renames a symbol, its definition and all its uses in the workspace, with the editor's language server, which knows scopes, imports and types. Better than editing each file. Name the position by symbol and lineText, the text of a line that contains it; or by line and column, both 1-based. ${ONE_EDIT}`,
    isReadOnly: false,
    input: z.object({ ...positionFields, newName: z.string().trim().min(1).max(500).describe('The new name.') }),
    timeout: TIMEOUT,
    run: answeringRetries(async ({ file: named, newName, ...input }, context) => {
      const { files, file, text } = await openFile(context, port, named);
      const position = locate(text, input, file.shown);
      const name = input.symbol ?? wordAt(text, position);
      const definition = await definitionOf(context, port, files, { path: file.path, position }, name);
      const plan = await reasoned(
        'The symbol cannot be renamed',
        fromServer(context, port.rename(definition.path, definition.position, newName)),
      );
      if (!plan) {
        return TIMED_OUT;
      }
      const label = `Rename ${name} to ${newName}`;
      return mustChange(
        await apply(
          context,
          port,
          files,
          plan,
          label,
          `Nothing is renamed: the language server has no edit for ${file.shown}:${position.line + 1}.`,
        ),
      );
    }),
  });
}

function codeActions(port: EditsPort, remembered: RememberedActions): EditorTool {
  return editorTool({
    name: 'code_actions',
    category: 'edits',
    title: 'Code actions',
    description:
      'Lists the quick fixes and refactorings that the editor offers at a line or position, each with an id for apply_code_action. It changes nothing. Name the line by lineText or line, the position by symbol and lineText, and a range of lines by line and endLine.',
    isReadOnly: true,
    input: z.object({
      ...positionFields,
      endLine: z.int().min(1).optional().describe('1-based last line of the range.'),
      kind: z
        .string()
        .max(200)
        .regex(/^[\w.-]+$/)
        .optional()
        .describe('Only actions of this kind and its subkinds: quickfix, refactor, refactor.extract, source, source.fixAll, …'),
    }),
    timeout: SERVER_TIMEOUT,
    run: answeringRetries(async ({ file: named, endLine, kind, ...input }, context) => {
      const { file, text } = await openFile(context, port, named);
      const range = rangeOf(text, input, endLine, file.shown);
      const found = await fromServer(context, port.actions(file.path, range, kind));
      if (!found) {
        return TIMED_OUT;
      }
      const rows = found.map((action) => ({
        action,
        id: remembered.add(context.session.key, { path: file.path, range, lines: linesIn(text, range), asked: kind, ...action }),
      }));
      const at = `${file.shown}:${range.start.line + 1}`;
      const head = rows.length === 0 ? `No code actions at ${at}.` : `${counted(rows.length, 'code action')} at ${at}:`;
      return listAnswer(context, {
        head,
        items: rows.slice(0, MAX_ACTIONS),
        cursor: undefined,
        size: MAX_ACTIONS,
        render: async ({ action, id }) => {
          const why = refusalOf(action);
          const notes = [action.kind, action.isPreferred ? 'preferred' : '', why ?? ''].filter(Boolean).join(', ');
          const data = {
            id,
            title: action.title,
            kind: action.kind,
            preferred: action.isPreferred,
            ...(why !== undefined && { notApplicable: why }),
          };
          return { text: `${id}  ${action.title}${notes === '' ? '' : ` (${notes})`}`, data };
        },
      });
    }),
  });
}

function applyCodeAction(port: EditsPort, remembered: RememberedActions): EditorTool {
  return editorTool({
    name: 'apply_code_action',
    category: 'edits',
    title: 'Apply code action',
    description: `Applies a code action by the id that code_actions gave. ${ONE_EDIT}`,
    isReadOnly: false,
    input: z.object({ id: z.string().max(40).describe('The id of the action, from code_actions.') }),
    timeout: TIMEOUT,
    run: answeringRetries(async ({ id }, context) => {
      const wanted = remembered.get(context.session.key, id);
      if (!wanted) {
        throw new RetryError(`No code action has the id ${id}. List the actions with code_actions, then give one of their ids.`);
      }
      const { files, file, text } = await openFile(context, port, wanted.path);
      // The file may have changed since the actions were listed, so their edits are asked for again.
      const found = await fromServer(context, port.actions(file.path, wanted.range, wanted.asked));
      if (!found) {
        return TIMED_OUT;
      }
      const action = found.find(({ title, kind }) => title === wanted.title && kind === wanted.kind);
      if (!action) {
        throw new RetryError(
          `The action "${wanted.title}" is no longer offered at ${file.shown}:${wanted.range.start.line + 1}. List the actions again.`,
        );
      }
      const refused = refusalOf(action);
      if (refused !== undefined || !action.edit) {
        throw new RetryError(`The action "${action.title}" cannot be applied: ${refused}. Make the change yourself.`);
      }
      if (linesIn(text, wanted.range) !== wanted.lines) {
        throw new RetryError(
          `${file.shown}:${wanted.range.start.line + 1} has another text than when the actions were listed. List the actions again.`,
        );
      }
      return mustChange(await apply(context, port, files, action.edit, action.title, `The action "${action.title}" changes nothing.`));
    }),
  });
}

function organizeImports(port: EditsPort): EditorTool {
  return editorTool({
    name: 'organize_imports',
    category: 'edits',
    title: 'Organize imports',
    description: `Sorts the imports of a file and removes unused ones, with the editor's language server. ${ONE_EDIT}`,
    isReadOnly: false,
    input: z.object({ file: fileField }),
    timeout: TIMEOUT,
    run: answeringRetries(async ({ file: named }, context) => {
      const { files, file } = await openFile(context, port, named);
      const found = await fromServer(
        context,
        port.organizeImports(file.path).then((plan) => ({ plan })),
      );
      if (!found) {
        return TIMED_OUT;
      }
      if (!found.plan) {
        throw new RetryError(`No extension organizes the imports of ${file.shown}. Edit them yourself.`);
      }
      return apply(context, port, files, found.plan, 'Organize imports', `The imports of ${file.shown} are organized already.`);
    }),
  });
}

function format(port: EditsPort): EditorTool {
  return editorTool({
    name: 'format',
    category: 'edits',
    title: 'Format',
    description: `Formats a file, or a range of its lines, with the formatter that the user has in the editor. ${ONE_EDIT}`,
    isReadOnly: false,
    input: z.object({
      file: fileField,
      line: z.int().min(1).optional().describe('1-based first line. The whole file without it.'),
      endLine: z.int().min(1).optional().describe('1-based last line.'),
    }),
    timeout: TIMEOUT,
    run: answeringRetries(async ({ file: named, line, endLine }, context) => {
      const { files, file, text } = await openFile(context, port, named);
      const range = line === undefined && endLine === undefined ? undefined : rangeOf(text, { line: line ?? 1 }, endLine, file.shown);
      const found = await fromServer(
        context,
        port.format(file.path, range).then((plan) => ({ plan })),
      );
      if (!found) {
        return TIMED_OUT;
      }
      if (!found.plan) {
        throw new RetryError(`The editor has no formatter for ${file.shown}${range ? ', or none for a range. Try the whole file' : ''}.`);
      }
      return apply(context, port, files, found.plan, 'Format', `${file.shown} is formatted already.`);
    }),
  });
}

/**
 * Returns the position of the symbol's definition, when it has the same name and is a file of the session; otherwise the given position. At an
 * import, language servers would add an alias instead of renaming the symbol.
 */
async function definitionOf(
  context: ToolContext,
  port: EditsPort,
  files: SessionFiles,
  given: { readonly path: string; readonly position: Position },
  name: string,
): Promise<{ readonly path: string; readonly position: Position }> {
  const found = await fromServer(
    context,
    port.places('definition', given.path, given.position).catch(() => []),
  );
  const [place, ...others] = found ?? [];
  if (!place || others.length > 0 || (await files.realInside(place.path)) === undefined) {
    return given;
  }
  const position = place.range.start;
  const text = await port.peek(place.path);
  return text !== undefined && wordAt(text, position) === name ? { path: place.path, position } : given;
}

/** Returns the name that begins at a position, or has it in its middle. */
function wordAt(text: string, { line, character }: Position): string {
  return wordAround(splitLines(text)[line] ?? '', character);
}

/** Reports a change that changed nothing as a failure, so that the card of the call does not say that it is done. */
function mustChange(answer: ToolAnswer): ToolAnswer {
  return (answer.data as { readonly applied?: boolean } | undefined)?.applied === false ? { ...answer, isError: true } : answer;
}

/** Makes the edit after every file was checked. Either all files change, or none. */
async function apply(
  context: ToolContext,
  port: EditsPort,
  files: SessionFiles,
  plan: EditPlan,
  label: string,
  nothing: string,
): Promise<ToolAnswer> {
  const changed = plan.files.filter(({ edits }) => edits.length > 0);
  if (plan.others.length > 0) {
    throw new RetryError(
      `Nothing was changed. "${label}" also does what this tool cannot do: ${plan.others.slice(0, 5).join('; ')}. Make the change yourself.`,
    );
  }
  if (changed.length === 0) {
    return { text: nothing, data: { applied: false, files: [] } };
  }
  if (changed.length > MAX_FILES) {
    throw new RetryError(`Nothing was changed: "${label}" would change ${changed.length} files. At most ${MAX_FILES} are changed at once.`);
  }
  const outside = (
    await Promise.all(changed.map(async ({ path }) => ((await files.realInside(path)) === undefined ? [files.shown(path)] : [])))
  ).flat();
  if (outside.length > 0) {
    throw new RetryError(
      `Nothing was changed: "${label}" would also change files outside the session's folders: ${outside.slice(0, 10).join(', ')}. Ask the user.`,
    );
  }
  const { unsaved } = await reasoned(
    'Nothing was changed',
    port.apply(context.session, { files: changed, others: [] }, label, context.signal),
  );
  const previews = new Previews(files, port, context.session);
  const places = changed.flatMap(({ path, edits }) =>
    changedLines(edits).map((line) => ({ path, range: { start: { line, character: 0 }, end: { line, character: 0 } } })),
  );
  const rows = await Promise.all(places.slice(0, MAX_ROWS).map((place) => previews.rowOf(place)));
  const left = places.length - rows.length;
  const count = changed.reduce((sum, { edits }) => sum + edits.length, 0);
  const named = unsaved.map((path) => files.shown(path));
  return {
    text: [
      `Applied "${label}": ${counted(count, 'edit')} in ${counted(changed.length, 'file')}. Changed lines:`,
      ...rows.map(rowText),
      ...(left > 0 ? [`… and ${left} more lines`] : []),
      ...(named.length > 0
        ? [`Changed in the editor but not saved, because the user has unsaved changes there: ${named.join(', ')}.`]
        : []),
    ].join('\n'),
    data: {
      applied: true,
      edits: count,
      files: changed.map(({ path, edits }) => ({ file: files.shown(path), edits: edits.length })),
      ...(named.length > 0 && { unsaved: named }),
    },
  };
}

function rangeOf(text: string, input: Parameters<typeof locateLine>[1], endLine: number | undefined, shown: string): Range {
  const lines = splitLines(text);
  if (endLine === undefined && (input.symbol !== undefined || input.column !== undefined)) {
    const start = locate(text, input, shown);
    return { start, end: { line: start.line, character: start.character + (input.symbol?.length ?? 0) } };
  }
  const first = locateLine(text, input, shown);
  const last = endLine === undefined ? first : endLine - 1;
  if (last < first || last >= lines.length) {
    throw new RetryError(`endLine must be from ${first + 1} to ${lines.length}, the last line of ${shown}.`);
  }
  return { start: { line: first, character: 0 }, end: { line: last, character: lines[last]!.length } };
}

function linesIn(text: string, { start, end }: Range): string {
  return splitLines(text)
    .slice(start.line, end.line + 1)
    .join('\n');
}

/** Returns why an action cannot be applied by a tool, or undefined. */
function refusalOf({ disabled, edit }: CodeAction): string | undefined {
  if (disabled !== undefined) {
    return disabled;
  }
  return edit ? edit.others[0] : 'it runs a command of its extension, which only the user can start';
}

/** Undefined when the language server has not answered in time. */
function fromServer<T>(context: ToolContext, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined = undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), SERVER_TIMEOUT)));
  return untilLate(
    context,
    Promise.race([work, late]).finally(() => clearTimeout(timer)),
  );
}

/** The actions that were listed, by session and id. */
class RememberedActions {
  private readonly sessions = new Map<string, Map<string, RememberedAction>>();
  private count = 0;

  add(key: string, { path, range, lines, title, kind, asked }: RememberedAction): string {
    const actions = this.sessions.get(key) ?? new Map<string, RememberedAction>();
    this.sessions.delete(key);
    this.sessions.set(key, actions);
    const id = `action-${++this.count}`;
    actions.set(id, { path, range, lines, title, kind, asked });
    for (const all of [actions, this.sessions]) {
      while (all.size > MAX_REMEMBERED) {
        all.delete(all.keys().next().value!);
      }
    }
    return id;
  }

  get(key: string, id: string): RememberedAction | undefined {
    return this.sessions.get(key)?.get(id);
  }
}
