import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_MAX_LINE_MEGABYTES, lineLimitOf } from '../../../../src/acp/transport/ndjson';
import { FrameReader } from '../../../../src/util/frames/frameReader';

interface Read {
  lines: string[];
  damaged: boolean[];
  skipped: { bytes: number; head: string; tail: string }[];
}

function read(chunks: readonly Uint8Array[], maxLineBytes?: number): Read {
  const result: Read = { lines: [], damaged: [], skipped: [] };
  const reader = new FrameReader(
    {
      line: (text, damaged) => {
        result.lines.push(text);
        result.damaged.push(damaged);
      },
      skipped: (bytes, head, tail) => result.skipped.push({ bytes, head, tail }),
    },
    maxLineBytes,
  );
  for (const chunk of chunks) {
    reader.push(chunk);
  }
  reader.end();
  return result;
}

const bytes = (text: string): Buffer => Buffer.from(text);

describe('the longest line', () => {
  it('is the configured number of megabytes, within bounds', () => {
    const megabytes = (setting: unknown): number => lineLimitOf(setting) / 1024 / 1024;
    assert.deepEqual([1, 128, 511, 2.9].map(megabytes), [1, 128, 511, 2]);
    assert.deepEqual([0, -5, -Infinity].map(megabytes), [1, 1, 1]);
    assert.deepEqual([512, 1e9, Infinity].map(megabytes), [511, 511, 511]);
    assert.deepEqual([undefined, null, '256', NaN, {}].map(megabytes), Array(5).fill(DEFAULT_MAX_LINE_MEGABYTES));
  });
});

describe('ndjson reader', () => {
  it('returns the same lines however the bytes are cut', function () {
    this.timeout(20_000);
    const line = fc
      .string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\\', '"', '\n', '\r', '\ufeff'), maxLength: 20 })
      .map((text) => JSON.stringify(text));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(30), { maxLength: 12 }), (lines, cuts) => {
        const whole = bytes(lines.map((each) => each + '\n').join(''));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(whole.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(whole.subarray(at));
        assert.deepEqual(read(chunks).lines, lines);
      }),
    );
  });

  it('reads one byte at a time, inside characters too', () => {
    const whole = bytes('{"a":"é€😀"}\n{"b":"ü"}\n');
    assert.deepEqual(read([...whole].map((byte) => Uint8Array.of(byte))).lines, ['{"a":"é€😀"}', '{"b":"ü"}']);
  });

  it('accepts CRLF, byte order marks and blank lines', () => {
    assert.deepEqual(read([bytes('\ufeff{"a":1}\r\n\r\n  \n\ufeff{"b":2}\r\n')]).lines, ['{"a":1}', '{"b":2}']);
  });

  it('delivers an unterminated last line at the end', () => {
    assert.deepEqual(read([bytes('{"a":1}\n{"b"'), bytes(':2}')]).lines, ['{"a":1}', '{"b":2}']);
  });

  it('marks a line of invalid UTF-8 and no other', () => {
    const { lines, damaged } = read([Buffer.concat([bytes('{"a":"'), Buffer.of(0xff, 0xc3), bytes('"}\n{"b":"\ufffd"}\n')])]);
    assert.deepEqual(lines, ['{"a":"\ufffd\ufffd"}', '{"b":"\ufffd"}']);
    assert.deepEqual(damaged, [true, false], 'a U+FFFD that was sent is no damage');
  });

  for (const size of [1, 7, 64, 1000]) {
    it(`skips a line over the limit, in chunks of ${size}, and goes on`, () => {
      const long = `{"id":7,"pad":"${'x'.repeat(200)}"}`;
      const whole = bytes(`{"a":1}\n${long}\n{"b":2}\n`);
      const chunks: Buffer[] = [];
      for (let at = 0; at < whole.length; at += size) {
        chunks.push(whole.subarray(at, at + size));
      }
      const { lines, skipped } = read(chunks, 100);
      assert.deepEqual(lines, ['{"a":1}', '{"b":2}']);
      assert.equal(skipped.length, 1);
      assert.equal(skipped[0]!.bytes, long.length);
      assert.ok(skipped[0]!.head.startsWith('{"id":7,"pad"'));
      assert.equal(skipped[0]!.tail, long);
    });
  }

  it('accepts a line of exactly the limit', () => {
    assert.deepEqual(read([bytes('12345\n123456\n')], 5).lines, ['12345']);
  });

  it('keeps only the head of a skipped line', () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const { skipped } = read([...Array.from({ length: 8 }, () => chunk), bytes('\n')], 2 * 1024 * 1024);
    assert.equal(skipped[0]!.bytes, 8 * 1024 * 1024);
    assert.equal(skipped[0]!.head.length, 64 * 1024);
    assert.equal(skipped[0]!.tail.length, 1024);
  });

  it('keeps the end of a skipped line however it is cut', () => {
    const long = Array.from({ length: 2000 }, (_, index) => String(index)).join('-');
    for (const size of [1, 700, 1023, 1024, 1025, 3000, long.length]) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < long.length; at += size) {
        chunks.push(bytes(long.slice(at, at + size)));
      }
      assert.equal(read([...chunks, bytes('\n')], 50).skipped[0]!.tail, long.slice(-1024), String(size));
    }
  });

  it('reports a skipped line that the end of the stream cut off', () => {
    const { skipped } = read([bytes('{"id":1,"x":"' + 'x'.repeat(200))], 100);
    assert.deepEqual(
      skipped.map(({ bytes: length }) => length),
      [213],
    );
  });

  it('copies each byte of a long line a bounded number of times', () => {
    let copied = 0;
    const original = Buffer.prototype.copy;
    Buffer.prototype.copy = function (this: Buffer, ...args: Parameters<Buffer['copy']>): number {
      const count = original.apply(this, args);
      copied += count;
      return count;
    };
    try {
      const chunk = Buffer.alloc(1024, 'x');
      const { lines } = read([...Array.from({ length: 8 * 1024 }, () => chunk), bytes('\n')]);
      assert.equal(lines[0]!.length, 8 * 1024 * 1024);
    } finally {
      Buffer.prototype.copy = original;
    }
    assert.ok(copied > 0 && copied < 4 * 8 * 1024 * 1024, `${copied} bytes were copied`);
  });

  it('returns nothing after stop, not even the rest of the chunk', () => {
    const lines: string[] = [];
    const reader: FrameReader = new FrameReader({
      line: (text) => {
        lines.push(text);
        reader.stop();
      },
      skipped: () => undefined,
    });
    reader.push(bytes('{"a":1}\n{"b":2}\n'));
    reader.end();
    assert.deepEqual(lines, ['{"a":1}']);
  });
});
