// Responses in the format of these APIs: one JSON text, or server-sent events in small chunks.
import { setTimeout as wait } from 'node:timers/promises';

let last = 0;

/** A new identifier for a message or call of the model: `call_7`. */
export function mint(prefix) {
  return `${prefix}_${Date.now().toString(36)}${++last}`;
}

export function json(response, status, value, headers = {}) {
  const text = JSON.stringify(value);
  response.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** Starts a stream; the returned function sends one event, with a name if the API names events. */
export function events(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', connection: 'keep-alive' });
  return (name, data) => {
    if (response.destroyed) return;
    response.write(`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  };
}

/** Yields the chunks of `text` at a model's pace; ends early when the agent disconnected. */
export async function* typed(response, text, { pieces, pieceMs = 5 } = {}) {
  if (!text) return;
  const size = Math.max(1, Math.ceil(text.length / (pieces ?? Math.min(6, Math.ceil(text.length / 12)))));
  for (let at = 0; at < text.length && !response.destroyed; at += size) {
    yield text.slice(at, at + size);
    await wait(pieceMs);
  }
}

/** The text of an API's content: a string, an object with text, or a list of such. */
export function textIn(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content.map((part) => (typeof part === 'string' ? part : (part.text ?? part.input_text ?? ''))).join('\n');
  return content?.text ?? '';
}
