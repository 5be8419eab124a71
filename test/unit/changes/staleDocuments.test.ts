/** A document that does not show an edit from outside of VS Code yet, when a turn begins. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type DiskFiles, diskFiles } from '../../../src/changes/disk/diskFiles';
import { TurnEdits } from '../../../src/changes/turns/turnEdits';
import { shownRecords } from '../../support/changes/shownRecords';
import { undoing } from '../../support/changes/undoing';
import { playTurn, Workspace } from '../../support/changes/workspace';

const SHOWN = '1\n';
const DISK = '1\nuser\n';
const AFTER = '1\nuser\nagent\n';
/** The walk of the folder comes so late that it finds the agent's write. */
const lateWalk: DiskFiles = {
  ...diskFiles,
  list: async (...args) => {
    await delay(1000);
    return diskFiles.list(...args);
  },
};

describe('a document that is behind its file when a turn begins', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  beforeEach(() => {
    workspace = new Workspace(false);
    workspace.write('a.txt', SHOWN);
  });
  afterEach(() => workspace.dispose());

  async function recorded(shown: string, act: () => void | Promise<void>): Promise<readonly string[]> {
    workspace.write('a.txt', DISK);
    await workspace.settle();
    const path = workspace.at('a.txt');
    const session = workspace.session({
      files: lateWalk,
      openTexts: () => [{ path, isDirty: false, bytes: async () => Buffer.from(shown) }],
    });
    const { files } = await playTurn(session, 'turn', act, true);
    return shownRecords(workspace, session, files);
  }
  const write = (): void => workspace.write('a.txt', AFTER);
  const writeLater = async (): Promise<void> => {
    await delay(600);
    write();
  };

  it('does not count: the earlier state is that of the disk', async () => {
    assert.deepEqual(await recorded(SHOWN, writeLater), ['a.txt: "1\\nuser\\n" > "1\\nuser\\nagent\\n"']);
  });

  it('counts when it shows the disk', async () => {
    assert.deepEqual(await recorded(DISK, writeLater), ['a.txt: "1\\nuser\\n" > "1\\nuser\\nagent\\n"']);
  });

  it('makes the file shared when the agent wrote before the comparison', async () => {
    assert.deepEqual(await recorded(SHOWN, write), ['a.txt: "1\\n" > "1\\nuser\\nagent\\n" shared']);
  });

  it('gives its reload to another program, so that an undo leaves the line of the user', async () => {
    await workspace.settle();
    const path = workspace.at('a.txt');
    const open: string[] = [];
    const session = workspace.session({
      openTexts: () => open.map((shown) => ({ path, isDirty: false, bytes: async () => Buffer.from(shown) })),
      onStaleDocument: (file, bytes) => void bench.review.wasOnDisk(file, bytes),
    });
    const bench = undoing(workspace, session);
    await bench.turn(() => workspace.write('a.txt', '1\nagent\n'));
    open.push('1\nagent\n');
    workspace.write('a.txt', '1\nagent\nuser\n');
    await workspace.settle();
    session.recorder.turnStarted('next', Date.now());
    assert.equal(session.recorder.isComparing(path), true);
    await session.recorder.copied();
    await delay(15);
    assert.equal(session.recorder.isComparing(path), false);
    bench.review.documentIs(path, '1\nagent\nuser\n', [{ start: 8, end: 8, text: 'user\n' }], { type: 'agent', by: 'next' });
    await session.recorder.turnEnded('next');
    assert.deepEqual((await bench.undoFiles()).left, []);
    assert.equal(workspace.read('a.txt'), '1\nuser\n');
    bench.dispose();
  });

  it("leaves the user's typing apart from the agent's change", () => {
    for (const isReportedLate of [true, false]) {
      const edits = new TurnEdits();
      void (isReportedLate || edits.documentOpened('a', SHOWN, false));
      edits.documentWasBehind('a', DISK);
      void (isReportedLate && edits.documentOpened('a', SHOWN, false));
      edits.documentChanged('a', DISK, 'agent');
      edits.documentChanged('a', AFTER, 'agent');
      edits.documentChanged('a', `${AFTER}typed\n`, 'user');
      edits.saved('a');
      assert.deepEqual(edits.stepsOf('a', DISK, `${AFTER}typed\n`, true), [
        { author: 'agent', text: AFTER },
        { author: 'user', text: `${AFTER}typed\n` },
      ]);
    }
  });
});
