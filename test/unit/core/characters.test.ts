import assert from 'node:assert/strict';
import { numberOf, withoutTricks, withoutUnseen } from '../../../src/core/characters';
import { visible } from '../../../src/workbench/escape';
import { allVisible } from '../../../webview/markdown/bidi';

/** Every code point, those of surrogates apart. */
function* all(): Iterable<string> {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code < 0xd800 || code > 0xdfff) {
      yield String.fromCodePoint(code);
    }
  }
}

const shown = (text: string): boolean => withoutUnseen(text, () => '!') === '!';

describe('characters that are not seen', () => {
  it('are all that Unicode calls default-ignorable, but what emoji and scripts are written with', () => {
    const kept: string[] = [];
    for (const character of all()) {
      if (/\p{Default_Ignorable_Code_Point}/u.test(character) && !shown(character)) {
        kept.push(numberOf(character));
      }
    }
    assert.deepEqual(kept, ['U+FE0F']);
  });

  it('are all controls but tab and line breaks, and all that set a direction', () => {
    for (const character of all()) {
      if (/[\p{Cc}\p{Bidi_Control}]/u.test(character)) {
        assert.equal(withoutTricks(character, () => '!'), /[\t\n\r]/.test(character) ? character : '!', numberOf(character));
      }
    }
  });

  it('are the same in VS Code’s surfaces and in the page', () => {
    for (const character of all()) {
      const inWorkbench = visible(`a${character}b`).includes('‹U+') || /[␀-␡]/.test(visible(`a${character}b`));
      const inPage = allVisible(`a${character}b`).includes('⟨U+');
      const isBreak = /[\n\r\u2028\u2029\t␀-␡]/.test(character);
      assert.ok(isBreak || inWorkbench === inPage, numberOf(character));
    }
  });

  it('leave the scripts and emoji that need joiners alone', () => {
    for (const text of ['می‌خواهم', 'क्‍ष', '👩‍💻 ✔️', 'a\tb\r\nc']) {
      assert.equal(withoutUnseen(text, () => '!'), text);
    }
  });

  it('hide no joiner behind another that is not seen', () => {
    for (const hidden of ['\u034f', '\u115f', '\u3164', '\ufe00', '\u180b', 'x']) {
      assert.ok(withoutUnseen(`${hidden}\u200d`, () => '!').endsWith('!'), numberOf(hidden));
    }
  });
});
