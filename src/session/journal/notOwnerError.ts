/** Thrown when another extension host owns the session, so that this one must not write its files. */
export class NotOwnerError extends Error {
  constructor(key: string) {
    super(`Session ${key} is open in another window.`);
    this.name = 'NotOwnerError';
  }
}
