/** Modules whose default export is a text; `build/texts.mjs` makes them. */
declare module 'grammar:*' {
  /** A TextMate grammar as JSON. */
  const text: string;
  export default text;
}

declare module 'worker:*' {
  /** The source of a worker. */
  const text: string;
  export default text;
}
