/** The save of a file whose change is reverted by VS Code's own button in a diff of ours, or in another way. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../src/changes/hunks/liveHunks';
import type { TextEdit } from '../../../../src/core/fileChanges/hunks';
import type { Author } from '../../../../src/changes/hunks/liveHunks';
import { withVscode } from '../../../support/fakeVscode';
import { FakeClock } from '../../session/permission/fakes';

const FILE = '/w/calc.js';
const BEFORE = 'one\nreturn a - b;\nthree\n';
const AFTER = 'one\nreturn a + b;\nthree\n';

class TabInputTextDiff {
  constructor(
    readonly original: object,
    readonly modified: object,
  ) {}
}
const uriOf = (scheme: string, fsPath = FILE) => ({ scheme, fsPath, toString: () => `${scheme}:${fsPath}` });

describe('a change that is reverted in a diff', () => {
  let changed: (event: object) => void = () => undefined;
  let input: object | undefined;
  let saves: number;
  let clock: FakeClock;
  let hunks: LiveHunks;
  let document: { text: string; isDirty: boolean };
  const none = () => ({ dispose: () => undefined });
  const kind = class {};
  const vscode = {
    TabInputTextDiff,
    ...Object.fromEntries(
      ['TabInputText', 'TabInputCustom', 'TabInputWebview', 'TabInputNotebook', 'TabInputNotebookDiff', 'TabInputTerminal'].map((name) => [
        name,
        kind,
      ]),
    ),
    TextDocumentChangeReason: { Undo: 1, Redo: 2 },
    EndOfLine: { LF: 1, CRLF: 2 },
    window: {
      tabGroups: {
        activeTabGroup: {
          get activeTab() {
            return { input };
          },
        },
      },
    },
    workspace: {
      textDocuments: [],
      onDidChangeTextDocument: (listener: typeof changed) => ((changed = listener), none()),
      onDidSaveTextDocument: none,
      onDidOpenTextDocument: none,
      onDidCloseTextDocument: none,
    },
  };
  const { DocumentFollower, isInReview } = withVscode(vscode, () => ({
    ...(require('../../../../src/workbench/changes/documents/documentFollower') as typeof import('../../../../src/workbench/changes/documents/documentFollower')),
    ...(require('../../../../src/workbench/changes/review/documentTargets') as typeof import('../../../../src/workbench/changes/review/documentTargets')),
  }));

  beforeEach(() => {
    saves = 0;
    clock = new FakeClock();
    hunks = LiveHunks.of(BEFORE);
    hunks.replace(AFTER, { type: 'agent', by: 'turn' });
    const review = {
      file: () => ({ hunks }),
      documentChanged: (_: string, edits: readonly TextEdit[], author: Author) => hunks.edit(edits, author),
      documentIs: (_: string, text: string, __: unknown, author: Author) => hunks.replace(text, author),
    };
    document = Object.assign(
      { text: AFTER, isDirty: false },
      {
        uri: uriOf('file'),
        isClosed: false,
        eol: 1,
        getText: () => document.text,
        save: async () => (saves++, true),
      },
    );
    input = new TabInputTextDiff(uriOf('acp-host-baseline'), uriOf('file'));
    new DocumentFollower({
      clock,
      cleanTexts: { of: () => undefined },
      sessions: () => [{ key: 'S', turnId: undefined, isRecording: false, review, holds: () => true }] as never,
      isInReview: ({ uri }) => isInReview(uri),
    });
  });

  /** VS Code reports the text first, and then that the document is dirty. */
  function edit(from: string, to: string, reason?: number): void {
    const rangeOffset = document.text.indexOf(from);
    document.text = document.text.replace(from, to);
    const contentChanges = [{ rangeOffset, rangeLength: from.length, text: to }];
    changed({ document, contentChanges, reason });
    if (!document.isDirty) {
      document.isDirty = true;
      changed({ document, contentChanges: [] });
    }
  }

  /** The time after which a document is saved that nothing else has saved. */
  const later = () => clock.pass(1000);

  it('is saved, because the file had no unsaved changes', () => {
    edit('return a + b;\n', 'return a - b;\n');
    later();
    assert.deepEqual([hunks.hunks.length, saves], [0, 1]);
  });

  it('is not saved a second time when an undo of the extension saves it', () => {
    edit('return a + b;\n', 'return a - b;\n');
    document.isDirty = false;
    later();
    assert.deepEqual([hunks.hunks.length, saves], [0, 0]);
  });

  it('is saved in a review of several files', () => {
    input = {};
    edit('return a + b;\n', 'return a - b;\n');
    later();
    assert.equal(saves, 1);
  });

  it('is not saved with unsaved changes of the user, after typing, or outside of our diffs', () => {
    edit('one', 'One');
    edit('return a + b;\n', 'return a - b;\n');
    later();
    assert.deepEqual([hunks.hunks.length, saves], [0, 0]);
    document.isDirty = false;
    edit('three', 'Three');
    later();
    assert.equal(saves, 0);
  });

  it('is not saved in the editor of the file, or in a diff of another program', () => {
    for (const other of [undefined, new kind(), new TabInputTextDiff(uriOf('git'), uriOf('file'))]) {
      input = other;
      document.isDirty = false;
      edit('return a + b;\n', 'return a - b;\n');
      later();
      assert.deepEqual([hunks.hunks.length, saves], [0, 0]);
      hunks.replace(AFTER, { type: 'agent', by: 'turn' });
      document.text = AFTER;
    }
  });
});
