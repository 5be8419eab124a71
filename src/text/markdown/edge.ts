/** Separates unrelated texts in a plain text. It is longer than any white space that a blank in a query matches. */
export const EDGE = '\n\n';
