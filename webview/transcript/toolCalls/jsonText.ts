/** Values of agents as text. */

export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** It says nothing. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') {
    return true;
  }
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** What the host sends of a value that stayed there: the JSON of a value, and a text as it is. */
export function parsedBulk(text: string): unknown {
  try {
    return /^\s*[[{]/.test(text) ? (JSON.parse(text) as unknown) : text;
  } catch {
    return text;
  }
}
