import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EntryList } from '../../../../src/core/model/entries';
import type { Slot } from '../../../../src/core/model/state';

const slot = (entryId: string, label = ''): Slot => ({ kind: 'unknown', entryId, at: 0, unknownId: entryId, label, raw: null });

describe('EntryList', () => {
  it('behaves like an array of unique ids, across branches of history', () => {
    const step = fc.record({ op: fc.constantFrom('append', 'replace', 'rewind'), pick: fc.nat(400), label: fc.string({ maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        let list: EntryList<Slot> = EntryList.empty;
        let model: Slot[] = [];
        const past: [EntryList<Slot>, Slot[]][] = [];
        let fresh = 0;
        for (const { op, pick, label } of steps) {
          if (op === 'append') {
            // Half of the ids occur again on another branch, at other positions.
            const entryId = `e${pick % 2 ? fresh++ : pick}`;
            if (!model.some((other) => other.entryId === entryId)) {
              list = list.append(slot(entryId, label));
              model = [...model, slot(entryId, label)];
            }
          } else if (op === 'replace' && model.length > 0) {
            const entryId = model[pick % model.length]!.entryId;
            list = list.replace(slot(entryId, label));
            model = model.map((other) => (other.entryId === entryId ? slot(entryId, label) : other));
          } else if (op === 'rewind' && past.length > 0) {
            [list, model] = past[pick % past.length]!;
          }
          past.push([list, model]);
        }
        for (const [seen, expected] of [...past.slice(-5), [list, model] as const]) {
          assert.deepEqual(seen.slice(), expected);
          assert.deepEqual([...seen], expected);
          expected.forEach((value, index) => {
            assert.equal(seen.indexOf(value.entryId), index);
            assert.deepEqual(seen.get(value.entryId), value);
          });
          assert.equal(seen.indexOf('nowhere'), -1);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps the identity of unchanged entries, across chunk borders', () => {
    const slots = Array.from({ length: 300 }, (_, index) => slot(`${index}`));
    const before = EntryList.of(slots);
    const after = before.replace(slot('130', 'new')).append(slot('300'));
    assert.equal(after.at(129), before.at(129));
    assert.equal(after.at(299), before.at(299));
    assert.notEqual(after.at(130), before.at(130));
    assert.equal(before.length, 300);
    assert.equal(after.length, 301);
    assert.equal(after.replace(after.at(5)!), after);
  });
});
