/**
 * Limits the nesting depth of messages. `JSON.parse` accepts any depth. Code that writes the JSON again (the journal, the view's messages) is
 * recursive and overflows the stack at a few thousand levels. No real message comes near.
 */
export const MAX_DEPTH = 500;

/** Replaces values that are nested more deeply. */
const CUT = '…';

/** Replaces all too deeply nested values in `message`, the value of the JSON text `text`, by {@link CUT}. Returns true when there were any. */
export function cutDepth(message: unknown, text: string): boolean {
  // Each level takes two characters, so the length shows for nearly all messages that they are not too deep.
  return text.length > 2 * MAX_DEPTH && cut(message, MAX_DEPTH);
}

function cut(value: unknown, levels: number): boolean {
  let found = false;
  if (Array.isArray(value)) {
    const items = value as unknown[];
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (typeof item === 'object' && item !== null) {
        if (levels === 1) {
          items[index] = CUT;
          found = true;
        } else if (cut(item, levels - 1)) {
          found = true;
        }
      }
    }
  } else if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    for (const key in fields) {
      const item = fields[key];
      if (typeof item === 'object' && item !== null) {
        if (levels === 1) {
          fields[key] = CUT;
          found = true;
        } else if (cut(item, levels - 1)) {
          found = true;
        }
      }
    }
  }
  return found;
}
