import assert from 'node:assert/strict';
import { withVscode } from '../../../../support/fakeVscode';

type SavedLines = typeof import('../../../../../src/workbench/changes/overwrites/savedLines');

/** Puts a lost line back in a document that is edited and saved in this way. Returns the messages of the window. */
async function putBack(edit: (document: { text: string }) => boolean | 'not_saved'): Promise<readonly string[]> {
  const messages: string[] = [];
  const say = async (text: string): Promise<void> => void messages.push(text);
  const document = { text: 'a\n', isDirty: false, getText: () => document.text };
  const vscode = {
    l10n: { t: (text: string) => text },
    window: { showWarningMessage: say, showInformationMessage: say, setStatusBarMessage: say },
    workspace: { openTextDocument: async () => document },
  };
  const { savedLines } = withVscode(vscode, () => require('../../../../../src/workbench/changes/overwrites/savedLines') as SavedLines);
  const changes = {
    overwrites: { changesOf: () => [{ path: '/w/a.txt', base: 'a\n', saved: 'a\nmine\n' }] },
    uriOf: (path: string) => ({ path }),
    editor: { edit: async () => edit(document) },
  };
  await savedLines(changes as never, {} as never, 'put_back', 'entry');
  return messages;
}

describe('saved lines', () => {
  it('are reported as back only when the document has them', async () => {
    const written = await putBack((document) => {
      document.text = 'a\nmine\n';
      return 'not_saved';
    });
    assert.deepEqual(written, ['The lines are back in {file}, but it could not be saved.']);
    assert.deepEqual(await putBack(() => 'not_saved'), ["{file} can't be written, so the lines are not back."]);
  });
});
