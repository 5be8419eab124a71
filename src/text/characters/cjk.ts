/** Full-width punctuation and brackets, and their half-width forms: a bare address ends before one. Pure. */
export const CJK_PUNCTUATION =
  /[\u2018-\u201f\u2026\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01\uff02\uff07-\uff09\uff0c\uff0e\uff1a-\uff1c\uff1e\uff1f\uff3b\uff3d\uff5b-\uff65]/;
