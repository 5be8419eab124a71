/** The state of a page that VS Code keeps over a reload of the window. */

/** Our part of a restored panel's state, next to the view's own. */
export interface PageState {
  readonly sessionKey: string;
}

/** Returns the key of the session in a stored state, which is untrusted. */
export function sessionKeyOf(state: unknown): string | undefined {
  const key = typeof state === 'object' && state !== null ? (state as Partial<PageState>).sessionKey : undefined;
  return typeof key === 'string' && /^[a-z0-9-]{1,100}$/.test(key) ? key : undefined;
}
