// An agent's process behind the official SDK's server. It starts with the connection, and ends with it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * @param launch `command`, `args`, `cwd` and `env` of the process.
 * @param deliver sends a message of the agent to the client, with `write`.
 * @returns an agent for `AcpServer`.
 */
export function processAgent({ command, args, cwd, env }, deliver = (write, message) => write(message)) {
  return {
    connect({ readable, writable }) {
      const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
      const output = writable.getWriter();
      const write = (message) => output.write(message);
      let sent = Promise.resolve();
      createInterface({ input: child.stdout }).on('line', (line) => {
        try {
          const message = JSON.parse(line);
          sent = sent.then(() => deliver(write, message)).catch(() => undefined);
        } catch {
          // The SDK's server carries messages only.
        }
      });
      const input = readable.getReader();
      void (async () => {
        for (let next = await input.read(); !next.done; next = await input.read()) child.stdin.write(`${JSON.stringify(next.value)}\n`);
        child.stdin.end();
      })().catch(() => child.kill());
      child.stdin.on('error', () => undefined);
      child.on('error', () => undefined);
      const closed = new Promise((resolve) => {
        child.once('close', () =>
          sent
            .then(() => output.close())
            .catch(() => undefined)
            .then(resolve),
        );
      });
      return { closed };
    },
  };
}
