/** Texts of files in a turn: the text of bytes, and the earlier text by the changes that the agent reported. Pure. */

/** A change in ACP's form. `oldText` is null when the file did not exist. */
export interface ReportedChange {
  readonly oldText: string | null;
  readonly newText: string;
}

/** Returns `null` when the file did not exist, and undefined when the changes lead back to no text, or to several. */
export function textBefore(present: string, reported: readonly ReportedChange[]): string | null | undefined {
  let [earlier, steps]: [string | null, number] = [present, 0];
  for (const text of textsBefore(present, reported)) {
    [earlier, steps] = [text, steps + 1];
  }
  return steps === reported.length ? earlier : undefined;
}

/** Yields the texts before the last change, before the last two, and so on, while the changes lead back to one text. `null`: no file. */
export function* textsBefore(present: string, reported: readonly ReportedChange[]): Generator<string | null> {
  let later: string | null = present;
  for (const change of reported.toReversed()) {
    const text: string | null | undefined = later === null ? undefined : textBeforeOne(later, change);
    if (text === undefined) {
      return;
    }
    yield text;
    later = text;
  }
}

function textBeforeOne(text: string, { oldText, newText }: ReportedChange): string | null | undefined {
  if (text === newText) {
    return oldText;
  }
  const at = newText === '' ? -1 : text.indexOf(newText);
  const isClear = at >= 0 && oldText !== null && !text.includes(newText, at + 1);
  return isClear ? text.slice(0, at) + oldText + text.slice(at + newText.length) : undefined;
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
