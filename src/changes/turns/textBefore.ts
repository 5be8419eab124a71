/** Works out a file's earlier text from its present text and the changes that the agent reported. Pure. */

/** A change in ACP's form: with `null` there was no file. */
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
