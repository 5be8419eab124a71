/** Unsaved text of a document is never the earlier state of its file. */
import assert from 'node:assert/strict';
import { shownRecords } from '../../support/changes/shownRecords';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const DISK = '1\n2\n';
const UNSAVED = '1\ntyped\n';

describe('the earlier state of a file that the agent changed at once', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  beforeEach(() => {
    workspace = new Workspace(false);
    workspace.write('a.txt', DISK);
  });
  afterEach(() => workspace.dispose());

  async function records(isDirty: boolean, text: string, act: (recorder: WorkspaceSession['recorder'], file: string) => void) {
    await workspace.settle();
    const file = workspace.at('a.txt');
    const session = workspace.session({ openTexts: () => [{ path: file, isDirty, bytes: async () => Buffer.from(text) }] });
    const { files } = await playTurn(session, 'turn', () => act(session.recorder, file), true);
    return shownRecords(workspace, session, files);
  }
  const write = (): void => workspace.write('a.txt', '1\n2\nagent\n');

  it('is the text of an open document without unsaved changes, and shared before the document was compared with the disk', async () => {
    assert.deepEqual(await records(false, DISK, write), ['a.txt: "1\\n2\\n" > "1\\n2\\nagent\\n" shared']);
  });

  it('is unknown when the document had unsaved changes, even in the first turn', async () => {
    assert.deepEqual(await records(true, UNSAVED, write), ['a.txt: late > "1\\n2\\nagent\\n"']);
  });

  const reported = [{ oldText: UNSAVED, newText: '1\n2\nagent\n' }];

  it('is unknown when the agent reports unsaved text as the earlier one', async () => {
    const found = await records(true, UNSAVED, (recorder, file) => {
      write();
      recorder.reportChange({ path: file, reported });
    });
    assert.deepEqual(found, ['a.txt: late > "1\\n2\\nagent\\n"']);
  });

  it('is unknown when the user typed in the turn', async () => {
    const found = await records(false, '', (recorder, file) => {
      recorder.documentOpened(file, DISK, false);
      recorder.documentChanged(file, UNSAVED, 'user');
      write();
      recorder.reportChange({ path: file, reported });
    });
    assert.deepEqual(found, ['a.txt: "" > "1\\n2\\nagent\\n" shared']);
  });
});
