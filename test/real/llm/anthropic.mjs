// Anthropic Messages: POST /v1/messages.
import { setTimeout as wait } from 'node:timers/promises';
import { callsOf, decide } from './script.mjs';
import { events, json, mint, textIn, typed } from './sse.mjs';

export async function anthropic({ response, body, scripts, note }) {
  const tools = (body.tools ?? []).filter(({ name }) => name).map(({ name, input_schema: schema }) => ({ name, schema }));
  const { step, index } = decide(scripts, (body.messages ?? []).flatMap(turnsOf), tools);
  const calls = callsOf(step, tools);
  note({ api: 'anthropic', index, calls, tools: tools.map(({ name }) => name) });
  if (step.error) return json(response, step.error.status, step.error.body, step.error.headers);
  if (step.hangMs) await wait(step.hangMs);

  const head = { id: mint('msg'), type: 'message', role: 'assistant', model: body.model };
  const stop = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null };
  const usage = { input_tokens: 1000 + index * 100, output_tokens: 50, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  if (!body.stream) {
    const said = step.text ? [{ type: 'text', text: step.text }] : [];
    const content = [...said, ...calls.map(({ callId, name, args }) => ({ type: 'tool_use', id: `toolu_${callId}`, name, input: args }))];
    return json(response, 200, { ...head, content, ...stop, usage });
  }

  const send = events(response);
  const event = (type, fields) => send(type, { type, ...fields });
  event('message_start', {
    message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
  });
  let at = 0;
  const block = async (start, deltas) => {
    event('content_block_start', { index: at, content_block: start });
    for await (const delta of deltas) event('content_block_delta', { index: at, delta });
    event('content_block_stop', { index: at });
    at++;
  };
  if (step.thinking && body.thinking && body.thinking.type !== 'disabled') {
    await block({ type: 'thinking', thinking: '', signature: '' }, thought(response, step.thinking));
  }
  if (step.text) {
    await block(
      { type: 'text', text: '' },
      deltas(typed(response, step.text, step), (text) => ({ type: 'text_delta', text })),
    );
  }
  for (const { callId, name, args } of calls) {
    const input = deltas(typed(response, JSON.stringify(args), { pieces: 4 }), (part) => ({
      type: 'input_json_delta',
      partial_json: part,
    }));
    await block({ type: 'tool_use', id: `toolu_${callId}`, name, input: {} }, input);
  }
  event('message_delta', { delta: stop, usage });
  event('message_stop', {});
  response.end();
}

async function* thought(response, text) {
  yield* deltas(typed(response, text), (thinking) => ({ type: 'thinking_delta', thinking }));
  yield { type: 'signature_delta', signature: 'c2NyaXB0ZWQ=' };
}

async function* deltas(pieces, delta) {
  for await (const piece of pieces) yield delta(piece);
}

function turnsOf({ role, content }) {
  if (role === 'assistant') return [{ role, text: textIn(content) }];
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const text = textIn(parts.filter(({ type }) => type === 'text'));
  return [
    ...(parts.some(({ type }) => type === 'tool_result') ? [{ role: 'tool', text: '' }] : []),
    ...(text ? [{ role: 'user', text }] : []),
  ];
}
