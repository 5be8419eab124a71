/** What a file was before the changes that an agent has told of it, worked out backwards from what it is now. Pure. */

/** As of ACP's diff: `null`, there was no file. */
export interface ReportedChange {
  readonly oldText: string | null;
  readonly newText: string;
}

/** `null`: there was no file; undefined: the changes do not lead back, or not to one text only. */
export function textBefore(present: string, told: readonly ReportedChange[]): string | null | undefined {
  let text: string | null = present;
  for (const { oldText, newText } of [...told].reverse()) {
    if (text === null) {
      return undefined;
    }
    if (text === newText) {
      text = oldText;
      continue;
    }
    const at: number = newText === '' ? -1 : text.indexOf(newText);
    if (at < 0 || oldText === null || text.includes(newText, at + 1)) {
      return undefined;
    }
    text = text.slice(0, at) + oldText + text.slice(at + newText.length);
  }
  return text;
}
