#!/usr/bin/env node
/**
 * A proxy for the Agent Client Protocol that adds a note to every message of the user. It needs Node.js 20 and nothing else.
 *
 *   "acpHost.agents": {
 *     "My Agent": {
 *       "command": "my-agent",
 *       "proxies": [{ "command": "node", "args": ["/path/to/system-note-proxy.mjs", "Answer in one sentence."] }]
 *     }
 *   }
 *
 * The proxy talks only to the conductor (ACP Host), one JSON text per line:
 *
 * - A message of the client arrives as it is. The proxy sends it on to the successor in `proxy/successor`.
 * - A message of the successor arrives in `proxy/successor`. The proxy sends it on to the client as it is.
 * - An answer goes back to where the request came from, under the id that the request had.
 */
import { createInterface } from 'node:readline';

const note = process.argv[2] ?? process.env['SYSTEM_NOTE'] ?? 'This message passed a proxy.';
const SUCCESSOR = 'proxy/successor';
const METHOD_NOT_FOUND = -32601;

/** The requests that were sent on and have no answer yet, by the id that they were sent with. */
const open = new Map();
let nextId = 1;

/** Sends a message on. A request gets an id of its own, because the ids of the two sides may be equal. */
function sendOn(message, isForSuccessor) {
  const { method, params, id } = message;
  const sent = isForSuccessor ? { method: SUCCESSOR, params: { method, params } } : { method, params };
  if (id === undefined) {
    write(sent);
    return;
  }
  const ownId = nextId++;
  open.set(ownId, { id, isForSuccessor });
  write({ id: ownId, ...sent });
}

/** Sends the cancellation of a request that was sent on. It must name the id that the request was sent with. */
function cancel(id, isForSuccessor) {
  for (const [ownId, request] of open) {
    if (request.id === id && request.isForSuccessor === isForSuccessor) {
      sendOn({ method: '$/cancel_request', params: { requestId: ownId } }, isForSuccessor);
    }
  }
}

function receive(message) {
  if (message.method === undefined) {
    const request = open.get(message.id);
    if (request) {
      open.delete(message.id);
      write({ ...message, id: request.id });
    }
    return;
  }
  if (message.method !== SUCCESSOR) {
    fromClient(message);
  } else if (typeof message.params?.method === 'string') {
    fromSuccessor({ ...message.params, id: message.id });
  } else if (message.id !== undefined) {
    write({ id: message.id, error: { code: METHOD_NOT_FOUND, message: 'There is no method in the params' } });
  }
}

function fromClient(message) {
  const { method, params } = message;
  switch (method) {
    case 'proxy/initialize':
      // The next program is started as it must be, a proxy or the agent. The conductor knows which it is.
      sendOn({ ...message, method: 'initialize' }, true);
      break;
    case 'session/prompt':
      sendOn({ ...message, params: { ...params, prompt: [{ type: 'text', text: note }, ...params.prompt] } }, true);
      break;
    case '$/cancel_request':
      cancel(params?.requestId, true);
      break;
    default:
      sendOn(message, true);
  }
}

function fromSuccessor(message) {
  if (message.method === '$/cancel_request') {
    cancel(message.params?.requestId, false);
  } else {
    sendOn(message, false);
  }
}

function write(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  try {
    receive(JSON.parse(line));
  } catch (error) {
    // The protocol log shows what a proxy writes to stderr.
    console.error(`not a message: ${error.message}`);
  }
});
