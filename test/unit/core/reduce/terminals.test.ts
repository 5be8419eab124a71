import assert from 'node:assert/strict';
import { EMPTY_STATE, TERMINAL_TAIL, type TerminalState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';

function after(texts: Iterable<string>): TerminalState {
  let state = EMPTY_STATE;
  for (const text of texts) {
    state = reduce(state, { type: 'terminal_output', terminalId: 't', text, at: 1 });
  }
  return state.terminals['t']!;
}

function* progress(frames: number, frame: (index: number) => string): Generator<string> {
  yield 'BEFORE\r\n';
  for (let index = 0; index < frames; index++) {
    yield frame(index);
  }
  yield '\r\nAFTER\r\n';
}

describe('the stored output of a terminal', () => {
  it('keeps the lines before hours of a progress line', () => {
    for (const frame of [
      (index: number) => `\r${String(index).padStart(6)}/50000 downloading`,
      (index: number) => `\r\x1b[K${index}/50000 ${'x'.repeat(index % 7)}`,
      (index: number) => `\r${index}/50000 ${'x'.repeat(index % 7)}\x1b[K`,
      (index: number) => `\r\x1b[2K${index}/50000 ${'x'.repeat(index % 7)}`,
    ]) {
      const { output, dropped } = after(progress(50_000, frame));
      assert.ok(output.startsWith('BEFORE\r\n'), output.slice(0, 80));
      assert.ok(/49999\/50000.*\r\nAFTER\r\n$/.test(output), output.slice(-80));
      assert.ok(output.length <= 2 * TERMINAL_TAIL);
      const all = [...progress(50_000, frame)].join('').length;
      assert.equal(output.length + dropped, all);
    }
  });

  it('keeps frames that are longer than the next one, and real lines', () => {
    const text = '\rlong text\rab\r\nline\r\n';
    const { output } = after([text, '\r\x1b[3mx'.repeat(TERMINAL_TAIL / 3), text]);
    assert.ok(output.endsWith(text));
  });
});
