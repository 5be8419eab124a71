// What the model says next. The endpoint remembers nothing: the request itself holds the user's prompt, which names the script, and all that
// was said since, which tells the step. So any number of sessions and agents may be under way at once.
import { argumentsFor, toolFor } from './tools.mjs';
import { mint } from './sse.mjs';

const mention = /\(script ([\w-]+)\)/g;

/** The words that make a prompt follow a script. */
export function inScript(name) {
  return `(script ${name})`;
}

/**
 * One answer of the model.
 * @typedef {{thinking?: string, text?: string, pieces?: number, pieceMs?: number, hangMs?: number, error?: {status: number, body: object},
 *   tools?: {kind: string, args?: object}[]}} Step
 *   `kind`: `read`, `write`, `edit`, `shell`, `plan`, or the exact name of a tool.
 */

/**
 * Chooses the step for a conversation.
 * @param scripts name → Step[].
 * @param turns what was said, oldest first: `{role: 'user' | 'assistant' | 'tool', text}`.
 * @param tools what the agent offers: `{name, schema, custom?, namespace?}`.
 * @returns {{step: Step, index: number}} a step whose tools are all missing here is passed over; `index` -1: nobody asked for a script.
 */
export function decide(scripts, turns, tools) {
  const lastUser = turns.findLast((turn) => turn.role === 'user')?.text ?? '';
  // Agents ask for titles and summaries without offering a tool.
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

/** The tool calls of a step in the words of the tools offered; a tool that is not there is left out. */
export function callsOf(step, tools) {
  return (step.tools ?? []).flatMap(({ kind, args = {} }) => {
    const tool = toolFor(kind, tools);
    if (!tool) return [];
    const { name, custom, namespace } = tool;
    return [{ callId: mint('call'), name, custom, namespace, args: argumentsFor(kind, tool, args) }];
  });
}
