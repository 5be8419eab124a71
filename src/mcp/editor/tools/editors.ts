/** The tools that read the window's editors: what is open, what the user works on, and what was typed and not saved. */
import { z } from 'zod';
import { unifiedDiff } from '../../../text/diff/unified';
import { bounded, MAX_TEXT, rowsAnswer, withRetries } from '../answerText';
import { fileField, SessionFiles } from '../files';
import { counted, cursorField } from '../list';
import { columnOf, previewOf, type Range } from '../position';
import { RetryError } from '../retry';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext, type ToolSession } from '../tool';

/** A tab of the window. */
export interface EditorTab {
  readonly kind: 'text' | 'diff' | 'notebook' | 'custom' | 'terminal' | 'page' | 'other';
  readonly label: string;
  /** The file on the disk, the changed one of a diff. Undefined for a tab without a file. */
  readonly path: string | undefined;
  readonly group: number;
  /** True for the front tab of its group. */
  readonly isActive: boolean;
  readonly isDirty: boolean;
  readonly isPinned: boolean;
}

/** The text editor that the user was in last. */
export interface ActiveEditor {
  /** The file on the disk, the notebook of a cell. Undefined for a document that is no file yet. */
  readonly path: string | undefined;
  /** The number of the notebook's cell, from 1. */
  readonly cell?: number | undefined;
  readonly label: string;
  readonly language: string;
  readonly isDirty: boolean;
  readonly lines: readonly string[];
  /** The primary one first. A selection without text is the cursor. */
  readonly selections: readonly Range[];
  /** The cursor, which is one end of the primary selection. */
  readonly cursor: Range['start'];
  readonly visible: readonly Range[];
}

export interface UnsavedDocument {
  readonly path: string | undefined;
  readonly label: string;
  readonly text: string;
  /** The text on the disk. Resolves to undefined when there is none, or when it cannot be read. */
  saved(): Promise<string | undefined>;
}

export interface EditorsPort {
  tabs(): readonly EditorTab[];
  /** The text editor that was active last, also while the conversation has the focus. */
  active(): ActiveEditor | undefined;
  unsaved(): readonly UnsavedDocument[];
  /** False for a file that is protected from the session's agent. */
  mayRead(session: ToolSession, file: string): Promise<boolean>;
}

const TAB_PAGE = 100;
const UNSAVED_PAGE = 20;
const MAX_DIFF = 8 * 1024;
const TIMEOUT = 10_000;
const noInput = z.object({});
const pageInput = z.object({ cursor: cursorField });
const unsavedInput = z.object({ file: fileField.optional(), cursor: cursorField });

export function editorTools(port: EditorsPort): readonly EditorTool[] {
  return withRetries([
    editorTool({
      name: 'open_editors',
      category: 'editors',
      title: 'List open editors',
      description:
        "Lists the tabs that are open in the user's window: file, kind, group, and whether the tab is in front or has unsaved changes. Files " +
        "outside the session's folders are only counted.",
      isReadOnly: true,
      input: pageInput,
      timeout: TIMEOUT,
      run: (input, context) => openEditors(port, input.cursor, context),
    }),
    editorTool({
      name: 'active_editor',
      category: 'editors',
      title: 'Read the active editor',
      description:
        'Answers the text editor that the user was in last: file, language, the line and column of the cursor, the lines that are visible, and ' +
        'the text around the cursor.',
      isReadOnly: true,
      input: noInput,
      timeout: TIMEOUT,
      run: (_input, context) => activeEditor(port, context),
    }),
    editorTool({
      name: 'selection',
      category: 'editors',
      title: 'Read the selection',
      description: 'Answers the text that the user has selected in the text editor that the user was in last, with file and lines.',
      isReadOnly: true,
      input: noInput,
      timeout: TIMEOUT,
      run: (_input, context) => selection(port, context),
    }),
    editorTool({
      name: 'unsaved_changes',
      category: 'editors',
      title: 'Read unsaved changes',
      description:
        'Answers what the user has typed and not saved: a diff from the file on the disk to the text in the editor, for each file with unsaved ' +
        'changes or for one file.',
      isReadOnly: true,
      input: unsavedInput,
      timeout: TIMEOUT,
      run: (input, context) => unsavedChanges(port, input, context),
    }),
  ]);
}

async function openEditors(port: EditorsPort, cursor: string | undefined, context: ToolContext): Promise<ToolAnswer> {
  const { session } = context;
  const files = await SessionFiles.of(session.roots);
  const all = port.tabs();
  const items = all.filter(({ path }) => path === undefined || files.isInside(path));
  const outside = all.length - items.length;
  const remark = outside === 0 ? '' : ` ${outside} more show files outside the session's folders.`;
  return rowsAnswer(context, {
    items: items.map((tab) => ({ ...tab, path: tab.path === undefined ? undefined : files.shown(tab.path) })),
    cursor,
    size: TAB_PAGE,
    none: `No editor is open.${remark}`,
    head: `${counted(items.length, 'open editor')}.${remark}`,
    data: (tab) => tab,
    text: ({ path, label, kind, group, isActive, isDirty, isPinned }) => {
      const marks = [
        kind,
        `group ${group}`,
        ...(isActive ? ['in front'] : []),
        ...(isDirty ? ['not saved'] : []),
        ...(isPinned ? ['pinned'] : []),
      ];
      return `${path ?? previewOf(label)} (${marks.join(', ')})`;
    },
  });
}

