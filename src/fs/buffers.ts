import type { Eol } from '../util/text';

/** A replacement of the characters `[start, end)` of a text, in UTF-16 units, by `text`. Lists of edits are sorted and do not overlap. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text document that the editor has open, visible or not. The fields are getters: their values change at any time. */
export interface OpenBuffer {
  /** The current text, including unsaved changes, with its line endings. */
  readonly text: string;
  readonly eol: Eol;
  /** Increases with every change. */
  readonly version: number;
  readonly dirty: boolean;
  /** True when the editor does not let the user change the document. */
  readonly readOnly: boolean;
  /**
   * Applies `edits`, which refer to the text of version `expectedVersion`, as one undo step. Resolves to false when the text has changed since,
   * the document was closed, or the editor refused; then nothing was changed.
   */
  edit(edits: readonly TextEdit[], expectedVersion: number): Promise<boolean>;
  /** Saves the document, with save participants. Resolves to false when that failed. */
  save(): Promise<boolean>;
  /** Resolves to true when the file differs from what the document was loaded from or saved to. False when the file no longer exists. */
  isStale(): Promise<boolean>;
  /**
   * Resolves to the reason why saving `text` would damage it or the file. `characters`: the document's encoding lacks some of them. `bytes`: bytes
   * of the file that could not be decoded would be replaced.
   */
  damage(text: string): Promise<Damage | undefined>;
}

export type Damage = 'characters' | 'bytes';

/** A file that is not open, as it was read. */
export interface StoredFile {
  /** The decoded text, without a byte order mark, with its line endings. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Documents and files, always named by their real path. Implemented by `workbench/editor/editorBuffers.ts`. */
export interface Buffers {
  /** Returns the open document. A clean document whose file has changed first gets time to be reloaded. */
  find(realPath: string): Promise<OpenBuffer | undefined>;
  /** Resolves to true when the file is open as a notebook with unsaved changes. */
  hasDirtyNotebook(realPath: string): Promise<boolean>;
  /**
   * Reads a file.
   * @throws `Fault` `fs.not_found`, `fs.is_directory`, `fs.too_large` (checked before reading), `fs.binary`, `fs.unreadable`
   */
  read(realPath: string, maxBytes: number): Promise<StoredFile>;
  /**
   * Writes `file` with `edits` applied to its text, in its encoding and with its byte order mark. Resolves to false when the file has changed
   * since it was read; then nothing was written.
   * @throws `Fault` `fs.read_only`, `fs.write_failed`
   */
  rewrite(realPath: string, file: StoredFile, edits: readonly TextEdit[]): Promise<boolean>;
  /**
   * Writes a new file, with its parent folders, in the encoding for new files. Resolves to false when the file exists already.
   * @throws `Fault` `fs.write_failed`
   */
  create(realPath: string, text: string): Promise<boolean>;
}
