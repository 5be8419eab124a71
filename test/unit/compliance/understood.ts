/** Whether the edge understands one thing that the schema lets an agent send, with nothing lost. */
import type { Case } from './carriers';
import { deliver, hasUnknown, lostIn } from './edge';
import { sampleOf } from './samples';
import type { Schema } from './schemaTree';

/** Fields whose values come out as something else: not looked for. */
const SAID_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'session/update': ['sessionUpdate'], // The kind of the event.
  initialize: ['agentCapabilities'], // Which methods the dialect has: sent.test.ts.
};

/** Messages that leave no event in the conversation: their `_meta` is in the protocol log alone. */
const NO_EVENT = /^(?:fs\/|terminal\/|initialize|authenticate|logout|session\/(?:list|delete|close)|elicitation\/complete)/;

/** Kinds of an elicitation that nobody can show as what they are. The specification wants them refused, and the whole request is kept and shown. */
const REFUSED = new Set([
  'CreateElicitationRequest other',
  'ElicitationPropertySchema other',
  'MultiSelectItems other',
  'RequestId Null',
  'RequestId Str',
]);

/** Where the edge puts what it does not understand. */
const ASIDE: ReadonlySet<string> = new Set(['extra', 'malformed', 'raw']);

/** Fields that it does not have to understand, or that it says in the model's words: the types of a form's fields, and which are required. */
const meaningless = (method: string): ReadonlySet<string> =>
  new Set(method === 'elicitation/create' ? ['_meta', 'type', 'required'] : ['_meta']);

/** `value` without the fields of these names, at any depth. */
function without(value: unknown, names: ReadonlySet<string>): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, (key, inner: unknown) => (names.has(key) ? undefined : inner)));
}

function expected({ root, definition, name }: Case, message: unknown): unknown {
  const names = new Set(SAID_OTHERWISE[root.method]);
  if (NO_EVENT.test(root.method) && name === '._meta' && definition !== 'AuthMethodAgent' && definition !== 'AuthMethodTerminal') {
    names.add('_meta');
  }
  return without(message, names);
}

/** What is wrong with what the edge makes of a sample that has this; undefined when nothing is. */
export async function complaint(schema: Schema, each: Case): Promise<string | undefined> {
  const { root, definition, name, choices } = each;
  const what = `${root.method} with ${definition} ${name}`;
  const message = sampleOf(schema, root.definition, choices);
  if (name.startsWith('.') && !JSON.stringify(message).includes(`"${name.slice(1)}":`)) {
    return `${what} is not in the sample`;
  }

  const { told, error } = await deliver(root, message);
  const refused = REFUSED.has(`${definition} ${name}`);
  const said = JSON.stringify(told);
  if (error !== (refused ? -32602 : undefined)) {
    return `${what} is answered ${error}`;
  }
  if (hasUnknown(told) !== refused) {
    return `${what} is kept as unknown: ${said}`;
  }
  const wanted = expected(each, message);
  const lost = lostIn(wanted, told);
  if (lost.length > 0) {
    return `${what}: ${lost.join(', ')} is not in ${said}`;
  }
  const aside = refused ? [] : lostIn(without(wanted, meaningless(root.method)), without(told, ASIDE));
  return aside.length > 0 ? `${what}: ${aside.join(', ')} is only kept aside: ${said}` : undefined;
}
