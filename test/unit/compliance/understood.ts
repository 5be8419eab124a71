/** Checks that the connection understands one item that the schema lets an agent send, without loss. */
import type { Case } from './carriers';
import { deliver, hasUnknown, lostIn } from './edge';
import { sampleOf } from './samples';
import type { Schema } from './schemaTree';

/** Fields whose values are decoded into something else. They are not searched for. */
const SAID_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'session/update': ['sessionUpdate'], // Decoded as the kind of the event.
  initialize: ['agentCapabilities'], // Decoded as the methods of the dialect; sent.test.ts checks them.
};

/** Messages that leave no event in the conversation: only the protocol log contains their `_meta`. */
const NO_EVENT = /^(?:fs\/|terminal\/|initialize|authenticate|logout|session\/(?:list|delete|close)|elicitation\/complete)/;

/** Kinds of an elicitation that the client cannot show. The specification requires an error, and the whole request is kept and shown. */
const REFUSED = new Set([
  'CreateElicitationRequest other',
  'ElicitationPropertySchema other',
  'MultiSelectItems other',
  'RequestId Null',
  'RequestId Str',
]);

/** Members in which the decoder keeps what it does not understand. */
const ASIDE: ReadonlySet<string> = new Set(['extra', 'malformed', 'raw']);

/** Fields that need not be understood, or that are decoded into other names: the types of a form's fields, and which are required. */
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

/** A message about what the connection loses or does not understand in a sample of `each`; undefined when nothing is wrong. */
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
