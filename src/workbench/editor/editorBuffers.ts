import * as vscode from 'vscode';
import type { Buffers, Damage, OpenBuffer, StoredFile, TextEdit } from '../../fs/buffers';
import type { Codec } from '../../fs/encoding';
import { diskBytes } from '../../util/checkedBytes';
import { StoredFiles } from '../../fs/files';
import { realPathOf } from '../../util/realPath';
import { withLineFeeds } from '../../util/text';
import type { Eol } from '../../util/text';
import { type CleanTexts, digest } from './cleanTexts';
import { isReadOnlyBySetting } from '../shared/readOnly';

/** The time in ms that VS Code may take to reload a clean document whose file has changed. File watchers report late. */
const RELOAD_MS = 2000;
const RELOAD_STEP_MS = 50;

const codec: Codec = {
  decode: async (bytes, path, encoding) =>
    encoding === undefined ? vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) }) : vscode.workspace.decode(bytes, { encoding }),
  encode: async (text, path, encoding) =>
    encoding === undefined ? vscode.workspace.encode(text, { uri: vscode.Uri.file(path) }) : vscode.workspace.encode(text, { encoding }),
};

/** The `Buffers` port over VS Code's documents. One instance per window. */
export class EditorBuffers implements Buffers {
  private readonly files = new StoredFiles(codec);

  /** @param writing called before an open document is changed for an agent; returns a function that is called afterwards */
  constructor(
    private readonly cleanTexts: CleanTexts,
    private readonly writing: (realPath: string) => (() => void) | undefined = () => undefined,
  ) {}

  async find(realPath: string): Promise<OpenBuffer | undefined> {
    const document = await this.documentOf(realPath);
    if (!document) {
      return undefined;
    }
    const buffer = new DocumentBuffer(
      document,
      realPath,
      await isReadOnly(document, realPath),
      () => this.cleanTexts.of(document),
      this.writing,
    );
    for (
      let waited = 0;
      waited < RELOAD_MS && !document.isClosed && !document.isDirty && (await buffer.isStale());
      waited += RELOAD_STEP_MS
    ) {
      await new Promise((resolve) => setTimeout(resolve, RELOAD_STEP_MS));
    }
    return document.isClosed ? this.find(realPath) : buffer;
  }

  async hasDirtyNotebook(realPath: string): Promise<boolean> {
    const dirty = vscode.workspace.notebookDocuments.filter(({ uri, isDirty, isClosed }) => uri.scheme === 'file' && isDirty && !isClosed);
    const paths = await Promise.all(dirty.map(({ uri }) => realPathOrSame(uri.fsPath)));
    return paths.includes(realPath);
  }

  read(realPath: string, maxBytes: number): Promise<StoredFile> {
    return this.files.read(realPath, maxBytes);
  }

  rewrite(realPath: string, file: StoredFile, edits: readonly TextEdit[]): Promise<boolean> {
    return this.files.rewrite(realPath, file, edits);
  }

  create(realPath: string, text: string): Promise<boolean> {
    return this.files.create(realPath, text);
  }

  /** Returns the document of a file. A file can be open under several names (symlinks). The document with unsaved changes is the user's. */
  private async documentOf(realPath: string): Promise<vscode.TextDocument | undefined> {
    const documents = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
    const paths = await Promise.all(documents.map(({ uri }) => realPathOrSame(uri.fsPath)));
    const same = documents.filter((document, index) => paths[index] === realPath && !document.isClosed);
    return same.find(({ isDirty }) => isDirty) ?? same[0];
  }
}

class DocumentBuffer implements OpenBuffer {
  constructor(
    private readonly document: vscode.TextDocument,
    private readonly realPath: string,
    readonly readOnly: boolean,
    private readonly cleanText: () => string | undefined,
    private readonly writing: (realPath: string) => (() => void) | undefined,
  ) {}

  get text(): string {
    return this.document.getText();
  }

  get eol(): Eol {
    return this.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  }

  get version(): number {
    return this.document.version;
  }

  get dirty(): boolean {
    return this.document.isDirty;
  }

  async edit(edits: readonly TextEdit[], expectedVersion: number): Promise<boolean> {
    const { document } = this;
    if (document.isClosed || document.version !== expectedVersion) {
      return false;
    }
    const workspaceEdit = new vscode.WorkspaceEdit();
    const range = ({ start, end }: TextEdit) => new vscode.Range(document.positionAt(start), document.positionAt(end));
    workspaceEdit.set(
      document.uri,
      edits.map((edit) => new vscode.TextEdit(range(edit), edit.text)),
    );
    // The edit carries the document's version, so the editor rejects it as a whole if the user types meanwhile.
    return this.asWriter(() => vscode.workspace.applyEdit(workspaceEdit));
  }

  async save(): Promise<boolean> {
    // VS Code follows the links that exist when it writes. A link that is replaced after this check is not noticed.
    const real = await realPathOrSame(this.document.uri.fsPath);
    if (real !== this.realPath) {
      throw new Error(`The path leads elsewhere now: ${real}`);
    }
    return this.asWriter(() => this.document.save());
  }

  async isStale(): Promise<boolean> {
    const stored = await this.stored();
    if (stored === undefined) {
      return false;
    }
    if (!this.document.isDirty) {
      return withLineFeeds(stored) !== withLineFeeds(this.text);
    }
    const clean = this.cleanText();
    return clean !== undefined && digest(stored) !== clean;
  }

  async damage(text: string): Promise<Damage | undefined> {
    const { encoding } = this.document;
    if ((await codec.decode(await codec.encode(text, this.realPath, encoding), this.realPath, encoding)) !== text) {
      return 'characters';
    }
    if (!text.includes('\uFFFD')) {
      return undefined;
    }
    const bytes = await diskBytes.read(this.realPath).catch(() => undefined);
    if (!bytes) {
      return undefined;
    }
    const reencoded = await codec.encode(await codec.decode(bytes, this.realPath, encoding), this.realPath, encoding);
    return Buffer.compare(reencoded, bytes) === 0 ? undefined : 'bytes';
  }

  private async asWriter(write: () => Thenable<boolean>): Promise<boolean> {
    const done = this.writing(this.realPath);
    try {
      return await write();
    } finally {
      done?.();
    }
  }

  /** Returns the text on the disk, decoded like this document. Undefined when it cannot be read. */
  private async stored(): Promise<string | undefined> {
    try {
      return await codec.decode(await diskBytes.read(this.realPath), this.realPath, this.document.encoding);
    } catch {
      return undefined;
    }
  }
}

async function isReadOnly(document: vscode.TextDocument, realPath: string): Promise<boolean> {
  if (isReadOnlyBySetting(document)) {
    return true;
  }
  return diskBytes.stat(realPath).then(
    ({ readOnly }) => readOnly,
    () => false,
  );
}

function realPathOrSame(path: string): Promise<string> {
  return realPathOf(path).catch(() => path);
}
