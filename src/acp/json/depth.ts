/**
 * How deep a message may be nested. `JSON.parse` takes any depth, but whatever writes JSON again, the journal, the view's messages, calls itself for
 * each level and overflows the stack at a few thousand. No real message comes near.
 */
export const MAX_DEPTH = 500;

/** Stands for what lies deeper. */
const CUT = '…';

/** Puts {@link CUT} in the place of everything in `message`, the value of the JSON text `text`, that lies too deep. True when something did. */
export function cutDepth(message: unknown, text: string): boolean {
  // Each level takes two characters, so that nearly all messages are known to be in order by their length.
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
