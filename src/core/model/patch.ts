/** Three-state patches, ACP v2's rule for updates: an omitted field keeps its value, `null` clears it, a value sets it. */

export type Patch<T> = { readonly [K in keyof T]?: T[K] | null };

/**
 * Returns `target` with `patch` applied; the same reference when nothing changed. A cleared field is absent afterwards. Only the patch's own keys are
 * read, and `undefined` counts as omitted.
 */
export function applyPatch<T extends object>(target: T, patch: Patch<T>): T {
  let result: Record<string, unknown> | undefined;
  for (const key of Object.keys(patch) as (keyof T & string)[]) {
    const value = patch[key] as unknown;
    if (value === undefined) {
      continue;
    }
    if (value === null) {
      if (target[key] !== undefined) {
        result ??= { ...(target as Record<string, unknown>) };
        delete result[key];
      }
    } else if (value !== target[key]) {
      result ??= { ...(target as Record<string, unknown>) };
      result[key] = value;
    }
  }
  return (result as T | undefined) ?? target;
}
