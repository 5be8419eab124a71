/** Any Unicode character, for random texts. fast-check's own arbitrary lists all of them first, which takes seconds. */
import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((code) => String.fromCodePoint(code < SURROGATES.first ? code : code + SURROGATES.count));
