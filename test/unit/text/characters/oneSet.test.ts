/** Invisible characters, and those with a special effect, are listed in one file. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  hasControls,
  hasLineBreak,
  withoutIgnorable,
  withoutLineBreaks,
  withoutReordering,
  withoutMisleading,
  withoutUndrawn,
  withoutUnseen,
} from '../../../../src/text/characters/characters';

const root = path.resolve(__dirname, '../../../..');
const HOME = 'src/text/characters/';
/** Soft hyphen, marks and zero widths, separators, embeddings, isolates, joiner, BOM, by number or literally; Unicode's properties; C0 with DEL. */
const SPELLED =
  /\\u(?:00ad|034f|061c|115f|180[b-f]|200[b-f]|202[89a-e]|206\w|fe0[0-9a-e]|feff|fff[0-9ab])|0xfeff\b|\\u\{e0|\\p\{(?:C[cf]?|Z[lp]|Default_Ignorable)|[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\\(?:u0000|x00|0)-\\(?:u001f|x1f)/;
/** Files in which such characters have another purpose. */
const OTHERS: Readonly<Record<string, string>> = {
  'src/core/elicitation/formats.ts': 'what RFC 3986 has no place for; core imports nothing',
  'src/core/mentions/tokens.ts': 'what no token has; core imports nothing',
  'src/util/commandLine.ts': 'what a shell’s line cannot hold; util imports core alone',
  'src/util/frames/frameReader.ts': 'what a decoder writes for bytes that are not UTF-8; util imports core alone',
};

describe('the set of dangerous characters', () => {
  it('is listed nowhere else', () => {
    const found = ['src', 'webview'].flatMap((top) =>
      readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
        .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
        .filter((name) => /\.tsx?$/.test(name) && !name.startsWith(HOME) && !name.startsWith('webview/playground/'))
        .filter((name) => SPELLED.test(readFileSync(path.join(root, name), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, ''))),
    );
    assert.deepEqual(found.sort(), Object.keys(OTHERS).sort());
    assert.ok(SPELLED.test('\\u202e') && SPELLED.test('\u2066') && SPELLED.test('[\\x00-\\x1f]'), 'would see one');
  });

  it('includes each kind of them', () => {
    const show = (character: string): string => `<${character.codePointAt(0)!.toString(16)}>`;
    assert.equal(withoutMisleading('a\u202eb\u0007c\td\u200b', show), 'a<202e>b<7>c\td\u200b');
    assert.equal(withoutUnseen('a\u200bb\u2066c\ufe0f👩\u200d🚀é\u200dy', show), 'a<200b>b<2066>c\ufe0f👩\u200d🚀é\u200dy');
    assert.equal(withoutUnseen('1\u200d2', show), '1<200d>2');
    assert.equal(withoutReordering('a\u202e\u001b[m\u{e0041}', show), 'a<202e>\u001b[m<e0041>');
    assert.equal(withoutUndrawn('a\u200b\u0000b\u2028c', '_'), 'a_b_c');
    assert.equal(withoutIgnorable('a\u200b\u00adb\u3164'), 'ab');
    assert.equal(withoutLineBreaks('a\r\nb\u2028c', '|'), 'a|b|c');
    assert.deepEqual(['a\tb', 'a\u007f', 'a b'].map(hasControls), [true, true, false]);
    assert.deepEqual(['a\u0085b', 'a\vb', 'ab'].map(hasLineBreak), [true, true, false]);
  });
});
