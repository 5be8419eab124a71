import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteStripper } from '../../../../src/text/ansi/stripBytes';

function plain(...chunks: (string | Uint8Array)[]): string {
  const filter = new ByteStripper();
  return Buffer.concat(chunks.map((chunk) => Buffer.from(filter.push(Buffer.from(chunk))))).toString();
}

describe('ByteStripper', function () {
  // A property test is many runs, and the machine may be busy.
  this.timeout(20_000);

  const cases: [what: string, input: string, output: string][] = [
    ['text as it is', 'aé漢😀\tb\n', 'aé漢😀\tb\n'],
    ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['CRLF that went through a terminal', 'a\r\r\nb', 'a\nb'],
    ['a progress bar', '\r 10%\r 50%\r100%\r\ndone', ' 10%\n 50%\n100%\ndone'],
    ['a CR before an erase', '10%\r\x1b[K20%\n', '10%\n20%\n'],
    ['colours', '\x1b[1;38;5;208mred\x1b[0m \x1b[48:2::1:2:3mx\x1b[m', 'red x'],
    ['private modes', '\x1b[?25l\x1b[?2004hx\x1b[>4;2m', 'x'],
    ['a title ended by BEL', '\x1b]0;title\x07x', 'x'],
    ['a link ended by ST', '\x1b]8;;https://example.org\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['a title without an end costs its line', '\x1b]0;title\nnext', '\nnext'],
    ['DCS, with line ends inside', '\x1bPq#0\n\n\x1b\\x', 'x'],
    ['APC, PM, SOS', '\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\x', 'x'],
    ['character sets and saved cursors', '\x1b(B\x1b7x\x1b8\x1b=\x1b>', 'x'],
    ['one-character CSI', '\u009b31mx\u009d0;t\x07y', 'xy'],
    ['characters that begin like one', '\u00a0\u00bf', '\u00a0\u00bf'],
    ['bells, backspaces, NUL', 'a\x07b\bc\0d\x7f', 'abcd'],
    ['a sequence begun anew', '\x1b[3\x1b[31mx', 'x'],
    ['a sequence cancelled', '\x1b[3\x18x', 'x'],
    ['a sequence that is none', '\x1b[3é', 'é'],
    ['a line end inside a sequence', '\x1b[3\nx', '\nx'],
  ];
  for (const [what, input, output] of cases) {
    it(what, () => assert.equal(plain(input), output));
  }

  it('gives the same for any cut of the input', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        '\x1b',
        '\x1b[',
        '31m',
        '\x1b]0;',
        '\x07',
        '\x1b\\',
        '\x1bP',
        '\u009b',
        '\u009c',
        'é',
        '😀',
        '\x18',
        '(B',
        'text',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.integer({ min: 1, max: 5 })), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (let turn = 0; at < bytes.length; turn++) {
          const length = cuts.length > 0 ? cuts[turn % cuts.length]! : 1;
          chunks.push(bytes.subarray(at, at + length));
          at += length;
        }
        const whole = plain(bytes);
        assert.equal(plain(...chunks), whole);
        assert.doesNotMatch(whole, /[\x00-\x08\x0d-\x1f\x7f-\x9f\ufffd]/);
      }),
      { numRuns: 500 },
    );
  });
});
