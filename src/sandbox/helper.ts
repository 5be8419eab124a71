/**
 * A program of its own that runs inside the sandbox, on the same Node as the extension. It forwards loopback ports to the proxy's socket, starts the
 * sandboxed program, and ends with its exit code. Signals to the whole group reach the program, which must be able to finish its work.
 */
import { spawn } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { createServer, connect, type Socket } from 'node:net';
import { identityOf, mountsIn, unexpectedMount } from './disk/mounts';
import type { HelperOptions } from './helperOptions';

const { file, args, environment, socket, proxyPort, ports, mounts } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as HelperOptions;
/** Set when the process is started; by it the host finds everything that a program leaves behind. */
const { ACP_HOST_PROCESS: mark } = process.env;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
  process.on(signal, () => undefined);
}

function listen(port: number, host: string, onConnection: (client: Socket) => void): Promise<void> {
  return new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true }, onConnection);
    // Without the port, its connections fail inside the sandbox.
    server.on('error', () => resolve());
    server.listen(port, host, resolve);
  });
}

function join(client: Socket, server: Socket): void {
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

function toProxy(client: Socket): void {
  const server = connect({ path: socket, allowHalfOpen: true });
  join(client, server);
  client.pipe(server).pipe(client);
}

/** Asks the proxy for a connection to the port of the machine outside. */
function toPort(client: Socket, port: number): void {
  const server = connect({ path: socket, allowHalfOpen: true });
  join(client, server);
  server.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  let head = Buffer.alloc(0);
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) {
      return;
    }
    server.off('data', read);
    if (!head.toString('latin1').startsWith('HTTP/1.1 200')) {
      client.destroy();
      return;
    }
    client.write(head.subarray(end + 4));
    client.pipe(server).pipe(client);
  };
  server.on('data', read);
}

function identity(path: string): string | undefined {
  try {
    const found = lstatSync(path, { bigint: true });
    return found.isSymbolicLink() ? undefined : identityOf(found);
  } catch {
    return undefined;
  }
}

async function run(): Promise<void> {
  const wrong = unexpectedMount(mountsIn(readFileSync('/proc/self/mountinfo', 'utf8')), mounts, identity);
  if (wrong !== undefined) {
    process.stderr.write(`The sandbox of ACP Host did not start: ${wrong} was replaced meanwhile.\n`);
    process.exit(126);
  }
  await Promise.all([
    listen(proxyPort, '127.0.0.1', toProxy),
    ...ports.flatMap((port) => ['127.0.0.1', '::1'].map((host) => listen(port, host, (client) => toPort(client, port)))),
  ]);
  const child = spawn(file, args, { stdio: 'inherit', env: { ...environment, ...(mark !== undefined && { ACP_HOST_PROCESS: mark }) } });
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + signalNumber(signal)));
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGPIPE: 13, SIGTERM: 15 }[signal as 'SIGKILL'] ?? 15;
}

void run();
