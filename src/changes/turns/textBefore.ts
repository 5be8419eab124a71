/** Texts of files in a turn: the text of bytes, and the earlier text by the changes that the agent reported. Pure. */

/** A change in ACP's form. `oldText` is null when the file did not exist. */
export interface ReportedChange {
  readonly oldText: string | null;
  readonly newText: string;
}

/** Returns `null` when the file did not exist, and undefined when the changes lead back to no text, or to several. */
export function textBefore(present: string, reported: readonly ReportedChange[]): string | null | undefined {
  let text: string | null = present;
  for (const { oldText, newText } of [...reported].reverse()) {
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

/** Returns undefined for bytes that are not UTF-8, and for binary files. */
export function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.includes(0)) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
