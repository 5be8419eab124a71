/** The tools for problems: errors and warnings of language servers, linters and tasks, as the editor shows them. */
import { z } from 'zod';
import type { AfterEdits, NewProblems } from '../afterEdits';
import { fileField, SessionFiles } from '../files';
import type { Problem, ProblemsPort } from '../language';
import { counted, cursorField, listAnswer, openFile, pacer, Previews, untilLate, type OpenedFile } from '../list';
import { problemRow, severityName } from '../problemText';
import { answeringRetries, RetryError } from '../retry';
import { editorTool, type EditorTool, type ToolAnswer, type ToolContext } from '../tool';

const PAGE = 50;
/** The maximum number of problems of a kind in the result of an edit. */
const MAX_LISTED = 40;
const MAX_ELSEWHERE = 15;
/** Seconds. */
const MAX_WAIT = 30;
const DEFAULT_WAIT = 8;

interface FoundProblem {
  readonly path: string;
  readonly problem: Problem;
}

export function problemTools(port: ProblemsPort, afterEdits: AfterEdits): readonly EditorTool[] {
  return [problems(port), editResult(port, afterEdits)];
}

function problems(port: ProblemsPort): EditorTool {
  return editorTool({
    name: 'problems',
    category: 'problems',
    title: 'Problems',
    description:
      "Lists the errors and warnings that the editor shows in its Problems view, from language servers, linters and tasks: of a file, of a folder, or of all the session's folders without path. A language server reports files that are open; a file that you name is opened. Errors come first.",
    isReadOnly: true,
    input: z.object({
      path: fileField
        .optional()
        .describe("A file or a folder: absolute, or relative to the session's folder. All folders of the session without it."),
      severity: z
        .enum(['error', 'warning', 'information', 'hint'])
        .default('warning')
        .describe('The least severity that is listed: error lists errors alone.'),
      cursor: cursorField,
    }),
    timeout: 20_000,
    run: answeringRetries(async ({ path, severity, cursor }, context) => {
      const files = await SessionFiles.of(context.session.roots);
      const target = path === undefined ? undefined : await files.resolve(path);
      const lowest = ['error', 'warning', 'information', 'hint'].indexOf(severity) + 1;
      const found = await collect(port, context, files, target?.path, lowest);
      const where = target === undefined ? "the session's folders" : target.shown;
      const counts = found.bySeverity.flatMap((each, index) => (each.length === 0 ? [] : [counted(each.length, severityName(index + 1))]));
      const all = found.bySeverity.flat();
      const head =
        all.length === 0
          ? `No problems in ${where}, of severity ${severity} or higher.`
          : `${counted(all.length, 'problem')} in ${where}: ${counts.join(', ')}.`;
      const previews = new Previews(files, port, context.session);
      return listAnswer(context, {
        head: found.isComplete ? head : `${head} The list is not complete.`,
        items: all,
        cursor,
        size: PAGE,
        render: ({ path: file, problem }) => problemRow(previews, file, problem),
      });
    }),
  });
}

/** Collects problems in slices of time: there may be tens of thousands. */
async function collect(
  port: ProblemsPort,
  context: ToolContext,
  files: SessionFiles,
  target: string | undefined,
  lowest: number,
): Promise<{ readonly bySeverity: readonly (readonly FoundProblem[])[]; readonly isComplete: boolean }> {
  const isFolder = target === undefined || !(await isFile(target));
  if (target !== undefined && !isFolder) {
    const isAnalysed = port.analysedPaths().has(target);
    await openFile(context, port, target);
    if (!(await untilLate(context, port.check(target))) && !isAnalysed) {
      await untilAnalysed(port, target, context.signal);
    }
  }
  const isMeant = (path: string): boolean => files.isInside(path) && (target === undefined || SessionFiles.isBelow(target, path));
  const bySeverity: FoundProblem[][] = [[], [], [], []];
  const rest = pacer();
  const reported = isFolder ? [...port.all()] : [{ path: target, problems: port.of(target) }];
  await rest();
  reported.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (const { path, problems: list } of reported) {
    if (context.signal.aborted) {
      return { bySeverity, isComplete: false };
    }
    if (isMeant(path)) {
      for (const problem of list.toSorted((a, b) => a.range.start.line - b.range.start.line)) {
        if (problem.severity <= lowest) {
          bySeverity[problem.severity - 1]?.push({ path, problem });
        }
      }
    }
    await rest();
  }
  return { bySeverity, isComplete: true };
}

async function isFile(path: string): Promise<boolean> {
  const { stat } = await import('node:fs/promises');
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** ms that a document which was just opened gets until its first problems are reported. */
const ANALYSIS_MS = 2500;

/** Waits for the problems of a file that has none. Most files have none, so the wait is short. */
async function untilAnalysed(port: ProblemsPort, path: string, signal: AbortSignal): Promise<void> {
  if (port.of(path).length > 0) {
    return;
  }
  await new Promise<void>((resolve) => {
    let quiet: NodeJS.Timeout | undefined = undefined;
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(quiet);
      signal.removeEventListener('abort', end);
      subscription.dispose();
      resolve();
    };
    const timer = setTimeout(end, ANALYSIS_MS);
    const subscription = port.onDidChange((paths) => {
      if (paths.includes(path)) {
        // The syntax is reported before the types.
        quiet ??= setTimeout(end, ANALYSIS_MS / 5);
      }
    });
    signal.addEventListener('abort', end);
  });
}

