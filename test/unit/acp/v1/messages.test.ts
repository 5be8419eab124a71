/** Messages and their parts as SDKs write them (test/fixtures/messages/README.md). Each is decoded as its line says. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { hasUnknown, lostIn } from '../../compliance/edge';
import { membersOf, SCHEMA, variantName } from '../../compliance/schemaTree';
import type { Message } from '../reading';
import { meant, readingOf } from '../reading';

interface Line {
  readonly name: string;
  readonly kind: string;
  readonly is: 'understood' | 'kept' | 'refused' | 'ours';
  readonly answers?: string;
  readonly message: Message;
}

const lines = readFileSync(path.join(__dirname, '../../../fixtures/messages/messages.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Line);

describe('messages as SDKs write them', () => {
  for (const { name, kind, is, answers, message } of lines) {
    it(`${name}: ${kind === is ? is : `${kind}, ${is}`}`, async () => {
      const reading = await readingOf(message, answers);
      const told = JSON.stringify(reading.told);
      assert.equal(reading.kind, kind);
      if (is === 'ours') {
        return;
      }
      assert.equal(reading.error !== undefined, is === 'refused', told);
      if (reading.error !== undefined) {
        assert.ok([-32601, -32602].includes(reading.error), String(reading.error));
        return;
      }
      assert.equal(hasUnknown(reading.told), is === 'kept', told);
      assert.deepEqual(lostIn(meant(message, answers), reading.told), [], told);
    });
  }

  it('include every kind of update', () => {
    const updates = new Set(lines.map(({ message }) => message.sessionUpdate));
    assert.deepEqual(
      membersOf(SCHEMA.$defs.SessionUpdate!)
        .map(variantName)
        .filter((kind) => !updates.has(kind)),
      [],
    );
  });
});
