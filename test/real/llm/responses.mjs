// OpenAI Responses: POST /v1/responses.
import { setTimeout as wait } from 'node:timers/promises';
import { callsOf, decide } from './script.mjs';
import { events, json, mint, textIn, typed } from './sse.mjs';

export async function responses({ response, body, scripts, note }) {
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
  const tools = [body.tools, ...input.filter(({ type }) => type === 'additional_tools').map((item) => item.tools)].flatMap((list) =>
    toolsIn(list),
  );
  const { step, index } = decide(scripts, input.flatMap(turnsOf), tools);
  const calls = callsOf(step, tools);
  note({ api: 'responses', index, calls, tools: tools.map(({ name }) => name) });
  if (step.error) return json(response, step.error.status, step.error.body, step.error.headers);
  if (step.hangMs) await wait(step.hangMs);

  const head = { id: mint('resp'), object: 'response', created_at: Math.floor(Date.now() / 1000), model: body.model };
  const rest = { parallel_tool_calls: true, tools: [], metadata: {} };
  const send = body.stream ? events(response) : () => {};
  let sequence = 0;
  const event = (type, fields) => send(type, { type, sequence_number: sequence++, ...fields });
  event('response.created', { response: { ...head, ...rest, status: 'in_progress', output: [] } });

  const output = [];
  const item = async (opening, closing, between = async () => {}) => {
    const output_index = output.length;
    event('response.output_item.added', { output_index, item: opening });
    await between((type, fields) => event(type, { item_id: closing.id, output_index, ...fields }));
    event('response.output_item.done', { output_index, item: closing });
    output.push(closing);
  };
  if (step.thinking && body.reasoning) await item(...reasoning(response, step));
  if (step.text) await item(...message(response, step));
  for (const call of calls) await item(...(call.custom ? customCall(response, call) : functionCall(response, call)));

  const usage = {
    ...{ input_tokens: 1000 + index * 100, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: 50, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 1050 + index * 100 },
  };
  const done = { ...head, ...rest, status: 'completed', output, usage };
  if (!body.stream) return json(response, 200, done);
  event('response.completed', { response: done });
  response.end();
}

function reasoning(response, { thinking }) {
  const part = { type: 'summary_text', text: thinking };
  const item = { id: mint('rs'), type: 'reasoning', summary: [part], encrypted_content: 'c2NyaXB0ZWQ=' };
  return [
    { ...item, summary: [] },
    item,
    async (event) => {
      event('response.reasoning_summary_part.added', { summary_index: 0, part: { ...part, text: '' } });
      for await (const delta of typed(response, thinking)) event('response.reasoning_summary_text.delta', { summary_index: 0, delta });
      event('response.reasoning_summary_text.done', { summary_index: 0, text: thinking });
      event('response.reasoning_summary_part.done', { summary_index: 0, part });
    },
  ];
}

function message(response, step) {
  const part = { type: 'output_text', text: step.text, annotations: [] };
  const item = { id: mint('msg'), type: 'message', status: 'completed', role: 'assistant', content: [part] };
  return [
    { ...item, status: 'in_progress', content: [] },
    item,
    async (event) => {
      event('response.content_part.added', { content_index: 0, part: { ...part, text: '' } });
      for await (const delta of typed(response, step.text, step)) event('response.output_text.delta', { content_index: 0, delta });
      event('response.output_text.done', { content_index: 0, text: step.text });
      event('response.content_part.done', { content_index: 0, part });
    },
  ];
}

function functionCall(response, { callId, name, namespace, args }) {
  const text = JSON.stringify(args);
  const item = {
    id: mint('fc'),
    type: 'function_call',
    status: 'completed',
    call_id: callId,
    name,
    arguments: text,
    ...(namespace && { namespace }),
  };
  return [
    { ...item, status: 'in_progress', arguments: '' },
    item,
    async (event) => {
      for await (const delta of typed(response, text, { pieces: 4 })) event('response.function_call_arguments.delta', { delta });
      event('response.function_call_arguments.done', { arguments: text });
    },
  ];
}

function customCall(response, { callId, name, namespace, args }) {
  const item = {
    id: mint('ctc'),
    type: 'custom_tool_call',
    status: 'completed',
    call_id: callId,
    name,
    input: args.input,
    ...(namespace && { namespace }),
  };
  return [
    { ...item, status: 'in_progress', input: '' },
    item,
    async (event) => {
      for await (const delta of typed(response, args.input, { pieces: 4 })) event('response.custom_tool_call_input.delta', { delta });
      event('response.custom_tool_call_input.done', { input: args.input });
    },
  ];
}

function toolsIn(list, namespace) {
  return (list ?? []).flatMap((tool) => {
    switch (tool.type) {
      case 'function':
        return [{ name: tool.name, schema: tool.parameters, namespace }];
      case 'custom':
        return [{ name: tool.name, custom: true, schema: {}, namespace }];
      case 'namespace':
        return toolsIn(tool.tools, tool.name);
      default:
        return [];
    }
  });
}

function turnsOf({ type = 'message', role, content }) {
  if (type === 'agent_message') return [messageOfAgent(textIn(content), content)];
  if (type === 'message') return role === 'assistant' || role === 'user' ? [{ role, text: textIn(content) }] : [];
  if (type.endsWith('_output')) return [{ role: 'tool', text: '' }];
  return type.endsWith('call') || type === 'reasoning' ? [{ role: 'assistant', text: '' }] : [];
}

/** A message between agents. A task starts a conversation like a user's message; codex sends its text to the model only as "encrypted". */
function messageOfAgent(head, content) {
  const task = content.map((part) => part.encrypted_content ?? '').join('');
  return /^Message Type: (NEW_TASK|MESSAGE|FOLLOWUP)/.test(head) ? { role: 'user', text: task } : { role: 'tool', text: '' };
}
