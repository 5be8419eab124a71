/** The tools for VS Code's testing view. Its stable interface runs tests, and offers no result to extensions. */
import { z } from 'zod';
import { bounded, tailOf, unlessAborted, withRetries } from '../answerText';
import { fileField, SessionFiles } from '../files';
import { previewOf } from '../position';
import { RetryError } from '../retry';
import type { TestResult } from '../testResults';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext } from '../tool';

/** `file`: the tests of a file, or of all files of a folder. */
export type TestScope = 'all' | 'file' | 'failed' | 'last';

export interface TestRun {
  readonly scope: TestScope;
  readonly startedAt: number;
  isRunning: boolean;
  /** Undefined when VS Code has answered none, which depends on its version. */
  results: readonly TestResult[] | undefined;
  problem: string | undefined;
}

export interface TestsPort {
  /** The scopes that VS Code has a command for. */
  scopes(): Promise<ReadonlySet<TestScope>>;
  /** Runs tests. Resolves when VS Code's command has ended. @param path of the file or folder, for the scope `file` */
  run(scope: TestScope, path: string | undefined): Promise<readonly TestResult[] | undefined>;
  /** Stops the runs of the window. */
  cancel(): void;
  now(): number;
}

const runInput = z.object({
  scope: z
    .enum(['all', 'file', 'failed', 'last'])
    .describe('All tests, those of a file or folder, those that failed last, or the last run again.'),
  file: fileField.optional().describe('With scope file: the file or the folder of the tests.'),
});
const MAX_LISTED = 50;
const HONEST =
  "VS Code's interface for extensions does not offer test results. Read them where the runner writes: run the tests as a task (list_tasks, run_task), or " +
  'in a terminal. The user sees them in the Testing view.';

const NO_MESSAGES = 'VS Code does not offer the messages of failed tests. To read them, run the tests as a task (list_tasks, run_task).';

export function testTools(port: TestsPort): readonly EditorTool[] {
  /** The last run of each session. */
  const runs = new Map<string, TestRun>();
  return withRetries([
    editorTool({
      name: 'run_tests',
      category: 'tests',
      title: 'Run tests',
      description:
        "Runs tests of VS Code's Testing view: all, of a file or folder, failed ones, or the last run again. Results are answered only as far as VS Code " +
        'offers them; to read the output of tests, prefer run_task.',
      isReadOnly: false,
      input: runInput,
      timeout: 600_000,
      run: async (input, context) => {
        const path = await pathOf(input, context);
        if (!(await port.scopes()).has(input.scope)) {
          throw new RetryError('This window has no command for that. Run the tests as a task: see list_tasks.');
        }
        const run: TestRun = { scope: input.scope, startedAt: port.now(), isRunning: true, results: undefined, problem: undefined };
        runs.set(context.session.key, run);
        const done = port.run(input.scope, path).then(
          (results) => {
            run.results = results;
            run.isRunning = false;
          },
          (error: unknown) => {
            run.problem = error instanceof Error ? error.message : String(error);
            run.isRunning = false;
          },
        );
        await unlessAborted(done, context.signal);
        if (run.isRunning && !context.timedOut) {
          // The agent has cancelled the call.
          port.cancel();
        }
        return answer(run, port.now(), context);
      },
    }),
    editorTool({
      name: 'test_results',
      category: 'tests',
      title: 'Read test results',
      description: 'Answers the state of the last run_tests, and its results as far as VS Code offers them.',
      isReadOnly: true,
      input: z.object({}),
      timeout: 10_000,
      run: (_input, context) => {
        const run = runs.get(context.session.key);
        const none = { text: `No tests were run by run_tests. ${HONEST}`, data: { state: 'none', results: [] } };
        return Promise.resolve(run ? answer(run, port.now(), context) : none);
      },
    }),
  ]);
}

/** @throws RetryError */
async function pathOf({ scope, file }: z.output<typeof runInput>, { session }: ToolContext): Promise<string | undefined> {
  if (scope !== 'file') {
    return undefined;
  }
  if (file === undefined) {
    throw new RetryError('Give file with scope file.');
  }
  return (await (await SessionFiles.of(session.roots)).resolve(file)).path;
}

function answer({ scope, startedAt, isRunning, results, problem }: TestRun, now: number, { timedOut }: ToolContext): ToolAnswer {
  const seconds = Math.round((now - startedAt) / 1000);
  if (problem !== undefined) {
    return {
      text: `VS Code could not run the tests: ${problem.slice(0, 1000)}\n${HONEST}`,
      isError: true,
      data: { state: 'failed', scope },
    };
  }
  if (isRunning) {
    return { text: `The tests are still running after ${seconds} s. See test_results.`, data: { state: 'running', scope, timedOut } };
  }
  if (!results) {
    return {
      text: `The run has ended. Whether the tests passed is not known here. ${HONEST}`,
      data: { state: 'ended', scope, results: null },
    };
  }
  if (results.length === 0) {
    return { text: `No test ran. ${HONEST}`, data: { state: 'ended', scope, results: [] } };
  }
  const bad = results.filter(({ state }) => state === 'failed' || state === 'errored');
  const count = (wanted: TestResult['state']): number => results.filter(({ state }) => state === wanted).length;
  const head = `${results.length} tests: ${count('passed')} passed, ${bad.length} failed, ${count('skipped')} skipped.`;
  const rows = bad
    .slice(0, MAX_LISTED)
    .map(({ name, state, messages }) => [`${state}: ${previewOf(name)}`, ...messages.map((each) => tailOf(each, 1500))].join('\n'));
  const left = bad.length - rows.length;
  const remark = bad.some(({ messages }) => messages.length === 0) ? [NO_MESSAGES] : [];
  return {
    text: bounded([head, ...rows, ...(left > 0 ? [`… and ${left} more`] : []), ...remark].join('\n')),
    data: { state: 'ended', scope, passed: count('passed'), failed: bad.length, total: results.length, failures: bad.slice(0, MAX_LISTED) },
  };
}
