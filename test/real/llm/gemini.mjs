// Gemini: POST …/models/<model>:generateContent and :streamGenerateContent.
import { setTimeout as wait } from 'node:timers/promises';
import { callsOf, decide } from './script.mjs';
import { events, json, mint, textIn, typed } from './sse.mjs';

export async function gemini({ response, body, scripts, note, model, method }) {
  const tools = (body.tools ?? [])
    .flatMap((tool) => tool.functionDeclarations ?? [])
    .map(({ name, parametersJsonSchema, parameters }) => ({ name, schema: parametersJsonSchema ?? parameters }));
  const { step, index } = decide(scripts, (body.contents ?? []).map(turnOf), tools);
  const calls = callsOf(step, tools);
  note({ api: 'gemini', index, calls, tools: tools.map(({ name }) => name) });
  if (step.error) return json(response, step.error.status, step.error.body);
  if (step.hangMs) await wait(step.hangMs);

  const usageMetadata = { promptTokenCount: 1000 + index * 100, candidatesTokenCount: 50, totalTokenCount: 1050 + index * 100 };
  const part = (parts, finishReason) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
    ...{ usageMetadata, modelVersion: model, responseId: mint('r') },
  });
  const asked = calls.map(({ callId, name, args }) => ({ functionCall: { id: callId, name, args }, thoughtSignature: 'c2NyaXB0ZWQ=' }));
  const schema = body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema;
  const text = schema && tools.length === 0 ? JSON.stringify(someObject(schema)) : (step.text ?? '');
  if (method === 'generateContent') return json(response, 200, part([...(text ? [{ text }] : []), ...asked], 'STOP'));

  const send = events(response);
  if (step.thinking) send('', part([{ text: `**Thinking** ${step.thinking}`, thought: true }]));
  for await (const piece of typed(response, text, step)) send('', part([{ text: piece }]));
  for (const call of asked) send('', part([call]));
  send('', part([{ text: '' }], 'STOP'));
  response.end();
}

/** This agent asks its model for small structured decisions. */
function someObject(schema) {
  const value = ({ type, enum: choices }) => choices?.[0] ?? (/number|integer/i.test(type) ? 1 : /bool/i.test(type) ? false : 'x');
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, each]) => [key, value(each)]));
}

function turnOf({ role, parts = [] }) {
  if (role === 'model') return { role: 'assistant', text: textIn(parts) };
  return { role: parts.some((part) => part.functionResponse) ? 'tool' : 'user', text: textIn(parts) };
}
