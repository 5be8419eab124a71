import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lastLines, sgrLines } from '../../../webview/transcript/sgr';

const plain = (output: string) => sgrLines(output).map((line) => line.map((run) => run.text).join(''));

describe('terminal output', () => {
  it('keeps colours', () => {
    const [line] = sgrLines('\x1b[1;31mbold red\x1b[22m red\x1b[0m plain \x1b[94;43mbright\x1b[39;49m');
    assert.deepEqual(
      line!.map(({ text, classes }) => [text, classes]),
      [['bold red', 'sgr-bold sgr-fg-1'], [' red', 'sgr-fg-1'], [' plain ', ''], ['bright', 'sgr-fg-12 sgr-bg-3']],
    );
  });

  it('knows 256 and true colours', () => {
    const [line] = sgrLines('\x1b[38;5;196ma\x1b[48;5;244mb\x1b[38;2;1;2;300mc\x1b[38;5;3md');
    assert.deepEqual(line!.map((run) => run.foreground), ['#ff0000', '#ff0000', '#0102ff', undefined]);
    assert.equal(line![1]!.background, '#808080');
    assert.equal(line![3]!.classes, 'sgr-fg-3');
  });

  it('drops every other sequence', () => {
    assert.deepEqual(plain('\x1b[2J\x1b[H\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b[?25lc\x1b(B\x1bPq#0\x1b\\d\x1b=e\x07'), ['abcde']);
  });

  it('overwrites a line after a carriage return', () => {
    assert.deepEqual(plain('10%\r50%\r100%\r\nok\r\n'), ['100%', 'ok', '']);
    assert.deepEqual(plain('ab\bc'), ['ac']);
  });

  it('never shows an escape, whatever comes', () => {
    const piece = fc.constantFrom('\x1b', '[', ']', '31', ';', 'm', '\r', '\n', '\b', 'x', '\x07', '\x9b', '\\', 'P', '?', '\x1b[0m');
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => plain(pieces.join('')).every((line) => !/[\x1b\r\n\b]/.test(line))));
  });

  it('finds the last lines', () => {
    assert.deepEqual(lastLines('a\nb\nc\n', 2), { text: 'b\nc\n', cut: true });
    assert.deepEqual(lastLines('a\nb', 5), { text: 'a\nb', cut: false });
    assert.deepEqual(lastLines('', 5), { text: '', cut: false });
  });
});
