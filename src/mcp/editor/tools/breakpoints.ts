/** The tools for the breakpoints of the window. */
import { z } from 'zod';
import { pause, rowsAnswer, withRetries } from '../answerText';
import type { Breakpoint, DebugPort } from '../debugging/debugPort';
import { fileField, SessionFiles } from '../files';
import { counted, cursorField } from '../list';
import { locateLine, positionFields, previewOf, splitLines } from '../position';
import { textForPosition } from '../positionText';
import { RetryError } from '../retry';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext } from '../tool';

const PAGE = 100;
const TIMEOUT = 10_000;
/** The time in ms in which VS Code moves a new breakpoint to a line that has code. */
const VERIFY_MS = 300;

const text = (what: string) => z.string().min(1).max(2000).optional().describe(what);
const listInput = z.object({ file: fileField.optional(), cursor: cursorField });
const setInput = z.object({
  ...positionFields,
  condition: text('The program stops only when this expression is true.'),
  hitCondition: text('The number of hits after which the program stops, such as "3" or "> 5".'),
  logMessage: text('Makes a logpoint: this text is logged instead of a stop. Expressions in braces are evaluated.'),
});
const removeInput = z.object({
  file: fileField.optional().describe('The file of the breakpoints. Leave it out, with all, to remove every breakpoint.'),
  line: z.int().min(1).optional().describe('1-based line. Leave it out to remove all breakpoints of the file.'),
  all: z.boolean().optional().describe('True: removes every breakpoint of the window.'),
});

export function breakpointTools(port: DebugPort): readonly EditorTool[] {
  return withRetries([
    editorTool({
      name: 'breakpoints',
      category: 'debugging',
      title: 'List breakpoints',
      description: 'Lists the breakpoints and logpoints of the window, or of one file, with their conditions.',
      isReadOnly: true,
      input: listInput,
      timeout: TIMEOUT,
      run: (input, context) => listBreakpoints(port, input, context),
    }),
    editorTool({
      name: 'set_breakpoint',
      category: 'debugging',
      title: 'Set a breakpoint',
      description:
        'Sets a breakpoint at a line, optionally with a condition or a number of hits, or a logpoint. A breakpoint of the same line is replaced. Name ' +
        'the line by lineText or by line.',
      isReadOnly: false,
      input: setInput,
      timeout: TIMEOUT,
      run: (input, context) => setBreakpoint(port, input, context),
    }),
    editorTool({
      name: 'remove_breakpoints',
      category: 'debugging',
      title: 'Remove breakpoints',
      description: 'Removes the breakpoint of a line, all breakpoints of a file, or all breakpoints of the window.',
      isReadOnly: false,
      input: removeInput,
      timeout: TIMEOUT,
      run: (input, context) => removeBreakpoints(port, input, context),
    }),
  ]);
}

async function listBreakpoints(port: DebugPort, { file, cursor }: z.output<typeof listInput>, context: ToolContext): Promise<ToolAnswer> {
  const files = await SessionFiles.of(context.session.roots);
  const wanted = file === undefined ? undefined : await files.resolve(file, 'file');
  const all = port.breakpoints();
  const isShown = ({ path }: Breakpoint): boolean =>
    wanted ? path === wanted.path || path === wanted.real : path === undefined || files.isInside(path);
  const items = all
    .filter(isShown)
    .map(({ id: _id, path, ...rest }) => ({ ...rest, file: path === undefined ? undefined : files.shown(path) }));
  return rowsAnswer(context, {
    items,
    cursor,
    size: PAGE,
    none: wanted ? `${wanted.shown} has no breakpoints.` : 'There are no breakpoints in the files of this session.',
    head: `${counted(items.length, 'breakpoint')}:`,
    data: (item) => item,
    text: ({ file: shown, line, functionName, ...marks }) =>
      `${shown === undefined ? `function ${functionName}` : `${shown}:${line}`}${marksOf(marks)}`,
  });
}

async function setBreakpoint(port: DebugPort, input: z.output<typeof setInput>, context: ToolContext): Promise<ToolAnswer> {
  const files = await SessionFiles.of(context.session.roots);
  const file = await files.resolve(input.file, 'file');
  const source = await textForPosition(port, context.session, file, input);
  const line = locateLine(source, input, file.shown) + 1;
  const { condition, hitCondition, logMessage } = input;
  const before = at(port, [file.path, file.real], line);
  port.remove(before.map(({ id }) => id));
  port.add({ path: file.path, line, condition, hitCondition, logMessage });
  await pause(VERIFY_MS, context.signal);
  const preview = (await port.mayRead(context.session, file.path)) ? `: ${previewOf(splitLines(source)[line - 1] ?? '')}` : '';
  const what = logMessage === undefined ? 'breakpoint' : 'logpoint';
  return {
    text: `${before.length > 0 ? 'Replaced the' : 'Set a'} ${what} at ${file.shown}:${line}${preview}${marksOf({ condition, hitCondition, logMessage, isEnabled: true })}`,
    data: { file: file.shown, line, replaced: before.length > 0 },
  };
}

async function removeBreakpoints(
  port: DebugPort,
  { file, line, all }: z.output<typeof removeInput>,
  { session }: ToolContext,
): Promise<ToolAnswer> {
  const files = await SessionFiles.of(session.roots);
  if (file === undefined && !all) {
    throw new RetryError('Give file, or set all to remove every breakpoint.');
  }
  const named = file === undefined ? undefined : await files.resolve(file, 'file');
  const meant = port
    .breakpoints()
    .filter((each) => !named || ((each.path === named.path || each.path === named.real) && (line === undefined || each.line === line)));
  if (meant.length === 0) {
    const lines = named ? at(port, [named.path, named.real], undefined).map((each) => each.line) : [];
    const where = lines.length === 0 ? '' : ` It has breakpoints at these lines: ${lines.join(', ')}.`;
    throw new RetryError(`There is no such breakpoint${named ? ` in ${named.shown}${line === undefined ? '' : `:${line}`}` : ''}.${where}`);
  }
  port.remove(meant.map(({ id }) => id));
  return { text: `Removed ${counted(meant.length, 'breakpoint')}.`, data: { removed: meant.length } };
}

function at(port: DebugPort, paths: readonly string[], line: number | undefined): readonly Breakpoint[] {
  return port
    .breakpoints()
    .filter((each) => each.path !== undefined && paths.includes(each.path) && (line === undefined || each.line === line));
}

function marksOf({ condition, hitCondition, logMessage, isEnabled }: Partial<Breakpoint>): string {
  const marks = [
    ...(isEnabled ? [] : ['disabled']),
    ...(condition === undefined ? [] : [`when ${previewOf(condition)}`]),
    ...(hitCondition === undefined ? [] : [`hits ${previewOf(hitCondition)}`]),
    ...(logMessage === undefined ? [] : [`logs ${JSON.stringify(previewOf(logMessage))}`]),
  ];
  return marks.length === 0 ? '' : ` (${marks.join(', ')})`;
}