async function activeEditor(port: EditorsPort, context: ToolContext): Promise<ToolAnswer> {
  const editor = await readable(port, context);
  if (!editor) {
    return NO_EDITOR;
  }
  const { name, lines, cursor, language, isDirty, visible } = editor;
  const around = { from: Math.max(0, cursor.line - 5), to: Math.min(lines.length, cursor.line + 6) };
  const at = { line: cursor.line + 1, column: columnOf(lines[cursor.line] ?? '', cursor.character) };
  const seen = visible.map(({ start, end }) => ({ from: start.line + 1, to: end.line + 1 }));
  const rows = [
    `${name} (${language}${isDirty ? ', not saved' : ''}), ${lines.length} lines.`,
    `The cursor is at ${name}:${at.line}:${at.column}. Visible lines: ${seen.map(({ from, to }) => `${from}–${to}`).join(', ') || 'none'}.`,
    ...lines.slice(around.from, around.to).map((line, index) => `${around.from + index + 1}: ${line.slice(0, 400)}`),
  ];
  return { text: rows.join('\n'), data: { file: name, language, isDirty, lines: lines.length, ...at, visible: seen } };
}

async function selection(port: EditorsPort, context: ToolContext): Promise<ToolAnswer> {
  const editor = await readable(port, context);
  if (!editor) {
    return NO_EDITOR;
  }
  const { name, lines, cursor } = editor;
  const selected = editor.selections.filter(({ start, end }) => start.line !== end.line || start.character !== end.character);
  if (selected.length === 0) {
    const text = `Nothing is selected. The cursor is at ${name}:${cursor.line + 1}: ${previewOf(lines[cursor.line] ?? '')}`;
    return { text, data: { file: name, selections: [] } };
  }
  const data = selected.slice(0, 50).map((range) => ({
    from: range.start.line + 1,
    to: range.end.line + 1,
    text: bounded(textIn(lines, range), Math.floor(MAX_TEXT / Math.min(selected.length, 50))),
  }));
  const rows = data.map(({ from, to, text }) => `${name}:${from}${to === from ? '' : `–${to}`}:\n${text}`);
  return { text: bounded(rows.join('\n'), MAX_TEXT * 2), data: { file: name, selections: data } };
}

async function unsavedChanges(port: EditorsPort, input: z.output<typeof unsavedInput>, context: ToolContext): Promise<ToolAnswer> {
  const { session } = context;
  const files = await SessionFiles.of(session.roots);
  const wanted = input.file === undefined ? undefined : await files.resolve(input.file, 'file');
  const all = port.unsaved();
  const isMeant = async ({ path }: UnsavedDocument): Promise<boolean> =>
    wanted ? path === wanted.path || path === wanted.real : path === undefined || (await files.realInside(path)) !== undefined;
  const meant = await Promise.all(all.map(isMeant));
  const inside = all.filter((_, index) => meant[index]);
  const outside = wanted ? 0 : all.length - inside.length;
  const items: { readonly file: string; readonly diff: string }[] = [];
  for (const document of inside) {
    if (context.signal.aborted) {
      break;
    }
    items.push({ file: nameOf(files, document), diff: await diffOf(port, session, document) });
  }
  return rowsAnswer(context, {
    items,
    cursor: input.cursor,
    size: UNSAVED_PAGE,
    none: wanted ? `${wanted.shown} has no unsaved changes.` : `No file has unsaved changes.${remarkOf(outside)}`,
    head: `${counted(items.length, 'file')} with unsaved changes.${remarkOf(outside)}`,
    data: (item) => item,
    text: ({ file, diff }) => `${file}\n${diff}`,
  });
}

function remarkOf(outside: number): string {
  return outside === 0 ? '' : ` ${outside} more are outside the session's folders.`;
}

async function diffOf(port: EditorsPort, session: ToolSession, { path, text, saved }: UnsavedDocument): Promise<string> {
  if (path === undefined) {
    return bounded(`Not a file yet. Its text:\n${text}`, MAX_DIFF);
  }
  if (!(await port.mayRead(session, path))) {
    return 'The file is protected, so its text is not shown.';
  }
  const before = await saved();
  if (before === undefined) {
    return bounded(`Not on the disk. Its text:\n${text}`, MAX_DIFF);
  }
  return bounded(unifiedDiff(before, text) || 'The lines are the same as on the disk.', MAX_DIFF);
}

const NO_EDITOR: ToolAnswer = { text: 'No text editor is open.', data: { file: null } };

/** Returns the active editor, when its text may be sent. @throws RetryError */
async function readable(port: EditorsPort, { session }: ToolContext): Promise<(ActiveEditor & { readonly name: string }) | undefined> {
  const editor = port.active();
  if (!editor) {
    return undefined;
  }
  const files = await SessionFiles.of(session.roots);
  if (editor.path !== undefined) {
    if ((await files.realInside(editor.path)) === undefined) {
      throw new RetryError("The user's active editor shows a file outside the session's folders. See open_editors for others.");
    }
    if (!(await port.mayRead(session, editor.path))) {
      throw new RetryError('The file of the active editor is protected, so its text is not shown. See open_editors for others.');
    }
  }
  return { ...editor, name: `${nameOf(files, editor)}${editor.cell === undefined ? '' : ` cell ${editor.cell}`}` };
}

function nameOf(files: SessionFiles, { path, label }: { readonly path: string | undefined; readonly label: string }): string {
  return path === undefined ? previewOf(label) : files.shown(path);
}

function textIn(lines: readonly string[], { start, end }: Range): string {
  const inside = lines.slice(start.line, end.line + 1);
  const last = inside.length - 1;
  return inside.map((line, index) => line.slice(index === 0 ? start.character : 0, index === last ? end.character : undefined)).join('\n');
}
