/** Another extension host writes the session's files: this one must not. */
export class NotOwnerError extends Error {
  constructor(key: string) {
    super(`Session ${key} is open in another window.`);
    this.name = 'NotOwnerError';
  }
}
