/** A secret that the user entered to sign in. */
export type EnteredSecret =
  | { readonly key: string; readonly provider?: string }
  | { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> };

/** The same for the agent. */
export interface SignInSecret {
  /** The `_meta` of `authenticate`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The secret values by any name, which are removed from logs and failures. */
  readonly values: Readonly<Record<string, string>>;
}
