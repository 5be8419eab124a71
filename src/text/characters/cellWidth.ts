/** The width of a character in terminal cells, the same for a live terminal and for its text. */

/** The blocks that are East Asian Wide or Fullwidth as a whole (Unicode Annex 11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const NONE = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const FIRST_SPECIAL = 0xad;
const FIRST_COMBINING = 0x300;

/** Returns 0, 1 or 2. */
export function widthOf(codePoint: number): 0 | 1 | 2 {
  if (codePoint < FIRST_COMBINING) {
    return codePoint === FIRST_SPECIAL ? 0 : 1;
  }
  const character = String.fromCodePoint(codePoint);
  if (NONE.test(character)) {
    return 0;
  }
  return WIDE.test(character) ? 2 : 1;
}
