/**
 * Checks that every message that the schema allows an agent to send is understood without loss. Each member of each union and each field goes through
 * a real connection in a sample of each message that can contain it. The result must contain every text and number of the sample.
 */
import assert from 'node:assert/strict';
import { assertValid } from '../../support/schema';
import type { Case } from './carriers';
import { casesOf } from './carriers';
import { sampleOf } from './samples';
import type { Node } from './schemaTree';
import { SCHEMA } from './schemaTree';
import { complaint } from './understood';

describe('the messages that the schema allows an agent to send', () => {
  const groups = new Map<string, Case[]>();
  for (const each of casesOf(SCHEMA)) {
    const group = `${each.root.method} ${each.root.kind}: ${each.definition}`;
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }

  for (const [group, cases] of groups) {
    it(group, async () => {
      for (const each of cases) {
        assertValid(
          each.root.definition,
          sampleOf(SCHEMA, each.root.definition, each.choices),
          `a sample of ${each.definition} ${each.name}`,
        );
        assert.equal(await complaint(SCHEMA, each), undefined);
      }
    });
  }

  it('are more than a few', () => {
    assert.ok(groups.size > 100, `${groups.size} kinds of content in messages`);
  });

  it('are not all understood once a newer schema adds a field, a kind of update, or a block', async () => {
    const newer = structuredClone(SCHEMA) as unknown as { $defs: Record<string, { properties: Record<string, Node>; oneOf: Node[] }> };
    newer.$defs.SessionUpdate!.oneOf.push({ properties: { sessionUpdate: { const: 'foo_update' } }, required: ['sessionUpdate'] });
    newer.$defs.ContentBlock!.oneOf.push({
      properties: { type: { const: 'video' }, film: { type: 'string' } },
      required: ['type', 'film'],
    });
    newer.$defs.ToolCallUpdate!.properties.mood = { type: 'string' };
    const complaints = await Promise.all(casesOf(newer).map((each) => complaint(newer, each)));
    for (const expected of [
      /^session\/update with ToolCallUpdate \.mood: mood-\d+ is only kept aside/,
      /^session\/update with SessionUpdate foo_update is kept as unknown/,
      /^session\/update with ContentBlock video is kept as unknown/,
    ]) {
      assert.ok(
        complaints.some((each) => each !== undefined && expected.test(each)),
        `none of them is ${expected}: ${complaints.filter(Boolean).join('\n')}`,
      );
    }
  });
});
