/**
 * A page shows one session after another. `session` begins a generation, and every later message in both directions carries its number. Late messages
 * that belong to an earlier session are recognized by it.
 */
export type OfGeneration<M> = M & { readonly generation: number };

/** Returns the generation of a message; undefined for a message about the page itself, and for one that is not ours. */
export function generationOf(message: unknown): number | undefined {
  const generation = typeof message === 'object' && message !== null ? (message as { generation?: unknown }).generation : undefined;
  return Number.isSafeInteger(generation) ? (generation as number) : undefined;
}
