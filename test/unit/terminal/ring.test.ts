import assert from 'node:assert/strict';
import { anyCharacter } from '../../support/characters';
import fc from 'fast-check';
import { ByteRing } from '../../../src/terminal/ring';
import { completeLength } from '../../../src/terminal/utf8';

/** The expected content of the ring, computed in a simple way. */
function naive(chunks: readonly Uint8Array[], limit: number): { bytes: Uint8Array; truncated: boolean } {
  const all = Buffer.concat(chunks);
  if (all.length <= limit) {
    return { bytes: all, truncated: false };
  }
  let start = all.length - limit;
  for (let passed = 0; passed < 3 && start < all.length && (all[start]! & 0xc0) === 0x80; passed++) {
    start++;
  }
  return { bytes: all.subarray(start), truncated: true };
}

describe('ByteRing', function () {
  // A property test is many runs, and the machine may be busy.
  this.timeout(20_000);

  it('contains the newest bytes of the whole, at any cut of the input', () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: anyCharacter }).map((s) => new TextEncoder().encode(s)),
        fc.uint8Array({ maxLength: 200 }),
      ),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 300 }), (chunks, limit) => {
        const ring = new ByteRing(limit);
        for (const chunk of chunks) {
          ring.push(chunk);
        }
        const expected = naive(chunks, limit);
        assert.deepEqual(Buffer.from(ring.bytes()), Buffer.from(expected.bytes));
        assert.equal(ring.truncated, expected.truncated);
      }),
      { numRuns: 300 },
    );
  });

  it('starts at a whole character after a cut', () => {
    for (let limit = 0; limit < 40; limit++) {
      const ring = new ByteRing(limit);
      ring.push(Buffer.from('aé漢😀'.repeat(10)));
      assert.doesNotMatch(Buffer.from(ring.bytes()).toString(), /\ufffd/);
      assert.ok(ring.bytes().length > limit - 4);
    }
  });

  it('copies its input', () => {
    const ring = new ByteRing(10);
    const chunk = Buffer.from('abc');
    ring.push(chunk);
    chunk.fill(0);
    assert.equal(Buffer.from(ring.bytes()).toString(), 'abc');
  });
});

describe('completeLength', () => {
  it('excludes a character whose end is missing, and nothing else', () => {
    const bytes = Buffer.from('aé漢😀b');
    for (let cut = 0; cut <= bytes.length; cut++) {
      const part = bytes.subarray(0, cut);
      const text = part.subarray(0, completeLength(part)).toString();
      assert.ok('aé漢😀b'.startsWith(text) && cut - Buffer.byteLength(text) < 4, `${cut}: ${text}`);
    }
    assert.equal(completeLength(Buffer.from([0x80, 0x80, 0x80, 0x80])), 4);
  });
});
