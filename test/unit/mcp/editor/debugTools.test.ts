import assert from 'node:assert/strict';
import path from 'node:path';
import type { Breakpoint, DebugConfiguration, DebugPort } from '../../../../src/mcp/editor/debugging/debugPort';
import { DebugSessions } from '../../../../src/mcp/editor/debugging/debugSessions';
import { breakpointTools } from '../../../../src/mcp/editor/tools/breakpoints';
import { debuggingTools } from '../../../../src/mcp/editor/tools/debugging';
import { inspectingTools } from '../../../../src/mcp/editor/tools/inspecting';
import { WindowToolsFixture } from './windowToolsFixture';

const event = (name: string, body: unknown = {}) => ({ type: 'event', event: name, body });
const never = new AbortController().signal;

describe('debug sessions', () => {
  it('follow the messages of their adapter', () => {
    const sessions = new DebugSessions();
    sessions.add('k', 'app', 'node', undefined, 'running');
    sessions.received('k', event('output', { category: 'stdout', output: 'hello' }));
    sessions.received('k', event('output', { category: 'telemetry', output: 'secret' }));
    sessions.received('k', event('stopped', { reason: 'breakpoint', threadId: 7, description: 'Paused' }));
    assert.deepEqual([sessions.all[0]!.state, sessions.all[0]!.stop?.threadId, sessions.all[0]!.output], ['stopped', 7, 'hello']);
    sessions.sent('k', { type: 'request', command: 'next' });
    assert.equal(sessions.all[0]!.state, 'running', 'some adapters do not report it');
    sessions.received('k', { type: 'response', command: 'next', success: false });
    assert.equal(sessions.all[0]!.state, 'stopped');
    sessions.received('k', event('exited', { exitCode: 3 }));
    sessions.end('k');
    sessions.received('k', event('stopped', { reason: 'late' }));
    assert.deepEqual([sessions.all[0]!.state, sessions.all[0]!.exitCode], ['ended', 3]);
  });

  it('ignore messages that make no sense', () => {
    const sessions = new DebugSessions();
    sessions.add('k', 'app', 'node', 'k', 'running');
    for (const message of [
      null,
      5,
      'x',
      {},
      event('stopped', null),
      event('output', { output: 5 }),
      event('exited', { exitCode: 'x' }),
      [],
      event('other'),
    ]) {
      sessions.received('k', message);
      sessions.sent('k', message);
    }
    sessions.received('unknown', event('stopped'));
    assert.equal(sessions.all.length, 1);
    assert.equal(sessions.familyOf('k').length, 1, 'a parent in a circle');
  });

  it('keep only the end of a flood of output, and the newest sessions', () => {
    const sessions = new DebugSessions();
    for (let at = 0; at < 120; at++) {
      sessions.add(`k${at}`, 'app', 'node', undefined, 'running');
      sessions.received(`k${at}`, event('output', { output: 'x'.repeat(100_000) }));
      sessions.end(`k${at}`);
    }
    assert.ok(sessions.all.length <= 51 && sessions.all.at(-1)!.output.length <= 64 * 1024);
  });

  it('wait for a stop of a family, for its end, or for the signal', async () => {
    const sessions = new DebugSessions();
    const family = () => sessions.all;
    const first = sessions.next(family, 0, never);
    sessions.add('p', 'parent', 'node', undefined, 'running');
    sessions.add('c', 'child', 'node', 'p', 'running');
    sessions.received('c', event('stopped', { reason: 'entry' }));
    assert.equal(((await first) as { key: string }).key, 'c');
    const since = sessions.revision;
    const second = sessions.next(family, since, never);
    sessions.sent('c', { type: 'request', command: 'continue' });
    sessions.end('c');
    sessions.end('p');
    assert.equal(await second, 'ended');
    assert.equal(await sessions.next(() => [], since, AbortSignal.timeout(5)), undefined);
    assert.equal(await sessions.next(family, since, AbortSignal.abort()), undefined);
  });
});

