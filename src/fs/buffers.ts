import type { Eol } from '../util/text';

/** Characters `[start, end)` of a text, in UTF-16 units, replaced by `text`. Lists of edits are in order and do not overlap. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text document the editor holds open, visible or not. The fields are read anew each time: they change under our hands. */
export interface OpenBuffer {
  /** The present text, unsaved changes included, with its line ends. */
  readonly text: string;
  readonly eol: Eol;
  /** Grows with every change. */
  readonly version: number;
  readonly dirty: boolean;
  /** The editor would not let the user change it. */
  readonly readOnly: boolean;
  /**
   * Applies `edits`, which refer to the text of version `expectedVersion`, as one undo step.
   * False when the text has changed since, the document was closed, or the editor refused; then nothing was changed.
   */
  edit(edits: readonly TextEdit[], expectedVersion: number): Promise<boolean>;
  /** Saves, participants included. False when it could not. */
  save(): Promise<boolean>;
  /** The file is not what the document was loaded from or saved to. False when there is no file any more. */
  isStale(): Promise<boolean>;
  /**
   * Why saving `text` would damage it or the file: `characters` its encoding does not have, or `bytes` of the file that
   * could not be read in its encoding and so would be replaced.
   */
  damage(text: string): Promise<Damage | undefined>;
}

export type Damage = 'characters' | 'bytes';

/** A file that is not open, as it was read. */
export interface StoredFile {
  /** Decoded, without a byte order mark, with its line ends. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Documents and files, always named by their real path. Implemented by `workbench/editor/editorBuffers.ts`. */
export interface Buffers {
  /** The open document; a clean one whose file has changed is first given the time to be reloaded. */
  find(realPath: string): Promise<OpenBuffer | undefined>;
  /** Whether the file is open as a notebook that has unsaved changes. */
  hasDirtyNotebook(realPath: string): Promise<boolean>;
  /**
   * Reads a file.
   * @throws `Fault` `fs.not_found`, `fs.is_directory`, `fs.too_large` (checked before reading), `fs.binary`, `fs.unreadable`
   */
  read(realPath: string, maxBytes: number): Promise<StoredFile>;
  /**
   * Writes `file` with `edits` applied to its text, in its encoding and with its byte order mark. False when the file is no
   * longer as it was read; then nothing was written.
   * @throws `Fault` `fs.read_only`, `fs.write_failed`
   */
  rewrite(realPath: string, file: StoredFile, edits: readonly TextEdit[]): Promise<boolean>;
  /**
   * Writes a new file, with its parent folders, in the encoding that new files have. False when there is one now.
   * @throws `Fault` `fs.write_failed`
   */
  create(realPath: string, text: string): Promise<boolean>;
}
