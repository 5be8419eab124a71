import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PlainOutput } from '../../../src/terminal/output';

describe('PlainOutput', function () {
  // A property test is many runs, and the machine may be busy.
  this.timeout(20_000);

  it('returns the same text however often it is read in between', () => {
    const piece = fc.oneof(fc.constantFrom('\r\n', '\x1b[31m', '\x1b]0;t\x07', 'é', '😀', '\r'), fc.string());
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 7 }), (pieces, limit, step) => {
        const bytes = Buffer.from(pieces.join(''));
        const [once, often] = [new PlainOutput(limit), new PlainOutput(limit)];
        once.push(bytes);
        for (let at = 0; at < bytes.length; at += step) {
          often.push(bytes.subarray(at, at + step));
          assert.ok(Buffer.byteLength(often.read(false).output) <= limit);
        }
        assert.deepEqual(often.read(true), once.read(true));
      }),
    );
  });

  it('keeps the newest part of a flood, starting at a whole character and without a partial sequence', () => {
    const line = '\x1b[1;32m漢字😀\x1b[0m é\r\n';
    const flood = Buffer.from(line.repeat(100_000));
    const plain = Buffer.from('漢字😀 é\n'.repeat(100_000));
    for (const limit of [0, 1, 1000, 1001, 1002, 1003, 100_000]) {
      const output = new PlainOutput(limit);
      for (let at = 0; at < flood.length; at += 4095) {
        output.push(flood.subarray(at, at + 4095));
      }
      const { output: text, truncated } = output.read(true);
      assert.equal(truncated, true);
      assert.doesNotMatch(text, /\ufffd|\u001b|m/);
      assert.ok(plain.subarray(plain.length - Buffer.byteLength(text)).equals(Buffer.from(text)));
      assert.ok(limit - Buffer.byteLength(text) < 4, `${limit}: ${Buffer.byteLength(text)}`);
    }
  });

  it('stays truncated, and continues after a flood', () => {
    const output = new PlainOutput(10);
    output.push(Buffer.alloc(1_000_000, 'x\n'));
    assert.deepEqual(output.read(false), { output: 'x\nx\nx\nx\nx\n', truncated: true });
    output.push(Buffer.from('a\r\nb'));
    assert.deepEqual(output.read(true), { output: '\nx\nx\nx\na\nb', truncated: true });
  });

  it('waits for the rest of a character until the end', () => {
    const output = new PlainOutput(100);
    output.push(Buffer.from('aé').subarray(0, 2));
    assert.equal(output.read(false).output, 'a');
    assert.equal(output.read(true).output, 'a\ufffd');
  });

  describe('with a progress line', () => {
    const progress = (frames: number): string =>
      Array.from({ length: frames }, (_, index) => `\r${index + 1}/${frames} downloading`).join('');

    it('contains the last frame, whatever the chunks are, and counts only real lines for the limit', () => {
      for (const size of [1, 7, 4096, 1_000_000]) {
        const output = new PlainOutput(2000);
        const bytes = Buffer.from(`BEFORE\r\n${progress(5000)}\r\nAFTER\r\n`);
        for (let at = 0; at < bytes.length; at += size) {
          output.push(bytes.subarray(at, at + size));
        }
        assert.deepEqual(output.read(true), { output: 'BEFORE\n5000/5000 downloading\nAFTER\n', truncated: false });
      }
    });

    it('can be read while it runs', () => {
      const output = new PlainOutput(100);
      output.push(Buffer.from('a\n\r10 %'));
      assert.equal(output.read(false).output, 'a\n10 %');
      output.push(Buffer.from('\r20 %'));
      assert.equal(output.read(false).output, 'a\n20 %');
      output.push(Buffer.from('\r'));
      assert.equal(output.read(false).output, 'a\n20 %', 'the next frame is not there yet');
      output.push(Buffer.from('\ndone'));
      assert.equal(output.read(true).output, 'a\n20 %\ndone');
    });

    it('supports colors, erasing and padding', () => {
      const output = new PlainOutput(1000);
      output.push(Buffer.from('\r\x1b[2K\x1b[32m 50 %\x1b[0m\r\x1b[K100 %   \n'));
      assert.deepEqual(output.read(true), { output: '100 %   \n', truncated: false });
    });

    it('is truncated when real lines exceed the limit', () => {
      const output = new PlainOutput(30);
      output.push(Buffer.from(`${'line\n'.repeat(10)}${progress(100)}\n`));
      const { output: text, truncated } = output.read(true);
      assert.ok(truncated && text.endsWith('line\n100/100 downloading\n'));
    });
  });

  describe('rows that are redrawn', () => {
    const read = (text: string, size = 1_000_000): string => {
      const output = new PlainOutput(100_000);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) {
        output.push(bytes.subarray(at, at + size));
      }
      return output.read(true).output;
    };

    const DRAWN: Readonly<Record<string, readonly [text: string, plain: string]>> = {
      'by moving up as many rows': [
        `before\r\n${Array.from({ length: 300 }, (_, step) => `${step > 0 ? '\x1b[3A' : ''}a ${step}\r\nb ${step}\r\nc ${step}\r\n`).join('')}after\r\n`,
        'before\na 299\nb 299\nc 299\nafter\n',
      ],
      'row by row, each erased': [
        `${Array.from({ length: 50 }, (_, step) => `${step > 0 ? '\x1b[2A' : ''}\r\x1b[2Kone ${step}\r\n\r\x1b[Ktwo ${step}\r\n`).join('')}`,
        'one 49\ntwo 49\n',
      ],
      'one row of several': ['a\r\nb\r\nc\r\n\x1b[3A\rA\x1b[3B\rd\r\n', 'A\nb\nc\nd\n'],
      'with fewer rows than before': ['a\r\nb\r\n\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K\x1b[Gx\r\n', 'x\n'],
      'after everything below was erased': ['a\r\nb\r\nc\r\n\x1b[3F\x1b[0Jdone\r\n', 'done\n'],
      'above the first row': ['a\r\n\x1b[99Ab\r\n', 'b\n'],
    };
    for (const [name, [text, plain]] of Object.entries(DRAWN)) {
      it(`count by their last frame: ${name}`, () => {
        for (const size of [1, 2, 5, 64, 1_000_000]) {
          assert.equal(read(text, size), plain, `in chunks of ${size}`);
        }
      });
    }

    it('keep text that precedes an erased rest of a line', () => {
      assert.equal(read('kept\x1b[K\r\nand\x1b[0K kept\r\n'), 'kept\nand kept\n');
    });

    it('keep rows that the program does not redraw', () => {
      assert.equal(read('a\r\nb\r\nc\x1b[2A'), 'a\nb\nc');
    });
  });
});
