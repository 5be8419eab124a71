/** Long texts in a quick pick, which cuts a line at its width of at most 600 px. Pure. */

/** The characters that fit in a line. */
const WIDTH = 80;

/** Returns the first sentence for the line of the label, and the rest for the line below. A single sentence is below. */
export function modeLines(text: string): { readonly description?: string; readonly detail: string } {
  const end = text.search(/[.!?。]\s/);
  return end < 0 ? { detail: text } : { description: text.slice(0, end + 1), detail: text.slice(end + 1).trim() };
}

/** Returns the text in rows of one or two lines, wrapped between words. */
export function rowsOf(text: string): readonly (readonly [string, string?])[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  const rows: (readonly [string, string?])[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const [first = '', second] = lines.slice(at, at + 2);
    rows.push(second === undefined ? [first] : [first, second]);
  }
  return rows;
}
