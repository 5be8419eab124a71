/**
 * An agent without the SDK, for answers that the SDK would not give.
 *
 *   bare.mjs --setup '{"<method>": [line…]}'
 *
 * Each request is answered with its method's lines. An object is a message, in which "$id" is the request's id and "$cwd" the session's
 * folder. A string is written as it is. `{"exit": n}` exits, and `{"awaits": id}` waits for the client's answer to that request. A list
 * inside the list answers one request; the last one answers all that follow. Methods without lines get an ordinary agent's answer.
 */
import { EventEmitter, once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

const ORDINARY = {
  initialize: [{ id: '$id', result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } } }],
  'session/new': [{ id: '$id', result: { sessionId: 'session-1' } }],
  'session/prompt': [{ id: '$id', result: { stopReason: 'end_turn' } }],
  'session/close': [{ id: '$id', result: {} }],
};

const setup = { ...ORDINARY, ...JSON.parse(process.argv[process.argv.indexOf('--setup') + 1]) };
const asked = new Map();
const answers = new EventEmitter();
/** The ids of our requests that the client has answered. */
const answered = new Set();
let cwd = '';

/** The lines for this request. Counts the requests of each method. */
function linesFor(method) {
  const lines = setup[method] ?? [{ id: '$id', error: { code: -32601, message: `no ${method}` } }];
  const count = asked.get(method) ?? 0;
  asked.set(method, count + 1);
  return Array.isArray(lines[0]) ? lines[Math.min(count, lines.length - 1)] : lines;
}

createInterface({ input: process.stdin })
  .on('line', (text) => {
    const { id, method, params } = JSON.parse(text);
    if (method === undefined) {
      answered.add(id);
      answers.emit('answer');
      return;
    }
    if (id === undefined) return;
    cwd = params?.cwd ?? cwd;
    void write(id, linesFor(method));
  })
  .on('close', () => process.exit(0));

async function write(id, lines) {
  for (const line of lines) {
    if (typeof line?.exit === 'number') process.exit(line.exit);
    if (line?.awaits !== undefined) {
      while (!answered.has(line.awaits)) await once(answers, 'answer');
    } else {
      const json = typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...line });
      process.stdout.write(`${json.replaceAll('"$id"', JSON.stringify(id)).replaceAll('$cwd', JSON.stringify(cwd).slice(1, -1))}\n`);
    }
  }
}
