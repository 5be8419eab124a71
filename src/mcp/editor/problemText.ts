/** Problems as rows of an answer, and the remark on new problems in the answers of other tools. */
import type { Problem, ProblemsPort } from './language';
import { counted, Previews } from './list';
import type { NewProblems } from './afterEdits';
import { SessionFiles } from './files';
import type { ToolSession } from './tool';

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
const MAX_MESSAGE = 1000;
/** The maximum number of problems in a remark. */
const MAX_NAMED = 10;

export type SeverityName = (typeof SEVERITIES)[number];

export function severityName(severity: number): SeverityName {
  return SEVERITIES[severity - 1] ?? 'error';
}

export interface ProblemRow {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns `file:line:column severity source(code): message`, and the line. @param hasLine false when the line is no longer there */
export async function problemRow(previews: Previews, path: string, problem: Problem, hasLine = true): Promise<ProblemRow> {
  const { preview, ...at } = await previews.rowOf({ path, range: problem.range });
  const message = problem.message.length > MAX_MESSAGE ? `${problem.message.slice(0, MAX_MESSAGE)}…` : problem.message;
  const { source, code } = problem;
  const origin = [source, code === undefined ? undefined : `(${code})`].filter(Boolean).join(' ');
  const severity = severityName(problem.severity);
  const line = hasLine && preview ? `\n    ${preview}` : '';
  return {
    text: `${at.file}:${at.line}:${at.column} ${severity}${origin === '' ? '' : ` ${origin}`}: ${message.replace(/\r?\n/g, '\n    ')}${line}`,
    data: {
      ...at,
      severity,
      message,
      ...(source && { source }),
      ...(code !== undefined && { code }),
      ...(hasLine && preview && { preview }),
    },
  };
}

/** Returns a remark on new problems, or undefined without any. It must not look like a failure of the call or of the edit. */
export async function newProblemsText(
  session: ToolSession,
  port: ProblemsPort,
  found: readonly NewProblems[],
): Promise<string | undefined> {
  const count = found.reduce((sum, { added }) => sum + added.length, 0);
  if (count === 0) {
    return undefined;
  }
  const previews = new Previews(await SessionFiles.of(session.roots), port, session);
  const all = found.flatMap(({ path, added }) => added.map((problem) => ({ path, problem })));
  const rows = await Promise.all(
    all.slice(0, MAX_NAMED).map(async ({ path, problem }) => (await problemRow(previews, path, problem)).text),
  );
  const left = all.length - rows.length;
  return [
    `Your edits were applied. Since then ${counted(count, 'new problem is', 'new problems are')} in the files that you edited:`,
    ...rows,
    ...(left > 0 ? [`… and ${left} more: call problems.`] : []),
  ].join('\n');
}
