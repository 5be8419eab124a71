/**
 * Everything the schema lets an agent send is understood, and nothing of it is lost: for each member of each union and each field, in each message
 * that can hold it, a sample goes through the real edge. What comes out holds every text and number that went in.
 */
import assert from 'node:assert/strict';
import { assertValid } from '../../support/schema';
import type { Case } from './carriers';
import { casesOf } from './carriers';
import { deliver, hasUnknown, lostIn } from './edge';
import { sampleOf } from './samples';
import { SCHEMA } from './schemaTree';

/** Fields whose values come out as something else: not looked for. */
const SAID_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'session/update': ['sessionUpdate'], // The kind of the event.
  initialize: ['agentCapabilities'], // Which methods the dialect has: sent.test.ts.
};

/** Messages that leave no event in the conversation: their `_meta` is in the protocol log alone. */
const NO_EVENT = /^(?:fs\/|terminal\/|initialize|authenticate|logout|session\/(?:list|delete|close)|elicitation\/complete)/;

/** Kinds of an elicitation that nobody can show as what they are. The specification wants them refused, and the whole request is kept and shown. */
const REFUSED = new Set(['CreateElicitationRequest other', 'ElicitationPropertySchema other', 'MultiSelectItems other', 'RequestId Null', 'RequestId Str']);

function expected({ root, definition, name }: Case, message: unknown): unknown {
  const without = new Set(SAID_OTHERWISE[root.method]);
  if (NO_EVENT.test(root.method) && name === '._meta' && definition !== 'AuthMethodAgent' && definition !== 'AuthMethodTerminal') without.add('_meta');
  return JSON.parse(JSON.stringify(message, (key, value: unknown) => (without.has(key) ? undefined : value)));
}

describe('what the schema lets an agent send', () => {
  const groups = new Map<string, Case[]>();
  for (const each of casesOf(SCHEMA)) {
    const group = `${each.root.method} ${each.root.kind}: ${each.definition}`;
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }

  for (const [group, cases] of groups) {
    it(group, async () => {
      for (const each of cases) {
        const { root, definition, name, choices } = each;
        const what = `${root.method} with ${definition} ${name}`;
        const message = sampleOf(SCHEMA, root.definition, choices);
        assertValid(root.definition, message, what);
        if (name.startsWith('.')) assert.ok(JSON.stringify(message).includes(`"${name.slice(1)}":`), `${what} is not in the sample`);

        const { told, error } = await deliver(root, message);
        const refused = REFUSED.has(`${definition} ${name}`);
        assert.equal(error, refused ? -32602 : undefined, what);
        assert.equal(hasUnknown(told), refused, `${what} is kept as unknown: ${JSON.stringify(told)}`);
        assert.deepEqual(lostIn(expected(each, message), told), [], `${what} is not in ${JSON.stringify(told)}`);
      }
    });
  }

  it('is more than a few messages', () => {
    assert.ok(groups.size > 100, `${groups.size} kinds of content in messages`);
  });
});
