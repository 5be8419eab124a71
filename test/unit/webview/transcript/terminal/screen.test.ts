import assert from 'node:assert/strict';
import { Terminal } from '@xterm/xterm';
import fc from 'fast-check';
import { widthOf } from '../../../../../src/text/characters/cellWidth';
import { outputLines, plainLines, Screen } from '../../../../../webview/transcript/terminal/screen';

const SIZE = { columns: 12, rows: 5 };

/** The final text of the real terminal, including scrolled lines. */
async function real(output: readonly string[], { columns, rows } = SIZE): Promise<string> {
  const terminal = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  for (const piece of output) {
    await new Promise<void>((resolve) => terminal.write(piece, resolve));
  }
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let y = 0; y < active.length; y++) {
    const line = active.getLine(y)!;
    const goesOn = active.getLine(y + 1)?.isWrapped === true;
    // A wide character had no room at the end.
    const roomLeft =
      goesOn &&
      active
        .getLine(y + 1)!
        .getCell(0)!
        .getWidth() === 2 &&
      line.getCell(columns - 1)!.getChars() === '' &&
      line.getCell(columns - 1)!.getWidth() === 1;
    const text = line.translateToString(!goesOn).slice(0, roomLeft ? -1 : undefined);
    if (line.isWrapped && lines.length > 0) {
      lines.push(lines.pop()! + text);
    } else {
      lines.push(text);
    }
  }
  terminal.dispose();
  return lines.join('\n');
}

function ours(output: readonly string[], { columns, rows } = SIZE): string {
  const screen = new Screen({ columns, rows, convertEol: false });
  for (const piece of output) {
    screen.write(piece);
  }
  return plainLines(screen.lines().lines);
}

/** Spaces at a line's end are invisible. */
const seen = (text: string) => text.replace(/[ ]+$/gm, '').trimEnd();

describe('the text of a terminal', () => {
  const csi = fc
    .tuple(
      fc.constantFrom(...'ABCDEFGHIJKLMPSTXZ`abdefrsu@', 'J', 'K', 'H'),
      fc.array(fc.constantFrom('', '0', '1', '2', '3', '4', '7', '20'), { maxLength: 2 }),
    )
    .map(([final, parameters]) => `\x1b[${final === 's' || final === 'u' ? '' : parameters.join(';')}${final}`);
  const piece = fc.oneof(
    fc.stringMatching(/^[a-z ]{1,9}$/),
    fc.stringMatching(/^[a-z]{10,30}$/),
    fc.constantFrom('\r\n', '\r\n', '\n', '\r', '\b', '\t', '漢字', 'é', 'e\u0301'),
    csi,
    fc.constantFrom(
      '\x1b7',
      '\x1b8',
      '\x1bD',
      '\x1bE',
      '\x1bM',
      '\x1bc',
      '\x1b[!p',
      '\x1b[?7l',
      '\x1b[?7h',
      '\x1b[?6h',
      '\x1b[?6l',
      '\x1b[4h',
      '\x1b[4l',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[?47h',
      '\x1b[?1047l',
      '\x1b(0',
      '\x1b(B',
      '\x0e',
      '\x0f',
      '\x1b[31m',
      '\x1b[0m',
      '\x1b]0;t\x07',
      '\x1bPx\x1b\\',
      '\x1b[5b',
    ),
  );

  it('is the final text of the real terminal, whatever is written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 25 }), async (pieces) => {
        // The real terminal keeps half of a wide character at the end of a line that does not wrap.
        fc.pre(!(pieces.includes('漢字') && pieces.includes('\x1b[?7l')));
        // The real terminal fails at this sequence in its last cell.
        fc.pre(!pieces.some((each) => /\[1[;\d]*J$/.test(each)));
        const [shown, expected] = [ours(pieces), await real(pieces)];
        // After rows were moved, it is undefined which of them belong to one line.
        if (pieces.some((each) => /[LMSTr]$/.test(each))) {
          assert.equal(shown.replace(/\s/g, ''), expected.replace(/\s/g, ''));
        } else {
          assert.equal(seen(shown), seen(expected));
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 300) },
    );
  });
  void widthOf;

  describe('with excessive sequences', function () {
    this.timeout(20_000);
    const ASKING: Readonly<Record<string, string>> = {
      'letters repeated': 'a\x1b[9999b'.repeat(12_500),
      'a heap of accents repeated': `a${'\u0301'.repeat(20_000)}\x1b[9999b`,
      'moves to the right': '\x1b[9999C'.repeat(12_500) + 'x',
      'letters far to the right': 'x\x1b[10000C'.repeat(8000),
      'columns far to the right': '\x1b[10000Gx\n'.repeat(2000),
      'space put in': 'x\r\x1b[10000@'.repeat(8000),
      'letters put in': `\x1b[4h${'x\r'.repeat(40_000)}`,
      'a long row on both screens': 'x'.repeat(50_000) + '\x1b[?1049hx\x1b[?1049l'.repeat(3000),
    };
    for (const [name, output] of Object.entries(ASKING)) {
      it(`takes little time and memory: ${name}`, () => {
        const screen = new Screen();
        screen.write(output);
        for (const lines of [outputLines(output), screen.lines().lines]) {
          assert.ok(plainLines(lines).length < 2_000_000, String(plainLines(lines).length));
        }
      });
    }

    it('shows all of an output without a terminal, however long it is', () => {
      const output = Array.from({ length: 20_000 }, (_, index) => `line ${index} ${'x'.repeat(50)}`).join('\n');
      assert.equal(plainLines(outputLines(output)), output);
    });

    it('keeps a long row in place when the cursor moves in it', () => {
      assert.equal(plainLines(outputLines(`${'x'.repeat(3000)}\x1b[2Cy\x1b[3000Dz`)), `x${'z'.padEnd(1)}${'x'.repeat(2998)}y`);
    });
  });
});
