/** The grammar of escape sequences, and the functions that use it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { anyCharacter } from '../../../support/characters';
import fc from 'fast-check';
import { AnsiScanner, type Extent } from '../../../../src/text/ansi/scanner';
import {
  controlSequence,
  escapeSequence,
  innerControls,
  sequenceEnd,
  someSequence,
  withoutSequences,
} from '../../../../src/text/ansi/sequences';
import { ByteStripper } from '../../../../src/text/ansi/stripBytes';

type Piece = ['text', string] | [Extent, string];

/** The pieces that result from `chunks`, with adjacent texts joined. */
function scanned(...chunks: string[]): Piece[] {
  const pieces: Piece[] = [];
  const scanner = new AnsiScanner();
  const events = {
    text(text: string): void {
      assert.notEqual(text, '');
      const last = pieces.at(-1);
      if (last?.[0] === 'text') {
        last[1] += text;
      } else {
        pieces.push(['text', text]);
      }
    },
    sequence(raw: string, extent: Extent): void {
      pieces.push([extent, raw]);
    },
  };
  chunks.forEach((chunk) => scanner.push(chunk, events));
  return pieces;
}

const HOSTILE = fc.oneof(
  fc.constantFrom(
    ...[
      '\x1b',
      '\x1b[',
      '31m',
      '\x1b]',
      '52;c;',
      '0;t',
      '\x07',
      '\x1b\\',
      '\\',
      '\x1bP',
      '\x1b_',
      '\x90',
      '\x98',
      '\x9b',
      '\x9c',
      '\x9d',
      '\x85',
    ],
    ...['\x18', '\x1a', '\r', '\n', '\x7f', '\x01', '(B', ' q', '?25h', 'text', 'é', '😀', '\u00c2'],
  ),
  fc.string({ unit: anyCharacter, maxLength: 5 }),
);

