/** Decides whether the text beside the files of a paste or a drop is taken in their place. */
import { withoutUndrawn } from '../../../src/text/characters/characters';

/** The data of a paste or a drop, read during its event. */
export interface Transferred {
  readonly files: readonly File[];
  /** The plain text; empty when there is none. */
  readonly text: string;
  readonly html: string;
}

/**
 * Returns the text that is taken in place of the files beside it; undefined where the files are taken. Spreadsheets and word processors put a picture of the
 * copied text beside it. File managers put the path or the name of a file there, and browsers the address of a picture.
 */
export function textBeside({ files, text, html }: Transferred): string | undefined {
  const isVisible = withoutUndrawn(text, '').trim() !== '';
  if (!isVisible || !files.every(({ type }) => type.startsWith('image/'))) {
    return undefined;
  }
  const lines = text.split(/\r\n|[\r\n\0]/).filter((line) => line.trim() !== '');
  const names = files.map(({ name }) => name.normalize());
  const areFiles = lines.every((line) => names.includes(lastName(line)));
  const isAddress = lines.length === 1 && URL.canParse(text.trim()) && isPictureAlone(html);
  return areFiles || isAddress ? undefined : text;
}

/** The name at the end of a path or of a file's address. */
function lastName(line: string): string {
  const path = line.trim().replace(/^"(.*)"$/, '$1');
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  try {
    return (/^file:/i.test(path) ? decodeURIComponent(name) : name).normalize();
  } catch {
    return name.normalize();
  }
}

/** True for markup with a picture and no text. */
function isPictureAlone(html: string): boolean {
  const shown = html.replace(/<!--[\s\S]*?-->|<(style|script|title)\b[\s\S]*?<\/\1\s*>|<[^>]*>/gi, '');
  return /<img\b/i.test(html) && shown.trim() === '';
}
