import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recentOutput } from '../../../../../webview/transcript/terminal/outputTail';
import { outputLines, plainLines } from '../../../../../webview/transcript/terminal/screen';

const plain = (output: string) => outputLines(output).map((line) => line.map((run) => run.text).join(''));

describe('terminal output', () => {
  it('keeps colors', () => {
    const [line] = outputLines('\x1b[1;31mbold red\x1b[22m red\x1b[0m plain \x1b[94;43mbright\x1b[39;49m');
    assert.deepEqual(
      line!.map(({ text, classes }) => [text, classes]),
      [
        ['bold red', 'sgr-bold sgr-fg-1'],
        [' red', 'sgr-fg-1'],
        [' plain ', ''],
        ['bright', 'sgr-fg-12 sgr-bg-3'],
      ],
    );
  });

  it('supports 256 and true colors', () => {
    const [line] = outputLines('\x1b[38;5;196ma\x1b[48;5;244mb\x1b[38;2;1;2;300mc\x1b[38;5;3md');
    assert.deepEqual(
      line!.map((run) => run.foreground),
      ['#ff0000', '#ff0000', '#0102ff', undefined],
    );
    assert.equal(line![1]!.background, '#808080');
    assert.equal(line![3]!.classes, 'sgr-fg-3');
  });

  it('drops every other sequence', () => {
    assert.deepEqual(plain('\x1b[2J\x1b[H\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b[?25lc\x1b(B\x1bPq#0\x1b\\d\x1b=e\x07'), ['abcde']);
  });

  it('overwrites a line after a carriage return', () => {
    assert.deepEqual(plain('10%\r50%\r100%\r\nok\r\n'), ['100%', 'ok']);
    assert.deepEqual(plain('ab\bc'), ['ac']);
  });

  it('never shows an escape sequence, whatever the input', () => {
    const piece = fc.constantFrom('\x1b', '[', ']', '31', ';', 'm', '\r', '\n', '\b', 'x', '\x07', '\x9b', '\\', 'P', '?', '\x1b[0m');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => plain(pieces.join('')).every((line) => !/[\x1b\r\n\b]/.test(line))),
    );
  });

  it('reads only the end of a long output, in its colors', () => {
    const line = `${'x'.repeat(99)}\r\n`;
    const long = `\x1b[31mred\x1b[0m\x1b[32m\x1b[1m${line.repeat(300)}`;
    const { text, cut } = recentOutput(long, 10);
    assert.equal(cut, true);
    assert.equal(text, `\x1b[0m\x1b[32m\x1b[1m${line.repeat(10)}`);
    assert.deepEqual(outputLines(text), outputLines(long).slice(-10));
    assert.equal(recentOutput(`${long}\x1b[?25h`, 10).cut, true);
    for (const move of ['\x1b[2A', '\x1b[H', '\x1b[2J', '\x1b[?1049h', '\x1bM', '\x1b8', '\x8d', '\x9b2A']) {
      assert.deepEqual(recentOutput(long + move, 10), { text: long + move, cut: false });
    }
    assert.deepEqual(recentOutput('a\nb\nc', 1), { text: 'a\nb\nc', cut: false });
    assert.deepEqual(recentOutput('x'.repeat(99_999), 1).cut, false);
  });

  it('is the same text when copied', () => {
    assert.equal(plainLines(outputLines('\x1b[31ma\x1b[0m\r\n\r\nb\r\n')), 'a\n\nb');
  });
});
