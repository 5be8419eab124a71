/** The part of `punycode` that is used; it brings no types. */
declare module 'punycode/' {
  /** RFC 3492. @throws RangeError for what is no Punycode */
  export function decode(encoded: string): string;
}