function editResult(port: ProblemsPort, afterEdits: AfterEdits): EditorTool {
  return editorTool({
    name: 'edit_result',
    category: 'problems',
    title: 'Result of an edit',
    description:
      'Reports what happened to a file that you edited: that the edit was applied, then the problems that are new since before the edit, and those that are gone. It waits until the language server has checked the file. The problems are findings about the code: the edit itself did not fail, so do not repeat it.',
    isReadOnly: true,
    input: z.object({
      file: fileField,
      waitSeconds: z.number().min(0).max(MAX_WAIT).default(DEFAULT_WAIT).describe('The longest wait for the language server.'),
    }),
    timeout: (MAX_WAIT + 10) * 1000,
    run: answeringRetries(async ({ file: named, waitSeconds }, context) => {
      const { session } = context;
      const analysed = port.analysedPaths();
      const opened = await untilRead(context, port, named, waitSeconds * 1000);
      const { files, file } = opened;
      const previews = new Previews(files, port, session);
      if (!afterEdits.isWritten(session.key, file.path)) {
        throw new RetryError(
          `No edit of ${file.shown} by you is known in this session. Call edit_result after you have written the file, or problems for its present problems.`,
        );
      }
      if (opened.isBehind) {
        return {
          text: `The edit of ${file.shown} was applied: the file on the disk has it. The editor has not read the file again yet, so the problems of the new text are not known. Call edit_result again.`,
          data: { file: file.shown, applied: true, settled: false },
        };
      }
      const isSettled =
        (await untilLate(context, port.check(file.path))) ||
        (await afterEdits.settled(session.key, file.path, !analysed.has(file.path), waitSeconds * 1000, context.signal));
      const result = afterEdits.result(session.key, file.path)!;
      const others = afterEdits.elsewhere(session.key, file.path).filter(({ path }) => files.isInside(path));
      return resultAnswer(previews, file, result.changes, result.isKnown, isSettled, others);
    }),
  });
}

/** Opens a file, and waits at most `limit` ms until the editor has read its new text. */
async function untilRead(context: ToolContext, port: ProblemsPort, name: string, limit: number): Promise<OpenedFile> {
  const end = Date.now() + limit;
  let opened = await openFile(context, port, name);
  while (opened.isBehind && Date.now() < end && !context.signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    opened = await openFile(context, port, name);
  }
  return opened;
}

async function resultAnswer(
  previews: Previews,
  { path, shown }: { readonly path: string; readonly shown: string },
  { added, removed, unchanged }: { readonly added: readonly Problem[]; readonly removed: readonly Problem[]; readonly unchanged: number },
  isKnown: boolean,
  isSettled: boolean,
  others: readonly NewProblems[],
): Promise<ToolAnswer> {
  const rowsOf = (list: readonly Problem[], limit: number, hasLine: boolean) =>
    Promise.all(list.slice(0, limit).map((problem) => problemRow(previews, path, problem, hasLine)));
  const [newRows, goneRows] = await Promise.all([rowsOf(added, MAX_LISTED, true), rowsOf(removed, MAX_LISTED, false)]);
  const elsewhere = others.flatMap(({ path: other, added: list }) => list.map((problem) => ({ other, problem })));
  const otherRows = await Promise.all(elsewhere.slice(0, MAX_ELSEWHERE).map(({ other, problem }) => problemRow(previews, other, problem)));
  const more = (count: number, listed: number): string[] => (count > listed ? [`… and ${count - listed} more`] : []);
  const section = (title: string, rows: readonly { readonly text: string }[], count: number): string[] =>
    count === 0 ? [] : ['', title, ...rows.map(({ text }) => text), ...more(count, rows.length)];
  const lines = [
    `The edit of ${shown} was applied.`,
    ...(isKnown
      ? [
          added.length === 0
            ? 'It caused no new problems in this file.'
            : 'The problems below are findings about the code. The edit did not fail.',
        ]
      : ['The file was not analysed before the edit, so which of its problems are new is not known.']),
    ...section(isKnown ? `New problems (${added.length}):` : `Problems now (${added.length}):`, newRows, added.length),
    ...section(`Gone since the edit (${removed.length}):`, goneRows, removed.length),
    ...section(`New problems in other files (${elsewhere.length}):`, otherRows, elsewhere.length),
    ...(unchanged > 0
      ? ['', `${counted(unchanged, 'problem')} of the file ${unchanged === 1 ? 'was' : 'were'} there before the edit.`]
      : []),
    ...(isSettled ? [] : ['', 'The language server may still be checking the file. Call edit_result again for the final state.']),
  ];
  return {
    text: lines.join('\n'),
    data: {
      file: shown,
      applied: true,
      baselineKnown: isKnown,
      settled: isSettled,
      [isKnown ? 'new' : 'present']: newRows.map(({ data }) => data),
      gone: goneRows.map(({ data }) => data),
      newElsewhere: otherRows.map(({ data }) => data),
      unchanged,
    },
  };
}
