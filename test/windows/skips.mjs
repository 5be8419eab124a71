/** The tests that do not run under Wine, by reason. A title is the beginning of full titles; `*` is the whole file. */
export const skips = [];
