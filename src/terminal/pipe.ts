/** Runs a command on pipes, when no pseudo terminal is available. It has no colours and no width, but the command runs. */
import type { ExitStatus } from '../core/model/content';
import { markedEnvironment, newMark } from '../util/processes/processMark';
import { ProcessTree } from '../util/processes/processTree';
import { END_GRACE_MS, type Pty, type StartPty } from './pty';
import { exitStatusOf } from './signals';

/** The time in ms without output after the exit, when another process keeps the pipes open. */
const QUIET_MS = 250;

export async function loadPipe(): Promise<StartPty> {
  const { spawn } = await import('node:child_process');
  return (options) => {
    const mark = newMark();
    const child = spawn(options.file, options.args, {
      cwd: options.cwd,
      env: markedEnvironment(options.environment, mark),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: options.verbatim,
    });
    // A failed start also emits an event. It is thrown here instead, where the caller can handle it.
    child.on('error', () => undefined);
    const { pid } = child;
    if (pid === undefined) {
      throw new Error(`spawn ${options.file} failed`);
    }
    const tree = new ProcessTree(pid, mark);
    const exitListeners: ((status: ExitStatus) => void)[] = [];
    let exit: ExitStatus | undefined;
    let emitted = false;
    let quiet: NodeJS.Timeout | undefined;
    const emit = (): void => {
      if (exit && !emitted) {
        emitted = true;
        clearTimeout(quiet);
        settle();
        exitListeners.splice(0).forEach((listener) => listener(exit!));
      }
    };
    let settle: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (settle = resolve));
    child.on('exit', (code, signal) => {
      tree.exited();
      exit = exitStatusOf(code, signal);
      quiet = setTimeout(emit, QUIET_MS);
    });
    child.on('close', emit);
    const pty: Pty = {
      pid,
      pipe: true,
      onData: (listener) => {
        const listen = (chunk: Buffer): void => {
          quiet?.refresh();
          listener(chunk);
        };
        child.stdout.on('data', listen);
        child.stderr.on('data', listen);
      },
      onExit: (listener) => void exitListeners.push(listener),
      end: async () => {
        if (await tree.end({ graceMs: END_GRACE_MS })) {
          await ended;
        }
        child.stdout.destroy();
        child.stderr.destroy();
      },
    };
    return pty;
  };
}
