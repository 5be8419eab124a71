declare const INERT: unique symbol;

/**
 * Text that does nothing but be read: what `window.ts` lets through to VS Code's surfaces. Only the functions of `escape.ts` make it; `t()` is one of
 * them. It stays so when such texts are put together with `joined`, in any order: each is safe at both of its ends.
 */
export type InertText = string & { readonly [INERT]: true };
