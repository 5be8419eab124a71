import assert from 'node:assert/strict';
import { cut, inertLine } from '../../../../src/application/shared/escape';

describe('escaped text', () => {
  it('keeps ordinary text of any script', () => {
    for (const text of ['npm run build', 'Grüße, 你好', 'שלום', 'می‌خواهم', 'क्‍ष', '👩‍💻 done ✔️', 'a$b (c) $ (d) ${e}']) {
      assert.equal(inertLine(text), text);
    }
  });

  it('draws no icon', () => {
    for (const text of ['$(check) Allow', '\\$(check)', '$$(check)', '$($(x))', '$\u200b(check)']) {
      assert.doesNotMatch(inertLine(text), /\$\(/);
      assert.match(inertLine(text).replaceAll('\u2060', ''), /check|x/, 'the words stay');
    }
  });

  it('shows control characters instead of executing them', () => {
    assert.equal(inertLine('a\u0000b\u001b[31mc\u007fd\u0085e'), 'a␀b␛[31mc␡d‹U+0085›e');
    assert.equal(inertLine('one\r\ntwo\nthree\u2028four'), 'one⏎two⏎three⏎four');
    assert.equal(inertLine('\ta\tb '), 'a b');
  });

  it('shows characters that would reorder or hide text', () => {
    assert.equal(inertLine('safe\u202egnp.exe'), 'safe‹U+202E›gnp.exe');
    assert.equal(inertLine('a\u2066b\u200fc\u00add\ufeffe'), 'a‹U+2066›b‹U+200F›c‹U+00AD›d‹U+FEFF›e');
    assert.equal(inertLine('a\u{e0041}b'), 'a‹U+E0041›b');
    assert.equal(inertLine('rm\u200d -rf \u200c/'), 'rm‹U+200D› -rf ‹U+200C›/');
    assert.equal(inertLine('é\u200d\u200d\u200dx'), 'é\u200d‹U+200D›‹U+200D›x', 'no row of joiners');
  });

  it('repairs lone surrogates', () => {
    assert.equal(inertLine('a\ud800b'), 'a\ufffdb');
  });

  it('cuts the middle, shows its length, and keeps both ends', () => {
    const text = `rm ${'x'.repeat(5_000)} /important`;
    const short = inertLine(text, 100);
    assert.ok(short.startsWith('rm xxx') && short.endsWith('/important'), short);
    const dropped = Number(/\(\+(\d+)\)/.exec(short)![1]);
    assert.equal(dropped, text.length - 100);
    assert.equal(cut('short', 5), 'short');
  });

  it('never shows a sign that is longer than the text that it replaces', () => {
    const name = "Yes, and don't ask again for node test/format.test.js commands";
    assert.equal(cut(name, 60), name);
    for (let length = 60; length < 400; length++) {
      const short = cut('x'.repeat(length), 60);
      assert.ok(short.length <= length && short.length <= 72, `${length}: ${short}`);
    }
  });

  it('never cuts inside a character', () => {
    const text = '😀'.repeat(50);
    for (let max = 4; max < 40; max++) {
      assert.ok(cut(text, max).isWellFormed(), `max ${max}`);
    }
  });

  it('is always limited', () => {
    assert.ok(inertLine('\u200b'.repeat(1_000_000), 100).length < 1_000);
  });
});