describe('text/ansi', function () {
  // A property test is many runs, and the machine may be busy.
  this.timeout(60_000);

  const cases: [what: string, input: string, pieces: Piece[]][] = [
    ['text and lone controls', 'a\tb\r\n\x84', [['text', 'a\tb\r\n\x84']]],
    [
      'colours',
      'a\x1b[1;31mb',
      [
        ['text', 'a'],
        ['whole', '\x1b[1;31m'],
        ['text', 'b'],
      ],
    ],
    [
      'C1 forms',
      '\x9b1mb\x9d0;t\x9c',
      [
        ['whole', '\x9b1m'],
        ['text', 'b'],
        ['whole', '\x9d0;t\x9c'],
      ],
    ],
    [
      'a title by BEL and by ST',
      '\x1b]0;t\x07\x1b]0;t\x1b\\',
      [
        ['whole', '\x1b]0;t\x07'],
        ['whole', '\x1b]0;t\x1b\\'],
      ],
    ],
    ['BEL in a DCS, which does not end it', '\x1bPa\x07b\x1b\\', [['whole', '\x1bPa\x07b\x1b\\']]],
    [
      'a string that another sequence ends',
      '\x1b]0;t\x1b[m',
      [
        ['whole', '\x1b]0;t'],
        ['whole', '\x1b[m'],
      ],
    ],
    ['a control in a sequence', '\x1b[3\n1m', [['whole', '\x1b[3\n1m']]],
    [
      'CAN',
      '\x1b[3\x18x',
      [
        ['broken', '\x1b[3\x18'],
        ['text', 'x'],
      ],
    ],
    [
      'a sequence begun anew',
      '\x1b[3\x1b[mx',
      [
        ['broken', '\x1b[3'],
        ['whole', '\x1b[m'],
        ['text', 'x'],
      ],
    ],
    [
      'a letter no sequence has',
      '\x1b[3é',
      [
        ['broken', '\x1b[3'],
        ['text', 'é'],
      ],
    ],
    [
      'intermediates',
      '\x1b(B\x1b#8\x1b[1 q',
      [
        ['whole', '\x1b(B'],
        ['whole', '\x1b#8'],
        ['whole', '\x1b[1 q'],
      ],
    ],
    ['what waits for its end', 'a\x1b[3', [['text', 'a']]],
  ];
  for (const [what, input, pieces] of cases) {
    it(`reads ${what}, however it is cut`, () => {
      assert.deepEqual(scanned(input), pieces);
      assert.deepEqual(scanned(...input), pieces);
    });
  }

  it('loses nothing, and gives the same result however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(HOSTILE, { maxLength: 30 }), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (pieces, cuts) => {
        // A sequence that waits for its end is not compared.
        const text = `${pieces.join('')}\x18.`;
        const chunks: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const to = at + cuts[turn % cuts.length]!;
          chunks.push(text.slice(at, to));
          at = to;
        }
        const whole = scanned(text);
        assert.deepEqual(scanned(...chunks), whole);
        assert.equal(whole.map(([, raw]) => raw).join(''), text);
      }),
      { numRuns: 2000 },
    );
  });

  it('reports an overlong sequence in parts, without storing it', () => {
    const long = 'x'.repeat(70_000);
    assert.deepEqual(
      scanned(`\x1b]0;${long}`, long, 'y\x1b', '\\z').map(([extent, raw]) => [extent, raw.length]),
      [
        ['begun', 70_004],
        ['more', 70_000],
        ['more', 1],
        ['ended', 2],
        ['text', 1],
      ],
    );
  });

  it('parses a control sequence', () => {
    assert.deepEqual(controlSequence('\x1b[?25;1$h'), { prefix: '?', parameters: '25;1', intermediates: '$', final: 'h' });
    assert.deepEqual(controlSequence('\x9bm'), { prefix: '', parameters: '', intermediates: '', final: 'm' });
    assert.deepEqual(controlSequence('\x1b\n[3\r1m'), { prefix: '', parameters: '31', intermediates: '', final: 'm' });
    assert.deepEqual(innerControls('\x1b\n[3\r1m'), [10, 13]);
    assert.deepEqual(escapeSequence('\x1b(0'), { intermediates: '(', final: '0' });
    assert.deepEqual(escapeSequence('\x1b\r7'), { intermediates: '', final: '7' });
    for (const raw of ['\x1b]0;t\x07', '\x1bPq\x1b\\', '\x9d0\x07']) {
      assert.equal(controlSequence(raw), undefined);
      assert.equal(escapeSequence(raw), undefined);
    }
  });

  it('ends a text’s sequences where the scanner does, and removes them', () => {
    assert.equal(sequenceEnd('\x1b]0;t', 0), undefined);
    assert.equal(withoutSequences('\x1b]0;title\nnext\x1b[31m red\x1bPq\n\x1b\\.'), '\nnext red.');
    fc.assert(
      fc.property(fc.array(HOSTILE, { maxLength: 30 }), (pieces) => {
        const text = `${pieces.join('')}\x18.`;
        const found: string[] = [];
        someSequence(text, (start, end) => {
          found.push(text.slice(start, end));
          return false;
        });
        assert.deepEqual(
          found.filter((raw) => !/[\x18\x1a\x9c]$/.test(raw)),
          scanned(text)
            .filter(([extent, raw]) => extent !== 'text' && !/[\x18\x1a\x9c]$/.test(raw))
            .map(([, raw]) => raw),
        );
        // The rest may contain control characters, but starts no sequence, unless a line end interrupted it.
        assert.doesNotMatch(withoutSequences(text), /[\x1b\x90\x98\x9b\x9d-\x9f]/);
      }),
      { numRuns: 2000 },
    );
  });

  it('removes the same from bytes', () => {
    fc.assert(
      fc.property(fc.array(HOSTILE, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('').toWellFormed();
        const bytes = Buffer.from(new ByteStripper().push(Buffer.from(text))).toString();
        // Line ends are unified and control characters removed, because the other function treats them differently.
        const plain = (all: string): string => all.replace(/[\x00-\x08\x0d-\x1f\x7f-\x9f\n]/g, '');
        assert.equal(plain(bytes), plain(withoutSequences(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the only module that knows the syntax of sequences', () => {
    const root = path.resolve(__dirname, '../../../..');
    const spelled = /\\x9b|\\u009b|(?:\\x1b|\\u001b|\\e)(?:\)|\\+\[|\[[^?\d;mJHKhl]|\(\?)/;
    const others = ['src', 'webview'].flatMap((top) =>
      readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
        .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
        .filter((name) => /\.tsx?$/.test(name) && !/^(src\/text\/ansi|webview\/playground)\//.test(name))
        .filter((name) => spelled.test(readFileSync(path.join(root, name), 'utf8'))),
    );
    // These files need to know which sequences are refused, where a word begins after a color, and a sequence that erases a line, but not where a
    // sequence ends.
    assert.deepEqual(others.sort(), [
      'src/acp/redaction/secretShapes.ts',
      'src/application/export/anonymize.ts',
      'src/core/reduce/terminals.ts',
      'src/terminal/outputFilter.ts',
    ]);
  });
});
