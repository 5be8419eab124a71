// A scripted language model on loopback. For each API that agents use (Anthropic Messages, OpenAI chat completions and Responses, Gemini),
// the script named in the user's prompt decides the "model"'s answer. No account, no key, no network beyond 127.0.0.1.
import { createServer } from 'node:http';
import { anthropic } from './anthropic.mjs';
import { chat } from './chat.mjs';
import { gemini } from './gemini.mjs';
import { responses } from './responses.mjs';
import { json } from './sse.mjs';

const routes = [
  [/\/messages\/count_tokens$|:countTokens$/, async ({ response, text }) => json(response, 200, tokenCount(text))],
  [/\/messages$/, anthropic],
  [/\/chat\/completions$/, chat],
  [/\/responses$/, responses],
  [/\/models\/(?<model>[^/:]+):(?<method>\w*[gG]enerateContent)$/, gemini],
];

/**
 * Starts the endpoint on a free port.
 * @param scripts name → steps; read at each request, so that a journey may add its own.
 * @returns {Promise<{url: string, log: object[], close(): Promise<void>}>} `log` has the requests and decisions, newest last.
 */
export async function startModel(scripts) {
  const log = [];
  const note = ({ text, ...line }) => {
    const entry = { at: new Date().toISOString(), ...line };
    // The text is for the journey's assertions, not for the log file.
    log.push(Object.defineProperty(entry, 'text', { value: text ?? '' }));
    if (log.length > 2000) log.shift();
  };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      answer({ request, response, text, scripts, note }).catch((error) => {
        note({ failed: String(error.stack) });
        if (response.headersSent) response.destroy();
        else json(response, 500, { error: { message: String(error) } });
      });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function answer(exchange) {
  const { request, response, text, note } = exchange;
  const { pathname } = new URL(request.url, 'http://loopback');
  note({ method: request.method, url: request.url, bytes: text.length, text });
  if (request.method === 'POST') {
    for (const [pattern, handle] of routes) {
      const match = pattern.exec(pathname);
      if (match) return handle({ ...exchange, body: JSON.parse(text), ...match.groups });
    }
  }
  if (request.method === 'GET' && /\/models$/.test(pathname)) return json(response, 200, modelList());
  if (request.method === 'HEAD' || pathname === '/') return json(response, 200, {});
  return json(response, 404, {
    type: 'error',
    error: { type: 'not_found_error', message: `no route ${pathname}`, code: 404, status: 'NOT_FOUND' },
  });
}

function modelList() {
  const data = ['scripted-model', 'scripted-model-2'].map((name) => ({
    ...{ id: name, object: 'model', type: 'model', display_name: name, owned_by: 'scripted' },
    ...{ created: 1, created_at: '2026-01-01T00:00:00Z' },
  }));
  return { object: 'list', data, has_more: false, first_id: data[0].id, last_id: data.at(-1).id, models: [] };
}

function tokenCount(text) {
  const count = Math.ceil(text.length / 4);
  return { input_tokens: count, totalTokens: count };
}
