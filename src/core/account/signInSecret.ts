/** A secret that the user enters to sign in, and that is sent with `authenticate`. */
export type SignInSecret =
  | { readonly key: string; readonly provider?: string }
  | { readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> };
