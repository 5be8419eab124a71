import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventReader } from '../../../../../src/acp/transport/remote/eventStream';

const read = (chunks: readonly Uint8Array[], limit = 1000): string[] => {
  const seen: string[] = [];
  const reader = new EventReader(
    {
      message: (text, damaged) => void seen.push(damaged ? `damaged ${text}` : text),
      skipped: (bytes, head, tail) => void seen.push(`skipped ${bytes} ${head.slice(0, 8)} ${tail.slice(-8)}`),
    },
    limit,
  );
  chunks.forEach((chunk) => reader.push(chunk));
  reader.end();
  return seen;
};
const text = (value: string, limit?: number): string[] => read([Buffer.from(value)], limit);

describe('an event stream', () => {
  it('reads one message per event, with any line ends', () => {
    assert.deepEqual(text('data: {"a":1}\n\ndata:{"b":2}\r\n\r\ndata: 3\r\r'), ['{"a":1}', '{"b":2}', '3']);
  });

  it('joins the data lines of an event, and ignores comments and other fields', () => {
    assert.deepEqual(text(':keep\n\nevent: message\nid: 7\ndata: {"a":\ndata: 1}\nretry: 5\n\n: end\n\n'), ['{"a":\n1}']);
  });

  it('passes on what was cut, so that it is seen', () => {
    assert.deepEqual(text('data: {"a":1}\n\ndata: {"b'), ['{"a":1}', '{"b']);
  });

  it('ignores a byte order mark, and says when bytes are not UTF-8', () => {
    assert.deepEqual(read([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('data: 1\n\n')]), ['1']);
    assert.deepEqual(read([Buffer.from('data: "'), Buffer.from([0xff]), Buffer.from('"\n\n')]), ['damaged "\ufffd"']);
  });

  it('skips an event over the limit and goes on', () => {
    const long = `{"id":1,"x":"${'y'.repeat(3000)}","end":1}`;
    assert.deepEqual(text(`data: ${long}\n\ndata: 2\n\n`, 100), [`skipped ${long.length} {"id":1, "end":1}`, '2']);
  });

  it('reads the same whatever the chunks are', () => {
    const stream = Buffer.from(`data: {"ä":1}\r\n\r\n:c\ndata: a\rdata: b\r\rdata: ${'z'.repeat(300)}\n\ndata: {"end":true}\n\n`);
    const whole = read([stream], 100);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(stream.subarray(at, at + size));
          at += size;
        }
        assert.deepEqual(read(chunks, 100), whole);
      }),
      { numRuns: 200 },
    );
    assert.deepEqual(whole[0], '{"ä":1}');
    assert.equal(whole.length, 4);
  });

  const MEGABYTE = 1024 * 1024;
  const memory = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / MEGABYTE;
  };
  for (const [what, chunk, count] of [
    ['of one byte', Buffer.from('x'), 3_000_000],
    ['of empty data lines', Buffer.from('data:\n'.repeat(1000)), 3000],
  ] as const) {
    it(`takes memory for the bytes of an event, not for its parts, in chunks ${what}`, () => {
      const reader = new EventReader({ message: () => undefined, skipped: () => undefined }, 100 * MEGABYTE);
      reader.push(Buffer.from('data: '));
      const before = memory();
      for (let pushed = 0; pushed < count; pushed++) {
        reader.push(chunk);
      }
      const grown = memory() - before;
      assert.ok(grown < 60, `${Math.round(grown)} MB`);
      reader.end();
    });
  }
});
