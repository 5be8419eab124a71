/**
 * A page shows one session after the other. Each showing has a number, told by `session` and carried by every message from there on, both ways:
 * what was under way for an earlier showing is known by it, whatever it is and however late it comes.
 */
export type OfGeneration<M> = M & { readonly generation: number };

/** Undefined for a message that belongs to no showing: of the page as such, or not ours. */
export function generationOf(message: unknown): number | undefined {
  const generation = typeof message === 'object' && message !== null ? (message as { generation?: unknown }).generation : undefined;
  return Number.isSafeInteger(generation) ? (generation as number) : undefined;
}
