/**
 * An agent that speaks the early dialect (docs/decisions/wire/early-dialect.md), without the SDK.
 *
 *   early.mjs [--lists]
 *
 * A prompt must be a text, unless `--lists` is given. `@script [...]` in it runs these steps, one after another:
 *
 * - `update`: a session/update, as it is.
 * - `ask`: a permission request in an update; with `request`, as a JSON-RPC request. The answer is sent as a message.
 * - `send`: like `ask`, but the script continues.
 * - `answers`: waits for this number of answers, and sends them as messages.
 * - `waitCancel`: waits for session/cancel.
 */
import { EventEmitter, once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

const takesLists = process.argv.includes('--lists');
const events = new EventEmitter();
let cancelled = false;
let requests = 0;
let answers = [];

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionId, fields) => send({ method: 'session/update', params: { sessionId, update: fields } });
const say = (sessionId, text) => update(sessionId, { type: 'agent_message_chunk', text: `${text}\n` });

function ask(sessionId, { ask: asked, send: sent, request }) {
  const message = { method: 'session/update', params: { sessionId, update: asked ?? sent } };
  send(request ? { id: `ask-${++requests}`, ...message } : message);
}

async function answered(sessionId, count) {
  while (answers.length < count) await once(events, 'answer');
  answers.splice(0, count).forEach((answer) => say(sessionId, `answer ${JSON.stringify(answer)}`));
}

async function run(sessionId, step) {
  if (step.update) update(sessionId, step.update);
  if (step.ask || step.send) ask(sessionId, step);
  if (step.ask) await answered(sessionId, 1);
  if (step.answers) await answered(sessionId, step.answers);
  while (step.waitCancel && !cancelled) await once(events, 'cancel');
}

async function prompt(id, { sessionId, prompt: given }) {
  if (typeof given !== 'string' && !takesLists) {
    send({ id, error: { code: -32602, message: 'Invalid params: prompt must be a string' } });
    return;
  }
  const text = typeof given === 'string' ? given : given.map((block) => block.text ?? '').join('\n');
  const script = /@script\s+(\[[\s\S]*\])/.exec(text)?.[1];
  cancelled = false;
  answers = [];
  if (script === undefined) say(sessionId, `prompt ${JSON.stringify(given)}`);
  for (const step of JSON.parse(script ?? '[]')) await run(sessionId, step);
  send({ id, result: { stopReason: cancelled ? 'cancelled' : 'end_turn' } });
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params, result } = JSON.parse(line);
    switch (method) {
      case 'initialize':
        return send({ id, result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } } });
      case 'session/new':
        return send({ id, result: { sessionId: 'session-1' } });
      case 'session/prompt':
        return void prompt(id, params);
      case 'session/cancel':
        cancelled = true;
        return events.emit('cancel');
      case 'session/permission_response':
        answers.push(params);
        return events.emit('answer');
      case undefined:
        answers.push(result);
        return events.emit('answer');
      default:
        return id !== undefined && send({ id, result: {} });
    }
  })
  .on('close', () => process.exit(0));