describe('the tools for debugging', () => {
  const fixture = new WindowToolsFixture({ 'app/sum.js': 'a\nb\nreturn sum;\n', 'app/x.unknown': '' });
  let sessions: DebugSessions;
  let requests: [command: string, args: Readonly<Record<string, unknown>>][];
  let answers: Record<string, (args: Readonly<Record<string, unknown>>) => unknown>;
  let configurations: DebugConfiguration[];
  let breakpoints: Breakpoint[];
  let start: (folder: string | undefined, configuration: unknown) => Promise<boolean>;
  let stopped: (string | undefined)[];
  let isProtected = false;
  const port: DebugPort = {
    sessions: () => sessions,
    activeKey: () => undefined,
    request: (_key, command, args) => {
      requests.push([command, args]);
      const answer = answers[command];
      return answer ? Promise.resolve().then(() => answer(args)) : Promise.reject(new Error(`no ${command}`));
    },
    localPath: (source) => (path.isAbsolute(source) ? source : undefined),
    configurations: () => configurations,
    start: (folder, configuration) => start(folder, configuration),
    stop: (key) => {
      stopped.push(key);
      sessions.all.forEach((each) => sessions.end(each.key));
      return Promise.resolve();
    },
    breakpoints: () => breakpoints,
    add: (added) => void breakpoints.push({ id: String(breakpoints.length), functionName: undefined, isEnabled: true, ...added }),
    remove: (ids) => void (breakpoints = breakpoints.filter(({ id }) => !ids.includes(id))),
    textOf: () => Promise.resolve('a\nb\nreturn sum;\n'),
    mayRead: () => Promise.resolve(!isProtected),
  };
  const tools = [...debuggingTools(port), ...inspectingTools(port), ...breakpointTools(port)];
  const call = (name: string, input: unknown = {}) => fixture.call(tools, name, input);
  const stop = (key = 'k', reason = 'breakpoint') => sessions.received(key, event('stopped', { reason, threadId: 1 }));

  beforeEach(() => {
    isProtected = false;
    sessions = new DebugSessions();
    requests = [];
    answers = {
      threads: () => ({ threads: [{ id: 1, name: 'main' }, { id: 'x' }] }),
      stackTrace: () => ({
        stackFrames: [
          { id: 10, name: 'add', line: 3, column: 1, source: { path: fixture.path('sum.js') } },
          { id: 11, name: 'native', line: 1, column: 1, source: { name: 'vm', sourceReference: 4, path: '/etc/passwd' } },
          { id: 12, name: 'lib', line: 1, column: 1, source: { path: '/elsewhere/lib.js' } },
        ],
        totalFrames: 3,
      }),
      scopes: () => ({
        scopes: [
          { name: 'Local', variablesReference: 5 },
          { name: 'Global', variablesReference: 6, expensive: true },
        ],
      }),
      variables: ({ variablesReference }) => ({
        variables:
          variablesReference === 5
            ? [
                { name: 'sum', type: 'number', value: '42', variablesReference: 0 },
                { name: 'list', value: 'Array(2000000)', variablesReference: 7, indexedVariables: 2_000_000, namedVariables: 1 },
              ]
            : [{ name: '0', value: 'x', variablesReference: 0 }],
      }),
    };
    configurations = [{ name: 'Launch', type: 'node', request: 'launch', folder: fixture.cwd }];
    breakpoints = [];
    stopped = [];
    start = () => {
      sessions.add('k', 'app', 'node', undefined, 'running');
      setTimeout(() => stop(), 10);
      return Promise.resolve(true);
    };
  });

  it('start a configuration or a file, and wait for the stop', async () => {
    const started: unknown[] = [];
    const begin = start;
    start = (...args) => (started.push(args), begin(...args));
    const { text, data } = await call('start_debugging', { configuration: 'Launch' });
    assert.match(
      text,
      /^debug-1 \(app, node\) is stopped: breakpoint, thread 1\.\n#0 add sum\.js:3: return sum;\n#1 native \/etc\/passwd:1\n#2 lib \/elsewhere\/lib\.js:1$/,
    );
    assert.deepEqual([data?.['file'], data?.['line'], data?.['timedOut']], ['sum.js', 3, false]);
    sessions = new DebugSessions();
    await call('start_debugging', { file: 'sum.js', args: ['x'], stopOnEntry: true });
    assert.deepEqual(started, [
      [fixture.cwd, 'Launch'],
      [
        fixture.cwd,
        {
          name: 'sum.js',
          type: 'node',
          request: 'launch',
          program: fixture.path('sum.js'),
          cwd: fixture.cwd,
          args: ['x'],
          stopOnEntry: true,
        },
      ],
    ]);
  });

  it('answer the end of the program, a running one, and one that did not start', async () => {
    start = () => {
      sessions.add('k', 'app', 'node', undefined, 'running');
      sessions.received('k', event('output', { output: 'done\n' }));
      sessions.received('k', event('exited', { exitCode: 1 }));
      sessions.end('k');
      return Promise.resolve(true);
    };
    assert.equal(
      (await call('start_debugging', { configuration: 'Launch' })).text,
      'The program has ended with exit code 1.\nOutput of debug-1:\ndone',
    );
    start = () => (sessions.add('r', 'app', 'node', undefined, 'running'), Promise.resolve(true));
    const running = await call('start_debugging', { configuration: 'Launch', waitSeconds: 0 });
    assert.match(running.text, /^The program is still running/);
    assert.equal(running.data?.['timedOut'], true);
    start = () => Promise.resolve(false);
    assert.match((await call('start_debugging', { configuration: 'Launch' })).text, /has not started it: the task before it failed/);
    start = () => Promise.reject(new Error('no adapter'));
    assert.match((await call('start_debugging', { configuration: 'Launch' })).text, /could not start it: no adapter/);
    start = () => new Promise(() => undefined);
    assert.match((await call('start_debugging', { configuration: 'Launch', waitSeconds: 0 })).text, /has not started in time/);
  });

  it('refuse programs outside of the session, and inputs that make no sense', async () => {
    let count = 0;
    start = () => (count++, Promise.resolve(true));
    const wrong = [
      {},
      { configuration: 'None' },
      { configuration: 'Launch', file: 'sum.js' },
      { file: '/bin/sh' },
      { file: '../outside/b.txt', type: 'node' },
      { file: 'x.unknown' },
      { file: '.' },
      { file: 'sum.js', args: 'x' },
      { file: 'sum.js', waitSeconds: 1e6 },
      { file: 'sum.js', env: {} },
      { configuration: '' },
    ];
    for (const input of wrong) {
      assert.ok((await call('start_debugging', input)).isError, JSON.stringify(input));
    }
    assert.equal(count, 0);
  });

  it('step and wait, and refuse what the state does not allow', async () => {
    assert.match((await call('step', { action: 'over' })).text, /No program is being debugged/);
    sessions.add('k', 'app', 'node', undefined, 'running');
    assert.match((await call('step', { action: 'over' })).text, /is running, so it cannot step/);
    answers['pause'] = () => stop('k', 'pause');
    assert.match((await call('step', { action: 'pause' })).text, /is stopped: pause/);
    assert.match((await call('step', { action: 'pause' })).text, /is stopped already/);
    answers['stepIn'] = () => {
      sessions.sent('k', { type: 'request', command: 'stepIn' });
      stop('k', 'step');
    };
    assert.match((await call('step', { action: 'in' })).text, /is stopped: step/);
    assert.deepEqual(requests.find(([command]) => command === 'stepIn')?.[1], { threadId: 1 });
    answers['next'] = () => {
      throw new Error('not now');
    };
    const refused = await call('step', { action: 'over' });
    assert.ok(refused.isError && /refused "next": not now/.test(refused.text));
    assert.ok((await call('step', { action: 'jump' })).isError);
    assert.ok((await call('step', { action: 'over', session: 'debug-9' })).isError);
  });

  it('read the stack and the variables, without reading what is expensive or huge at once', async () => {
    sessions.add('k', 'app', 'node', undefined, 'running');
    stop();
    assert.match((await call('stack')).text, /^Thread 1 of debug-1, 3 frames:\n#0 add sum\.js:3: return sum;\n/);
    assert.equal(
      (await call('scopes')).text,
      '#0 add\nLocal:\n  sum: number = 42\n  list = Array(2000000) {7}\nGlobal: read it with reference 6',
    );
    // The references of the scopes call are known to the same tools.
    const page = await call('scopes', { reference: 7, cursor: '1999980' });
    assert.match(page.text, /^2000001 members:/);
    assert.deepEqual(
      requests.filter(([command, args]) => command === 'variables' && args['variablesReference'] === 7).map(([, args]) => args),
      [
        { variablesReference: 7, filter: 'indexed', start: 1_999_980, count: 20 },
        { variablesReference: 7, filter: 'named' },
      ],
    );
    assert.ok((await call('scopes', { frame: 99_999 })).isError);
    assert.ok((await call('scopes', { reference: 0 })).isError);
    assert.ok((await call('stack', { cursor: '-1' })).isError);
    answers['stackTrace'] = () => ({ stackFrames: 'x' });
    assert.equal((await call('stack')).text, 'No frames.');
    assert.match((await call('scopes')).text, /There is no frame 0/);
  });

  it('read no value whose reference runs code of the program, such as a getter', async () => {
    sessions.add('k', 'app', 'node', undefined, 'running');
    stop();
    const getter = { name: 'now', value: 'get now()', variablesReference: 8, presentationHint: { lazy: true } };
    answers['variables'] = ({ variablesReference }) => ({ variables: variablesReference === 5 ? [getter] : [] });
    assert.match((await call('scopes')).text, /\n {2}now = get now\(\)\n/);
    for (const reference of [8, 99]) {
      const { text, isError } = await call('scopes', { reference });
      assert.ok(isError && /No answer since the last stop/.test(text), text);
    }
    const read = requests.filter(([command]) => command === 'variables').map(([, args]) => args['variablesReference']);
    assert.deepEqual(read, [5]);
  });

  it('set a breakpoint in a protected file by its line alone', async () => {
    isProtected = true;
    for (const position of [{ lineText: 'return sum;' }, { symbol: 'sum' }, { line: 3, column: 99 }]) {
      const { text, isError } = await call('set_breakpoint', { file: 'sum.js', ...position });
      assert.ok(isError && /protected/.test(text) && !text.includes('return'), text);
    }
    assert.match((await call('set_breakpoint', { file: 'sum.js', line: 3 })).text, /^Set a breakpoint at sum\.js:3$/);
  });

  it('evaluate an expression in a frame, and pass on the debugger’s refusal', async () => {
    sessions.add('k', 'app', 'node', undefined, 'running');
    stop();
    answers['evaluate'] = ({ expression }) => ({
      result: `${expression as string}!`.repeat(20_000),
      type: 'string',
      variablesReference: 0,
    });
    assert.ok((await call('evaluate', { expression: 'a' })).text.length < 17_000);
    answers['evaluate'] = () => {
      throw new Error('ReferenceError: b');
    };
    const refused = await call('evaluate', { expression: 'b' });
    assert.ok(refused.isError && /ReferenceError: b/.test(refused.text));
    assert.ok((await call('evaluate', { expression: '' })).isError);
    const late = await fixture.run(tools, 'evaluate', { expression: 'a' }, { signal: AbortSignal.abort(), timedOut: true });
    assert.match(late.text, /has not answered in time/);
  });

  it('stop one session or all', async () => {
    assert.equal((await call('stop_debugging')).text, 'No program is being debugged.');
    sessions.add('k', 'app', 'node', undefined, 'running');
    assert.equal((await call('stop_debugging')).text, 'debug-1 (app) has ended.');
    assert.deepEqual(stopped, [undefined]);
    assert.ok((await call('stop_debugging', { session: 'debug-1' })).isError);
  });

  it('show sessions, threads and configurations', async () => {
    sessions.add('k', 'app', 'node', undefined, 'running');
    stop();
    assert.equal(
      (await call('debug_state')).text,
      'debug-1 (app, node) is stopped: breakpoint, thread 1.\n  thread 1: main (stopped)\nConfigurations of launch.json:\n  Launch (node, launch) in .',
    );
  });

  it('set, list and remove breakpoints of the session’s files', async () => {
    breakpoints = [
      {
        id: 'x',
        path: '/elsewhere/x.js',
        line: 1,
        functionName: undefined,
        isEnabled: true,
        condition: undefined,
        hitCondition: undefined,
        logMessage: undefined,
      },
    ];
    assert.equal((await call('breakpoints')).text, 'There are no breakpoints in the files of this session.');
    assert.equal(
      (await call('set_breakpoint', { file: 'sum.js', lineText: 'return sum;', condition: 'x > 1' })).text,
      'Set a breakpoint at sum.js:3: return sum; (when x > 1)',
    );
    assert.equal(
      (await call('set_breakpoint', { file: 'sum.js', line: 3, logMessage: 'at {x}' })).text,
      'Replaced the logpoint at sum.js:3: return sum; (logs "at {x}")',
    );
    assert.equal((await call('breakpoints', { file: 'sum.js' })).text, '1 breakpoint:\nsum.js:3 (logs "at {x}")');
    for (const input of [
      { file: 'sum.js' },
      { file: 'sum.js', line: 99 },
      { file: '/etc/passwd', line: 1 },
      { file: 'sum.js', lineText: 'no such line' },
      { line: 1 },
    ]) {
      assert.ok((await call('set_breakpoint', input)).isError, JSON.stringify(input));
    }
    const wrong = await call('remove_breakpoints', { file: 'sum.js', line: 1 });
    assert.ok(wrong.isError && /breakpoints at these lines: 3/.test(wrong.text), wrong.text);
    assert.ok((await call('remove_breakpoints', {})).isError);
    assert.equal((await call('remove_breakpoints', { file: 'sum.js', line: 3 })).text, 'Removed 1 breakpoint.');
    assert.equal((await call('remove_breakpoints', { all: true })).text, 'Removed 1 breakpoint.');
  });

  it('ask for all that runs code or changes the window', () => {
    const readOnly = tools.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name);
    assert.deepEqual(readOnly.sort(), ['breakpoints', 'debug_state', 'scopes', 'stack']);
  });
});
