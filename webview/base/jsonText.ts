/** Formats values from agents as text. */

export function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** True for a value without content. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') {
    return true;
  }
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Parses a large value that the host has sent separately: JSON, or a text unchanged. */
export function parsedBulk(text: string): unknown {
  try {
    return /^\s*[[{]/.test(text) ? (JSON.parse(text) as unknown) : text;
  } catch {
    return text;
  }
}
