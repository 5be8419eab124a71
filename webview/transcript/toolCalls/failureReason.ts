/** Finds the reason of a failure in a tool's output, whose structure differs per agent. */

/** The depth to which nested errors are searched. */
const DEEPEST = 4;

/** Undefined when no field is clearly the reason. */
export function reasonIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') {
    return value.trim() === '' ? undefined : value;
  }
  if (typeof value !== 'object' || value === null || depth > DEEPEST) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return depth > 0 ? textsIn(value) : undefined;
  }
  for (const key of ['error', 'message', 'stderr', 'output', 'content']) {
    const reason = Object.hasOwn(value, key) ? reasonIn((value as Record<string, unknown>)[key], depth + 1) : undefined;
    if (reason !== undefined) {
      return reason;
    }
  }
  return undefined;
}

/** Text blocks, in the format of MCP tools. */
function textsIn(blocks: readonly unknown[]): string | undefined {
  const texts = blocks.map((block) =>
    typeof block === 'object' && block !== null && (block as { type?: unknown }).type === 'text'
      ? (block as { text?: unknown }).text
      : undefined,
  );
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('\n').trim() || undefined : undefined;
}
