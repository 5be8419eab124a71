/** What VS Code keeps of a page over a reload of the window. */

/** What a restored panel's state holds, among what the view keeps itself. */
export interface PageState {
  readonly sessionKey: string;
}

/** The key of the session that a kept state belongs to. It comes from storage, so from `unknown`. */
export function sessionKeyOf(state: unknown): string | undefined {
  const key = typeof state === 'object' && state !== null ? (state as Partial<PageState>).sessionKey : undefined;
  return typeof key === 'string' && /^[a-z0-9-]{1,100}$/.test(key) ? key : undefined;
}
