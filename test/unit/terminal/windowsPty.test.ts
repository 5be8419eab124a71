import assert from 'node:assert/strict';
import type { IPty } from 'node-pty';
import { windowsPty } from '../../../src/terminal/windowsPty';

/** ms after which node-pty's worker has connected, so that the process starts. */
const CONNECT_MS = 60;

/** node-pty on Windows: the number of the process is not known until its worker has connected, and `kill` then waits for the first output. */
function scene({ pid = 4711 }: { readonly pid?: number } = {}) {
  const calls: string[] = [];
  let listener: (end: { exitCode: number }) => void = () => undefined;
  const terminal = {
    pid: undefined as number | undefined,
    onExit: (exited: typeof listener) => void (listener = exited),
    onData: () => undefined,
    kill: () => calls.push(`kill, process ${terminal.pid ?? 'unknown'}`),
  };
  const start = windowsPty({ spawn: () => terminal as unknown as IPty });
  const pty = start({ file: 'agent.exe', args: [], verbatim: false, cwd: 'C:\\', environment: {} });
  return {
    calls,
    pty,
    connect: () => setTimeout(() => (terminal.pid = pid), CONNECT_MS),
    exit: (exitCode: number) => listener({ exitCode }),
  };
}

describe('a terminal of Windows', () => {
  it('is ended with its process when that has not started yet', async () => {
    const { pty, calls, connect, exit } = scene({ pid: 2 ** 22 + 1 });
    connect();
    const ended = pty.end();
    setTimeout(() => exit(1), CONNECT_MS * 3);
    await ended;
    assert.deepEqual(calls, [`kill, process ${2 ** 22 + 1}`]);
  });

  it('is not waited for when its process never starts', async () => {
    const { pty, calls, exit } = scene();
    const ended = pty.end();
    // node-pty gives up, and reports an exit.
    setTimeout(() => exit(-1), CONNECT_MS);
    await ended;
    assert.deepEqual(calls, []);
  });
});
