/** node-pty on Windows (ConPTY). It reports the exit after the output has been read to its end. */
import type { ExitStatus } from '../core/model/content';
import { TERMINAL_SIZE } from '../core/model/terminalSize';
import { newMark } from '../util/processes/processMark';
import { ProcessTree } from '../util/processes/processTree';
import type { Pty, StartPty } from './pty';
import { exitStatusOf } from './signals';

/** ms between two looks for the number of a process that is about to start. node-pty reports an exit when it does not start in time. */
const POLL_MS = 10;

export function windowsPty(nodePty: Pick<typeof import('node-pty'), 'spawn'>): StartPty {
  return (options) => {
    // node-pty uses a string unchanged as the command line.
    const args = options.verbatim ? options.args.join(' ') : [...options.args];
    const { columns: cols, rows } = TERMINAL_SIZE;
    const terminal = nodePty.spawn(options.file, args, { cwd: options.cwd, env: { ...options.environment }, cols, rows });
    const tree = new ProcessTree(() => terminal.pid, newMark());
    let status: ExitStatus | undefined;
    const exited = new Promise<void>((resolve) => {
      terminal.onExit(({ exitCode, signal }) => {
        tree.exited();
        status = exitStatusOf(exitCode, signal);
        resolve();
      });
    });
    const pty: Pty = {
      get pid() {
        return terminal.pid;
      },
      pipe: false,
      onData: (listener) => void terminal.onData((text: string) => listener(Buffer.from(text))),
      onExit: (listener) => void exited.then(() => listener(status!)),
      write: (text) => {
        if (!status) {
          terminal.write(text);
        }
      },
      resize: (columns, rows) => {
        if (!status) {
          terminal.resize(columns, rows);
        }
      },
      end: async () => {
        // Until the number is known, nothing of the process can be ended, and `kill` waits for the first output.
        while (!status && !(terminal.pid > 0)) {
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
        if (!status) {
          const isGone = await tree.end();
          terminal.kill();
          // A process that cannot be ended may never exit.
          await (isGone && exited);
        }
      },
    };
    return pty;
  };
}
