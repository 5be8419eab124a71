/**
 * Checks that each item that the compliance page lists as sent is sent and valid, and that everything it lists as understood beyond messages is
 * understood.
 */
import assert from 'node:assert/strict';
import { assertValid } from '../../support/schema';
import { RECEIVES } from './receives';
import { identitiesOf, SCHEMA, variantName } from './schemaTree';
import { SENDS } from './sends';

describe('the client sends', () => {
  for (const { area, name } of identitiesOf(SCHEMA)) {
    const send = SENDS.get(`${area} ${name}`);
    if (!send) {
      continue;
    }
    it(`${area} ${name}`, async () => {
      const value = await send();
      if (area === 'client method') {
        assert.ok('result' in (value as object)); // The form of a response was checked when it was sent.
      } else if (area.endsWith(' method')) {
        assert.equal((value as { method: string }).method, name);
      } else if (area !== 'ClientCapabilities') {
        const node = SCHEMA.$defs[area]!;
        const kind = node.oneOf ? 'oneOf' : 'anyOf';
        const index = node[kind]!.findIndex((member, at) => variantName(member, at) === name);
        assert.ok(value !== undefined && index >= 0);
        assertValid(`${area}/${kind}/${index}`, value, `${area} ${name}`);
      }
    });
  }
});

describe('the client understands', () => {
  for (const [identity, receive] of RECEIVES) {
    it(identity, async () => {
      await receive();
    });
  }
});
