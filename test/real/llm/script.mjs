// The model's next answer. The endpoint is stateless: the request itself contains the user's prompt, which names the script, and all
// earlier messages, which determine the step. Any number of sessions and agents can therefore run in parallel.
import { argumentsFor, toolFor } from './tools.mjs';
import { mint } from './sse.mjs';

const mention = /\(script ([\w-]+)\)/g;

/** The text that makes a prompt follow a script. */
export function inScript(name) {
  return `(script ${name})`;
}

/**
 * One answer of the model. The `kind` of a tool is `read`, `write`, `edit`, `shell`, `plan`, or the exact name of a tool.
 *
 * @typedef {{thinking?: string, text?: string, pieces?: number, pieceMs?: number, hangMs?: number, error?: {status: number, body: object, headers?: object},
 *   tools?: {kind: string, args?: object}[]}} Step
 */

/**
 * Chooses the step for a conversation.
 * @param scripts name → Step[].
 * @param turns the messages so far, oldest first: `{role: 'user' | 'assistant' | 'tool', text}`.
 * @param tools the agent's tools: `{name, schema, custom?, namespace?}`.
 * @returns {{step: Step, index: number}} a step without any available tool is skipped; `index` is -1 when the prompt names no script.
 */
export function decide(scripts, turns, tools) {
  const lastUser = turns.findLast((turn) => turn.role === 'user')?.text ?? '';
  // Agents request titles and summaries without offering a tool.
  if (tools.length === 0) return { step: { text: 'Scripted title' }, index: -1 };
  let asked = -1;
  let name;
  for (const [at, turn] of turns.entries()) {
    const found = turn.role === 'user' ? [...turn.text.matchAll(mention)].at(-1)?.[1] : undefined;
    if (found && scripts[found]) [asked, name] = [at, found];
  }
  if (!name) return { step: { text: `You said: ${lastUser.slice(-200)}` }, index: -1 };
  const since = turns.slice(asked + 1);
  const index = since.filter((turn, at) => turn.role === 'assistant' && since[at - 1]?.role !== 'assistant').length;
  const steps = scripts[name].filter((step) => !step.tools || step.tools.some(({ kind }) => toolFor(kind, tools)));
  return { step: steps[index] ?? { text: 'There is no more to do.' }, index };
}

/** The tool calls of a step, in terms of the offered tools; a missing tool is left out. */
export function callsOf(step, tools) {
  return (step.tools ?? []).flatMap(({ kind, args = {} }) => {
    const tool = toolFor(kind, tools);
    if (!tool) return [];
    const { name, custom, namespace } = tool;
    return [{ callId: mint('call'), name, custom, namespace, args: argumentsFor(kind, tool, args) }];
  });
}
