/** The subagents that reported changes of a file. */

interface Reported {
  readonly subagents?: readonly string[] | undefined;
}

/** Returns the subagents of both, each once, as the field of a file; without the field when there are none. */
export function withSubagents(one: Reported | undefined, other: Reported | undefined): { readonly subagents?: string[] } {
  const subagents = [...new Set([...(one?.subagents ?? []), ...(other?.subagents ?? [])])];
  return subagents.length === 0 ? {} : { subagents };
}
