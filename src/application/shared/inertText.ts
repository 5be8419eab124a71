declare const INERT: unique symbol;

/**
 * Text without any active part, which `window.ts` accepts for VS Code's surfaces. Only the functions of `escape.ts` create it; `t()` is one of
 * them. Such texts stay inert when they are put together with `joined`, in any order: each is safe at both of its ends.
 */
export type InertText = string & { readonly [INERT]: true };
