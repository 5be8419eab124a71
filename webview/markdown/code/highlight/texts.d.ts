/** Modules whose default export is a text or bytes. `build/texts.mjs` creates them. */
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

declare module 'style:*' {
  /** A style sheet. */
  const text: string;
  export default text;
}

declare module 'font:*' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
