/** The interfaces that an undo needs from the disk, the editor and the window. */
import type { TextEdit } from '../../core/fileChanges/hunks';
import type { FileRecord } from '../../core/fileChanges/records';
import type { EditorState } from './undoPlan';

/** Writes files so that each is written whole or not at all. Each record's `before` is the state expected on disk, `after` the wanted one. */
export interface FileWriter {
  run(
    kind: 'undo',
    files: readonly FileRecord[],
    options: { readonly signal?: AbortSignal; onFile?(path: string): void },
  ): Promise<{
    readonly id: string | undefined;
    readonly written: readonly string[];
    readonly left: readonly { readonly path: string; readonly reason: string }[];
  }>;
  /** Records an undo that the editor has saved already. */
  record(files: readonly FileRecord[]): Promise<void>;
}

/** A file in the editor. `text` is set only for an open text document. */
export interface EditorFile {
  readonly state: EditorState;
  readonly text?: string;
}

/** The editor, by real paths. */
export interface UndoEditor {
  look(path: string): Promise<EditorFile>;
  /** Applies edits to the document, and opens it if necessary. False when its text is not `expected`, or the edit failed. */
  edit(path: string, expected: string, edits: readonly TextEdit[], save: boolean): Promise<boolean | 'not_saved'>;
  /** Renames an open file without overwriting. */
  rename(from: string, to: string): Promise<boolean>;
  /** Called around writes on disk: reloads of these files are the user's changes until the returned function is called. */
  writing(paths: readonly string[]): () => void;
  /** Waits until clean documents show the present files, and closes the editors of deleted ones. Paths as written. */
  reloaded(paths: readonly string[]): Promise<void>;
}

/** Decodes and encodes a file like the editor does. */
export interface TextCodec {
  /** Returns undefined where the editor's text would not reproduce these bytes. */
  decode(path: string, bytes: Uint8Array): Promise<string | undefined>;
  /** @param like the file's present bytes, whose byte order mark and encoding are used. Undefined where the text cannot be encoded so */
  encode(path: string, text: string, like: Uint8Array): Promise<Uint8Array | undefined>;
}
