// The agents at an address of this machine, over a WebSocket or Streamable HTTP: behind their own server, or behind the official SDK's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from '@agentclientprotocol/sdk/experimental/node';
import { AcpServer } from '@agentclientprotocol/sdk/experimental/server';
import { WebSocketServer } from 'ws';
import { wait } from '../harness/lib/proc.mjs';
import { processAgent } from '../support/remote/processAgent.mjs';

/** `websocket` or `http`; undefined for agents that are processes of the extension. */
export const transport = process.env.ACP_HOST_REAL_TRANSPORT || undefined;

/** ms for the start of an agent's own server. */
const START_MS = 60_000;
/** ms before a server that was killed is started again, as a service manager does it. */
const REVIVE_MS = 500;

/**
 * Serves an agent.
 * @param entry `command`, `args` and `env`: of the agent, or of its own server.
 * @param folder the workspace.
 * @param own true when the agent has a server of its own, which prints its address.
 * @returns {Promise<{entry: object, close: () => Promise<void>}>} the entry for `acpHost.agents`, and the end of the server.
 */
export async function serve({ command, args, env, protocol }, folder, own) {
  const launch = { command, args, cwd: folder, env: { ...process.env, ...env } };
  const { port, path, close } = await (own ? ownServer(launch) : sdkServer(launch));
  const scheme = transport === 'http' ? 'http' : 'ws';
  return { entry: { url: `${scheme}://127.0.0.1:${port}${path}`, ...(protocol && { protocol }) }, close };
}

async function sdkServer(launch) {
  const acp = new AcpServer({ agent: processAgent(launch) });
  const server = createServer(createNodeHttpHandler(acp));
  server.on('upgrade', createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    await acp.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: server.address().port, path: '/acp', close };
}

async function ownServer({ command, args, cwd, env }) {
  let child;
  let isOver = false;
  const start = (port) => {
    child = spawn(command, [...args, '--port', String(port)], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
    child.once('exit', () => isOver || void wait(REVIVE_MS).then(() => isOver || start(port || listening).stdout.resume()));
    return child;
  };
  /** The server keeps its port when it is started again. */
  const listening = await addressOf(start(0));
  const close = async () => {
    isOver = true;
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await ended;
  };
  return { port: listening, path: '/acp', close };
}

/** The port that a server prints when it listens. */
async function addressOf({ stdout }) {
  const lines = createInterface({ input: stdout });
  const late = setTimeout(() => lines.close(), START_MS);
  try {
    for await (const line of lines) {
      const found = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
      if (found) return Number(found[1]);
    }
  } finally {
    clearTimeout(late);
    stdout.resume();
  }
  throw new Error('the server did not say its address');
}
