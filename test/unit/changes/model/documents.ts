/** Text documents with VS Code's behavior: dirty or equal to the disk, and read again when the file of a clean one changes. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { statsOf } from './fileSteps';
import { bytesOf, lineOf, replacingLine, textOf, withLine } from './lines';
import type { EditorStep } from './steps';

/** Characters `[start, end)` of the text before become `text`. */
export interface DocumentEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface FakeDocument {
  readonly path: string;
  text: string;
  /** The text when the document last equaled the disk. */
  clean: string;
  isDirty: boolean;
}

export interface DocumentListener {
  opened(document: FakeDocument): void;
  closed(document: FakeDocument): unknown;
  /** @param isReload the text was read from the disk */
  changed(document: FakeDocument, before: string, edits: readonly DocumentEdit[], isReload: boolean): void;
  saved(document: FakeDocument): void;
}

/** The text that an editor shows for a file. Undefined for a folder, and for bytes that VS Code would not write back unchanged. */
export function shownText(file: string): string | undefined {
  try {
    return textIn(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** The bytes as text; undefined for binary and mixed contents. */
export function textIn(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  const returns = text.split('\r').length - 1;
  const crlf = text.split('\r\n').length - 1;
  const isUniform = returns === crlf && (crlf === 0 || crlf === text.split('\n').length - 1);
  return isUniform && !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined;
}

export class Documents {
  private readonly byPath = new Map<string, FakeDocument>();

  constructor(private readonly listener: DocumentListener) {}

  get all(): readonly FakeDocument[] {
    return [...this.byPath.values()];
  }

  get(path: string): FakeDocument | undefined {
    return this.byPath.get(path);
  }

  open(path: string): FakeDocument | undefined {
    const known = this.byPath.get(path);
    const text = known ? undefined : shownText(path);
    if (known || text === undefined) {
      return known;
    }
    const document = { path, text, clean: text, isDirty: false };
    this.byPath.set(path, document);
    this.listener.opened(document);
    return document;
  }

  /** Opens documents as they were in the window before. Those without unsaved text show the disk. */
  adopt(documents: readonly FakeDocument[]): void {
    for (const document of documents) {
      if (document.isDirty) {
        this.byPath.set(document.path, { ...document });
        this.listener.opened(document);
      } else {
        this.open(document.path);
      }
    }
  }

  close(path: string): void {
    const document = this.byPath.get(path);
    if (document && this.byPath.delete(path)) {
      this.listener.closed(document);
    }
  }

  /** True when saving writes the file at the document's path, without a link in between. */
  isAt({ path }: FakeDocument): boolean {
    return realOf(path) === path;
  }

  /** True for a file of which a document has unsaved changes. @param real its real path */
  isUnsaved(real: string): boolean {
    return this.all.some(({ path, isDirty }) => isDirty && (realOf(path) ?? path) === real);
  }

  /** Moves a document when its file was moved in the window. */
  moved(from: string, to: string): void {
    const document = this.byPath.get(from);
    if (document) {
      this.close(from);
      const moved = { ...document, path: to };
      this.byPath.set(to, moved);
      this.listener.opened(moved);
    }
  }

  /** Edits as the user or an extension does. The document is dirty afterwards. */
  edit(document: FakeDocument, edits: readonly DocumentEdit[]): void {
    const before = document.text;
    // VS Code reports the last position first.
    const ordered = [...edits].sort((one, other) => other.start - one.start);
    document.text = ordered.reduce((text, { start, end, text: written }) => text.slice(0, start) + written + text.slice(end), before);
    document.isDirty = true;
    this.listener.changed(document, before, ordered, false);
  }

  /** Saves for an extension. VS Code refuses this when the file was written behind the unsaved text. */
  saveUnlessNewer(document: FakeDocument): boolean {
    return (!document.isDirty || shownText(document.path) === document.clean) && this.save(document);
  }

  /** Overwrites the file on the disk, as after the user chooses Overwrite. */
  save(document: FakeDocument): boolean {
    const stats = statsOf(document.path);
    try {
      if (!document.isDirty || stats?.isDirectory()) {
        return !document.isDirty;
      }
      writeFileSync(document.path, bytesOf(document.text));
    } catch {
      return false;
    }
    document.isDirty = false;
    document.clean = document.text;
    this.listener.saved(document);
    return true;
  }

  /** Notices changes on the disk, as VS Code does: reads clean documents again, and closes those without a file. */
  reload(): void {
    for (const document of this.all.filter(({ isDirty }) => !isDirty)) {
      const text = shownText(document.path);
      if (text === undefined) {
        this.close(document.path);
      } else if (text !== document.text) {
        const before = document.text;
        document.text = text;
        document.clean = text;
        this.listener.changed(document, before, [lineEditBetween(before, text)], true);
      }
    }
  }

  /** A step of the user in the editor. */
  step(path: string, { do: what, at = 0, number }: EditorStep): boolean {
    if (what === 'reload') {
      this.reload();
      return true;
    }
    // A document opened by a link belongs to the file that the link points to.
    if (realOf(path) !== path) {
      return false;
    }
    const document = what === 'save' || what === 'close' ? this.get(path) : this.open(path);
    if (!document) {
      return false;
    }
    const line = lineOf('u', number, 'typed');
    switch (what) {
      case 'type':
        this.edit(document, [lineEditBetween(document.text, withLine(document.text, at, line))]);
        return true;
      case 'retype': {
        const text = replacingLine(document.text, at, line);
        return text !== undefined && (this.edit(document, [editBetween(document.text, text)]), true);
      }
      case 'save':
        return this.save(document);
      case 'close':
        // Closes without saving, as the user chooses in the dialog.
        this.close(path);
        return true;
      default:
        return true;
    }
  }
}

/** The path that a write at `path` reaches, like the product's `realPathOf`. A missing file is in the folder that its folder points to. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    const folder = statsOf(path) || path === dirname(path) ? undefined : realOf(dirname(path));
    return folder === undefined ? undefined : join(folder, basename(path));
  }
}

/** The bytes of a document's text, in the form in which the model reads files. */
export function bytesAsText({ text }: FakeDocument): string {
  return textOf(bytesOf(text));
}

/**
 * One edit from the first to the last line that differs, as VS Code reports a reload, and a line that is typed. A line above an equal beginning is an
 * insertion, and no edit of the line below.
 */
export function lineEditBetween(before: string, after: string): DocumentEdit {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, now.length);
  let above = 0;
  while (above < most && old[above] === now[above]) {
    above++;
  }
  let below = 0;
  while (below < most - above && old.at(-1 - below) === now.at(-1 - below)) {
    below++;
  }
  // Without an equal line below, the edit begins at the end of the line above.
  const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
  const start = Math.max(0, lengthOf(old.slice(0, above)) - Number(below === 0));
  const rest = Math.max(0, lengthOf(old.slice(old.length - below)) - 1);
  return { start, end: before.length - rest, text: after.slice(start, after.length - rest) };
}

/** One edit from the first to the last character that differs. */
export function editBetween(before: string, after: string): DocumentEdit {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start++;
  }
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) {
    end++;
  }
  return { start, end: before.length - end, text: after.slice(start, after.length - end) };
}
