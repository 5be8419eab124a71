/** Decides what of a paste or a drop on the composer is taken: its files, addresses for the host, or its text. */

/** The files of a paste or drop; empty for plain text, which the text area takes itself. */
export function filesOf(transfer: DataTransfer | null): File[] {
  return transfer ? [...transfer.files] : [];
}

/** Addresses of files dragged from VS Code's own views. They are the host's to read. Addresses of the web are text. */
export function urisOf(transfer: DataTransfer | null): string[] {
  const list = transfer?.getData('application/vnd.code.uri-list') || transfer?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#') && !/^(?:https?|mailto|data|blob):/i.test(line));
}

/**
 * Returns the text that is taken in place of the files beside it; undefined where the files are taken. Spreadsheets and word processors put a picture of the
 * copied text beside it. File managers put the path or the name of a file there, and browsers the address of a picture.
 */
export function textBeside(transfer: DataTransfer | null, files: readonly File[]): string | undefined {
  const text = transfer?.getData('text/plain') ?? '';
  const isVisible = /[^\p{White_Space}\p{Cf}\p{Cc}]/u.test(text);
  if (!isVisible || !files.every(({ type }) => type.startsWith('image/'))) {
    return undefined;
  }
  const lines = text.split(/\r\n|[\r\n\0]/).filter((line) => line.trim() !== '');
  const names = files.map(({ name }) => name.normalize());
  const areFiles = lines.every((line) => names.includes(lastName(line)));
  const isAddress = lines.length === 1 && URL.canParse(text.trim()) && isPictureAlone(transfer?.getData('text/html') ?? '');
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
