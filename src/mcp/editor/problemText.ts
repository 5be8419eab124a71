/** Problems as rows of an answer, and the remark on new problems in the answers of other tools. */
import path from 'node:path';
import type { NewProblems } from './afterEdits';
import type { Problem } from './language';
import { counted, type Previews } from './list';

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;
const MAX_MESSAGE = 1000;
/** Messages of linters often quote the text. */
export const HIDDEN = 'The file is protected, so the message is not shown.';
/** UTF-16 units of a message in a remark, which has to fit into the answer of another tool. */
const MAX_NAMED_MESSAGE = 300;
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
export async function problemRow(previews: Previews, file: string, problem: Problem, hasLine = true): Promise<ProblemRow> {
  const { preview, ...at } = await previews.rowOf({ path: file, range: problem.range });
  const whole = (await previews.isHidden(file)) ? HIDDEN : problem.message;
  const message = whole.length > MAX_MESSAGE ? `${whole.slice(0, MAX_MESSAGE)}…` : whole;
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

/**
 * Returns a remark on new problems, or undefined without any. It must not look like a failure of the call or of the edit.
 * @param cwd the folder that names are relative to
 */
export function newProblemsText(cwd: string, found: readonly NewProblems[]): string | undefined {
  const all = found.flatMap(({ path: file, added }) => added.map((problem) => ({ file: shownIn(cwd, file), problem })));
  if (all.length === 0) {
    return undefined;
  }
  const rows = all.slice(0, MAX_NAMED).map(({ file, problem: { range, severity, message } }) => {
    const text = message.length > MAX_NAMED_MESSAGE ? `${message.slice(0, MAX_NAMED_MESSAGE)}…` : message;
    return `${file}:${range.start.line + 1} ${severityName(severity)}: ${text.replace(/\r?\n/g, '\n    ')}`;
  });
  const left = all.length - rows.length;
  return [
    `Your edits were applied. The files that you edited have ${counted(all.length, 'new problem')} since then:`,
    ...rows,
    ...(left > 0 ? [`… and ${left} more`] : []),
  ].join('\n');
}

function shownIn(cwd: string, file: string): string {
  const below = path.relative(cwd, file);
  return below.startsWith('..') || path.isAbsolute(below) ? file : below.replaceAll('\\', '/');
}
