import assert from 'node:assert/strict';
import { answerText } from '../../../../src/mcp/editor/answer';
import { type TaskInfo, type TaskProblem, type TaskRun, type TasksPort, taskTools } from '../../../../src/mcp/editor/tools/tasks';
import { resultsOf } from '../../../../src/mcp/editor/testResults';
import { type TestsPort, testTools } from '../../../../src/mcp/editor/tools/tests';
import { WindowToolsFixture } from './windowToolsFixture';

const info = (name: string, source = 'Workspace', more: Partial<TaskInfo> = {}): TaskInfo => ({
  name,
  source,
  group: undefined,
  folder: undefined,
  isBackground: false,
  detail: undefined,
  command: `run ${name}`,
  ...more,
});

describe('the tools for tasks', () => {
  const fixture = new WindowToolsFixture();
  let list: TaskInfo[];
  let runs: (TaskRun & { end(code: number): void })[];
  let problems: TaskProblem[];
  let start: (task: TaskInfo) => Promise<TaskRun>;
  const started = (task: TaskInfo) => {
    let end: (code: number) => void = () => undefined;
    const run = {
      id: `task-${runs.length + 1}`,
      task,
      isRunning: true,
      exitCode: undefined as number | undefined,
      output: 'some output' as string | undefined,
    };
    const ended = new Promise<void>((resolve) => {
      end = (code) => {
        Object.assign(run, { isRunning: false, exitCode: code });
        resolve();
      };
    });
    const whole = Object.assign(run, { ended, end });
    runs.unshift(whole);
    return whole;
  };
  let isRestricted = false;
  const port: TasksPort = {
    isRestricted: () => isRestricted,
    list: () => Promise.resolve(list),
    run: (task) => start(task),
    runs: () => runs,
    stop: (id) => {
      runs.find((run) => run.id === id)?.end(130);
      return true;
    },
    problems: () => problems,
    mayRead: (_session, file) => Promise.resolve(!file.endsWith('.env')),
  };
  const tools = taskTools(port);

  it('ask VS Code for nothing in Restricted Mode', async () => {
    isRestricted = true;
    for (const [name, input] of [
      ['list_tasks', {}],
      ['run_task', { name: 'build' }],
    ] as const) {
      const { text, isError } = await fixture.run(tools, name, input);
      assert.ok(isError && /Restricted Mode/.test(text), text);
    }
    assert.equal(runs.length, 0);
  });

  beforeEach(() => {
    isRestricted = false;
    list = [info('build'), info('test', 'npm'), info('test'), info('watch', 'npm', { isBackground: true })];
    runs = [];
    problems = [];
    start = (task) => Promise.resolve(started(task));
  });

  it('list the tasks in pages', async () => {
    assert.match((await fixture.run(tools, 'list_tasks')).text, /^4 tasks:\nbuild \(Workspace\): run build\n/);
    list = Array.from({ length: 300 }, (_, at) => info(`t${at}`, 'npm', { command: 'x'.repeat(5000) }));
    const { text, nextCursor } = await fixture.run(tools, 'list_tasks');
    assert.ok(text.length < 30_000 && Number(nextCursor) <= 100);
    list = [];
    assert.match((await fixture.run(tools, 'list_tasks')).text, /^There are no tasks/);
  });

  it('answer exit code, output and the problems that are new, of the session’s files', async () => {
    const problem = (path: string, message: string): TaskProblem => ({ path, line: 2, severity: 'error', message });
    problems = [problem(fixture.path('a.txt'), 'old')];
    start = (task) => {
      const run = started(task);
      setTimeout(() => {
        problems = [...problems, problem(fixture.path('a.txt'), 'new'), problem('/elsewhere/x', 'other')];
        run.end(2);
      }, 20);
      return Promise.resolve(run);
    };
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const { text, data } = await fixture.run(tools, 'run_task', { name: 'build' });
    const before = timers();
    await fixture.run(tools, 'run_task', { name: 'build' });
    assert.equal(timers(), before, 'no timer of the time limit is left');
    assert.equal(text, 'build has ended with exit code 2.\nNew problems:\na.txt:2: error: new\nOutput:\nsome output');
    assert.deepEqual([data?.['exitCode'], data?.['timedOut']], [2, false]);
  });

  it('answer an id when the time is over, for output and stop', async () => {
    const { text, data } = await fixture.run(tools, 'run_task', { name: 'build', waitSeconds: 0 });
    assert.match(text, /^build is still running as task-1\./);
    assert.equal(data?.['timedOut'], true);
    assert.match((await fixture.run(tools, 'task_output', { task: 'task-1' })).text, /still running[^]*some output/);
    assert.match((await fixture.run(tools, 'stop_task', { task: 'task-1' })).text, /^build has ended with exit code 130/);
    assert.match((await fixture.run(tools, 'stop_task', { task: 'task-1' })).text, /has ended/);
  });

  it('end the wait with the call', async () => {
    const over = new AbortController();
    setTimeout(() => over.abort(), 50);
    const { text } = await fixture.run(tools, 'run_task', { name: 'build' }, { signal: over.signal, timedOut: true });
    assert.match(text, /still running/);
    start = () => new Promise(() => undefined);
    const answer = await fixture.run(tools, 'run_task', { name: 'build' }, { signal: AbortSignal.timeout(30), timedOut: true });
    assert.match(answer.text, /has not started the task in time/);
  });

  it('say how to name a task, and when there is no output', async () => {
    const ambiguous = await fixture.run(tools, 'run_task', { name: 'test' });
    assert.ok(ambiguous.isError && /2 tasks have the name test, from: npm, Workspace\. Give source too\./.test(ambiguous.text));
    assert.match((await fixture.run(tools, 'run_task', { name: 'nothing' })).text, /There is no task nothing\. There are: build, test/);
    assert.match((await fixture.run(tools, 'run_task', { name: 'build', source: 'npm' })).text, /not from npm, but from Workspace/);
    start = (task) => Promise.resolve(Object.assign(started(task), { output: undefined, isRunning: false }));
    assert.match((await fixture.run(tools, 'run_task', { name: 'npm: test' })).text, /VS Code offers no output for this task/);
    for (const input of [
      {},
      { name: '' },
      { name: 'build', waitSeconds: -1 },
      { name: 'build', waitSeconds: 1e9 },
      { name: 'build', cwd: '/' },
    ]) {
      assert.ok((await fixture.call(tools, 'run_task', input)).isError, JSON.stringify(input));
    }
    for (const task of ['task-9', '', '../x']) {
      assert.ok((await fixture.call(tools, 'task_output', { task })).isError, task);
    }
  });

  it('bound the output', async () => {
    start = (task) => Promise.resolve(Object.assign(started(task), { output: `${'x'.repeat(1_000_000)}\nlast line`, isRunning: false }));
    const { text } = await fixture.run(tools, 'run_task', { name: 'build' });
    assert.ok(text.length < 20_000 && text.includes('last line'));
  });

  it('show no message about a protected file, which may quote it', async () => {
    start = (task) => {
      problems = [{ path: fixture.path('.env'), line: 1, severity: 'error', message: 'unexpected KEY=secret' }];
      return Promise.resolve(Object.assign(started(task), { isRunning: false }));
    };
    const { text, data } = await fixture.run(tools, 'run_task', { name: 'build' });
    assert.match(text, /\n\.env:1: error: The file is protected, so the message is not shown\.\n/);
    assert.doesNotMatch(JSON.stringify(data), /secret/);
  });

  it('keep the end of the output behind many problems', async () => {
    const found = [...Array(60).keys()].map((line) => ({
      path: fixture.path('a.txt'),
      line,
      severity: 'error' as const,
      message: '漢'.repeat(200),
    }));
    start = (task) => {
      problems = found;
      return Promise.resolve(Object.assign(started(task), { output: `${'字'.repeat(1_000_000)}\nlast line`, isRunning: false }));
    };
    const text = answerText(await fixture.run(tools, 'run_task', { name: 'build' }), undefined);
    assert.match(text, /\n… and \d+ more\nOutput:\n[^]*\nlast line$/);
  });

  it('run only with permission', () => {
    assert.deepEqual(
      tools.filter(({ isReadOnly }) => !isReadOnly).map(({ name }) => name),
      ['list_tasks', 'run_task', 'stop_task'],
    );
  });
});

