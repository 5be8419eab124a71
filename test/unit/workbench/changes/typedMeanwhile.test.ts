/** Undos and restores of open files in which the user types at the same moment. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { diskFiles } from '../../../../src/changes/disk/diskFiles';
import { withVscode } from '../../../support/fakeVscode';

interface Edit {
  readonly range: { readonly start: number; readonly end: number };
  readonly text: string;
}

class Range {
  constructor(
    readonly start: number,
    readonly end: number,
  ) {}
}
class TextEdit {
  constructor(
    readonly range: Range,
    readonly text: string,
  ) {}
}
class WorkspaceEdit {
  edits: readonly Edit[] = [];
  set(_: unknown, edits: readonly Edit[]): void {
    this.edits = edits;
  }
}
class TabInputCustom {
  constructor(readonly uri: object) {}
}

class Document {
  isDirty = false;
  readonly isClosed = false;
  readonly encoding = 'utf8';
  text: string;
  readonly uri: { readonly scheme: 'file'; readonly fsPath: string };

  constructor(fsPath: string) {
    this.uri = { scheme: 'file', fsPath };
    this.text = readFileSync(fsPath, 'utf8');
  }
  getText(): string {
    return this.text;
  }
  positionAt(offset: number): number {
    return offset;
  }
  type(text: string): void {
    this.text = text + this.text;
    this.isDirty = true;
  }
  async save(): Promise<boolean> {
    writeFileSync(this.uri.fsPath, this.text);
    this.isDirty = false;
    return true;
  }
}

describe('a file in which the user types', () => {
  const documents: Document[] = [];
  let tabs: { readonly input: object; readonly isDirty: boolean }[] = [];
  /** Run before VS Code's answers. */
  let whileDecoding = (): void => undefined;
  let afterEdit = (): void => undefined;
  const vscode = {
    Range,
    TextEdit,
    WorkspaceEdit,
    TabInputCustom,
    TabInputNotebook: class {},
    TabInputNotebookDiff: class {},
    window: {
      tabGroups: {
        get all() {
          return [{ tabs }];
        },
      },
    },
    workspace: {
      textDocuments: documents,
      notebookDocuments: [],
      decode: async (bytes: Uint8Array) => (whileDecoding(), Buffer.from(bytes).toString()),
      applyEdit: async ({ edits }: WorkspaceEdit) => {
        const [document] = documents;
        for (const { range, text } of [...edits].sort((one, other) => other.range.start - one.range.start)) {
          document!.text = document!.text.slice(0, range.start) + text + document!.text.slice(range.end);
        }
        document!.isDirty = true;
        afterEdit();
        return true;
      },
    },
  };
  const { DocumentEditor, RestoreWriter, unsavedFiles } = withVscode(vscode, () => ({
    ...(require('../../../../src/workbench/changes/files/documentEditor') as typeof import('../../../../src/workbench/changes/files/documentEditor')),
    ...(require('../../../../src/workbench/changes/files/restoreWriter') as typeof import('../../../../src/workbench/changes/files/restoreWriter')),
    ...(require('../../../../src/workbench/changes/files/unsavedFiles') as typeof import('../../../../src/workbench/changes/files/unsavedFiles')),
  }));

  let folder: string;
  let file: string;
  let document: Document;
  const writer = new RestoreWriter(() => document as never);
  const onDisk = (): string => readFileSync(file, 'utf8');
  const restored = async (): Promise<void> =>
    writer.write(file, Buffer.from('before\n'), 0o644, { expected: (await diskFiles.stat(file))! });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'typed-')));
    file = path.join(folder, 'a.txt');
    writeFileSync(file, 'by the agent\n');
    document = new Document(file);
    documents.splice(0, 1, document);
    tabs = [];
    whileDecoding = afterEdit = () => undefined;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is not edited by an undo whose edits no longer fit', async () => {
    const editor = new DocumentEditor({
      documentOf: () => document as never,
      uriOf: () => document.uri as never,
      writing: () => () => undefined,
      maxBytes: 1000,
    });
    const editing = editor.edit(file, 'by the agent\n', [{ start: 0, end: 13, text: '' }], true);
    document.type('of the user\n');
    assert.equal(await editing, false);
    assert.deepEqual([document.text, onDisk()], ['of the user\nby the agent\n', 'by the agent\n']);
  });

  it('is left by a restore that reads the earlier version meanwhile', async () => {
    whileDecoding = () => document.type('of the user\n');
    await assert.rejects(restored(), { code: 'ECHANGED' });
    assert.deepEqual([document.text, onDisk()], ['of the user\nby the agent\n', 'by the agent\n']);
  });

  it('keeps what the user types after the edit of a restore', async () => {
    afterEdit = () => document.type('of the user\n');
    await restored();
    assert.deepEqual([document.text, document.isDirty, onDisk()], ['of the user\nbefore\n', true, 'before\n']);
  });

  it('counts as unsaved in a custom editor, which a restore then leaves', async () => {
    tabs = [{ input: new TabInputCustom({ scheme: 'file', fsPath: file }), isDirty: true }];
    assert.deepEqual([...(await unsavedFiles())], [[file, 'other']]);
    await assert.rejects(writer.remove(file), { code: 'ECHANGED' });
    document.type('of the user\n');
    assert.deepEqual([...(await unsavedFiles())], [[file, 'text']]);
    tabs = [{ ...tabs[0]!, isDirty: false }];
    document.isDirty = false;
    assert.deepEqual([...(await unsavedFiles())], []);
  });
});
