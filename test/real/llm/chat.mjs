// OpenAI chat completions: POST /v1/chat/completions.
import { setTimeout as wait } from 'node:timers/promises';
import { callsOf, decide } from './script.mjs';
import { events, json, mint, textIn, typed } from './sse.mjs';

export async function chat({ response, body, scripts, note }) {
  const tools = (body.tools ?? [])
    .filter((tool) => tool.function)
    .map((tool) => ({ name: tool.function.name, schema: tool.function.parameters }));
  const turns = (body.messages ?? [])
    .filter(({ role }) => role !== 'system' && role !== 'developer')
    .map(({ role, content }) => ({ role, text: textIn(content) }));
  const { step, index } = decide(scripts, turns, tools);
  const calls = callsOf(step, tools);
  note({ api: 'chat', index, calls, tools: tools.map(({ name }) => name) });
  if (step.error) return json(response, step.error.status, step.error.body);
  if (step.hangMs) await wait(step.hangMs);

  const head = { id: mint('chatcmpl'), created: Math.floor(Date.now() / 1000), model: body.model };
  const usage = { prompt_tokens: 1000 + index * 100, completion_tokens: 50, total_tokens: 1050 + index * 100 };
  const finish = calls.length > 0 ? 'tool_calls' : 'stop';
  if (!body.stream) {
    const asked = calls.map(({ callId, name, args }) => ({
      id: callId,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const message = { role: 'assistant', content: step.text || null, ...(asked.length > 0 && { tool_calls: asked }) };
    return json(response, 200, { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage });
  }

  const send = events(response);
  const chunk = (choices, more = {}) => send('', { ...head, object: 'chat.completion.chunk', choices, ...more });
  const delta = (fields, finish_reason = null) => chunk([{ index: 0, delta: fields, finish_reason }]);
  delta({ role: 'assistant', content: '' });
  for await (const piece of typed(response, step.thinking)) delta({ reasoning_content: piece });
  for await (const piece of typed(response, step.text, step)) delta({ content: piece });
  for (const [at, { callId, name, args }] of calls.entries()) {
    delta({ tool_calls: [{ index: at, id: callId, type: 'function', function: { name, arguments: '' } }] });
    for await (const piece of typed(response, JSON.stringify(args), { pieces: 4 }))
      delta({ tool_calls: [{ index: at, function: { arguments: piece } }] });
  }
  delta({}, finish);
  chunk([], { usage });
  send('', '[DONE]');
  response.end();
}