describe('the tools for tests', () => {
  const fixture = new WindowToolsFixture();
  let answer: () => Promise<Awaited<ReturnType<TestsPort['run']>>>;
  let asked: unknown[];
  let cancelled: number;
  const port: TestsPort = {
    scopes: () => Promise.resolve(new Set(['all', 'file', 'failed'] as const)),
    run: (scope, path) => (asked.push([scope, path]), answer()),
    cancel: () => void cancelled++,
    now: () => 0,
  };

  beforeEach(() => {
    asked = [];
    cancelled = 0;
  });

  it('are honest about results that VS Code does not offer', async () => {
    const tools = testTools(port);
    assert.match((await fixture.run(tools, 'test_results')).text, /^No tests were run by run_tests\. VS Code's interface/);
    answer = () => Promise.resolve(undefined);
    const { text } = await fixture.run(tools, 'run_tests', { scope: 'file', file: 'a.txt' });
    assert.match(text, /^The run has ended\. Whether the tests passed is not known here\./);
    assert.deepEqual(asked, [['file', fixture.path('a.txt')]]);
    assert.equal((await fixture.run(tools, 'test_results')).text, text);
  });

  it('answer the results that there are', async () => {
    answer = () =>
      Promise.resolve([
        { name: 'good', state: 'passed', messages: [] },
        { name: 'bad', state: 'failed', messages: ['expected 1'] },
      ]);
    assert.equal(
      (await fixture.run(testTools(port), 'run_tests', { scope: 'all' })).text,
      '2 tests: 1 passed, 1 failed, 0 skipped.\nfailed: bad\nexpected 1',
    );
  });

  it('stop the run with a cancelled call, and not when the time is over', async () => {
    answer = () => new Promise(() => undefined);
    const tools = testTools(port);
    assert.match(
      (await fixture.run(tools, 'run_tests', { scope: 'all' }, { signal: AbortSignal.timeout(10), timedOut: true })).text,
      /still running/,
    );
    assert.equal(cancelled, 0);
    await fixture.run(tools, 'run_tests', { scope: 'all' }, { signal: AbortSignal.timeout(10) });
    assert.equal(cancelled, 1);
  });

  it('say what is wrong with an input', async () => {
    answer = () => Promise.reject(new Error('no controller'));
    const tools = testTools(port);
    assert.match((await fixture.run(tools, 'run_tests', { scope: 'all' })).text, /could not run the tests: no controller/);
    for (const input of [{}, { scope: 'some' }, { scope: 'file' }, { scope: 'file', file: '/etc/passwd' }, { scope: 'last' }]) {
      assert.ok((await fixture.call(tools, 'run_tests', input)).isError, JSON.stringify(input));
    }
  });

  it('read any answer of the command', () => {
    const items = [
      { item: { label: 'suite' }, tasks: [{ state: 0 }] },
      { item: { label: 'a' }, tasks: [{ state: 3, messages: [] }] },
      { item: { label: 'b' }, tasks: [{ state: 4, messages: [{ message: 'x' }, { message: { value: 'y' } }, null] }] },
      null,
      { item: 5, tasks: 'x' },
    ];
    assert.deepEqual(resultsOf({ items }), [
      { name: 'a', state: 'passed', messages: [] },
      { name: 'b', state: 'failed', messages: ['x', 'y'] },
    ]);
    for (const other of [undefined, null, 5, 'x', [], {}, { items: {} }, { completedAt: 1 }]) {
      assert.equal(resultsOf(other), undefined);
    }
  });
});
