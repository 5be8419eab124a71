/** The end of a process tree on Windows, with injected programs of the system, and with real processes where this is Windows. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { windowsCommand } from '../../../../src/util/windows/windowsCommand';
import { endOnWindows, rowsOf, type WindowsTreeDependencies } from '../../../../src/util/processes/windowsTree';

const TABLE = [
  '\xff\xfeCreationDate               ParentProcessId  ProcessId  ',
  '                           0                4          ',
  '20261127090000.000000+000  1                10         ',
  '20261127090001.000000+000  10               11         ',
  '20261127090002.000000+000  11               12         ',
  '20261127080000.000000+000  10               13         ',
  '20261127090000.000000+000  1                14         ',
].join('\r\n');

/** A system whose taskkill ends with this code. */
function fakeSystem(code: number | string, stays: readonly number[] = []): WindowsTreeDependencies & { readonly calls: string[] } {
  const calls: string[] = [];
  const dead = new Set<number>();
  return {
    calls,
    goneMs: 50,
    async run(name, args) {
      calls.push([name, ...args].join(' '));
      return name === 'taskkill.exe' ? { code, output: '' } : { code: 0, output: TABLE.split('').join('\0') };
    },
    kill(pid) {
      calls.push(`kill ${pid}`);
      dead.add(pid);
    },
    isAlive: (pid) => stays.includes(pid) || (code !== 0 && code !== 128 && !dead.has(pid)),
  };
}

describe('the end of a process tree on Windows', function () {
  this.timeout(30_000);

  it('is left to taskkill', async () => {
    for (const code of [0, 128]) {
      const system = fakeSystem(code);
      assert.equal(await endOnWindows(10, system), true);
      assert.deepEqual(system.calls, ['taskkill.exe /PID 10 /T /F']);
    }
  });

  it('is done one by one without taskkill, the first process first, and without processes that are older than their parent', async () => {
    for (const code of ['ENOENT', 1]) {
      const system = fakeSystem(code);
      assert.equal(await endOnWindows(10, system), true);
      assert.deepEqual(
        system.calls.filter((call) => call.startsWith('kill')),
        ['kill 10', 'kill 11', 'kill 12'],
      );
    }
  });

  it('is reported as failed while a process is alive', async () => {
    assert.equal(await endOnWindows(10, fakeSystem(0, [10])), false);
    assert.equal(await endOnWindows(10, fakeSystem('ENOENT', [12])), false);
  });

  it('affects no process for a number that no process of a user has', async () => {
    for (const pid of [0, 1, -1, Number.NaN]) {
      const system = fakeSystem(0);
      assert.equal(await endOnWindows(pid, system), true);
      assert.deepEqual(system.calls, []);
    }
  });

  it('reads the table of wmic, also without times', () => {
    assert.deepEqual(rowsOf('ParentProcessId  ProcessId  \r\n0  32  \r\n32  40  \r\n'), [
      { pid: 32, parent: 0, created: undefined },
      { pid: 40, parent: 32, created: undefined },
    ]);
    assert.deepEqual(
      rowsOf(TABLE).map(({ pid, parent }) => [pid, parent]),
      [
        [4, 0],
        [10, 1],
        [11, 10],
        [12, 11],
        [13, 10],
        [14, 1],
      ], // prettier-ignore
    );
  });

  (process.platform === 'win32' ? it : it.skip)('includes what a batch file started', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tree & more-'));
    writeFileSync(path.join(folder, 'agent.js'), 'console.log(process.pid); setInterval(() => {}, 1000);');
    writeFileSync(path.join(folder, 'agent.cmd'), `@"${process.execPath}" agent.js %*\r\n`);
    const { file, args } = windowsCommand(path.join(folder, 'agent.cmd'), ['a b'], process.env.ComSpec);
    const child = spawn(file, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], windowsVerbatimArguments: true });
    const inner = await new Promise<number>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(Number(String(data)))));
    const exited = new Promise((resolve) => child.once('exit', resolve));
    assert.equal(await endOnWindows(child.pid!), true);
    await exited;
    assert.throws(() => process.kill(inner, 0), { code: 'ESRCH' });
  });
});
