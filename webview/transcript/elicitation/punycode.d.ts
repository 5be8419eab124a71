/** The used part of `punycode`, which has no types. */
declare module 'punycode/' {
  /** RFC 3492. @throws RangeError for invalid Punycode */
  export function decode(encoded: string): string;
}
