/** Files that contain the user's lines of other files. A restore or an undo that leaves those must leave the containing files too. */
import assert from 'node:assert/strict';
import { appendFileSync, renameSync, rmdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const A = 'first line of a\nsecond line of a\nthird line of a\n';
const B = 'first line of b\nsecond line of b\n';
const EDITED = 'first line of a\nagent\nthird line of a\n';

describe('a file that contains lines of another one', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let bench: Undoing | undefined;

  beforeEach(async () => {
    workspace = new Workspace(false);
    workspace.write('a.txt', A);
    workspace.write('b.txt', B);
    await workspace.settle();
    session = workspace.session();
  });
  afterEach(() => {
    bench?.dispose();
    bench = undefined;
    workspace.dispose();
  });

  const move = (from: string, to: string): void => renameSync(workspace.at(from), workspace.at(to));
  /** Writes like `sed -i`: to a new file that replaces the original. */
  const replace = (name: string, content: string): void => {
    workspace.write(`${name}.new`, content);
    move(`${name}.new`, name);
  };
  const again = (): void => workspace.write('a.txt', 'of the user\n');

  /** Restores all files that need no confirmation. Returns the names of the files that were left. */
  async function restore(agent: () => void, user: () => void): Promise<string[]> {
    await playTurn(session, 'turn', agent);
    user();
    const plan = (await session.restore.toCheckpoint('turn'))!;
    const files = plan.files.filter(({ changedSince, shared }) => !changedSince && shared !== true);
    const { reasons } = await session.restore.perform({ ...plan, files });
    return reasons.map(({ path: file, reason }) => `${path.basename(file)} ${reason}`);
  }

  /** Undoes all files of the turn. Returns the files that were left. */
  async function undo(agent: () => void, user: () => void): Promise<string[]> {
    bench = undoing(workspace, session);
    await bench.turn(agent);
    user();
    const { left } = await bench.undoFiles();
    return left.map(({ path: file, reason }) => `${path.basename(file)} ${reason}`);
  }

  const cases = (): readonly (readonly [name: string, agent: () => void, user: () => void, holder: string])[] => [
    [
      'after a move over a known file and an edit',
      () => {
        move('a.txt', 'b.txt');
        workspace.write('b.txt', EDITED);
      },
      () => symlinkSync('a.txt', workspace.at('a.txt')),
      'b.txt',
    ],
    [
      'after an edit that made another file of it, and a move',
      () => {
        replace('a.txt', EDITED);
        move('a.txt', 'new.txt');
      },
      again,
      'new.txt',
    ],
    [
      'after a move, an edit, and a new file of the earlier name',
      () => {
        move('a.txt', 'new.txt');
        workspace.write('new.txt', EDITED);
        workspace.write('a.txt', 'agent\n');
      },
      again,
      'new.txt',
    ],
    [
      'after two files were joined in one',
      () => {
        workspace.write('new.txt', B + A);
        workspace.remove('a.txt');
        workspace.remove('b.txt');
      },
      again,
      'new.txt',
    ],
    [
      'after its lines were appended to a known file',
      () => {
        appendFileSync(workspace.at('b.txt'), A);
        workspace.remove('a.txt');
      },
      again,
      'b.txt',
    ],
    [
      'after a part of it was moved into a new file',
      () => {
        workspace.write('new.txt', 'agent\nsecond line of a\n');
        workspace.write('a.txt', 'first line of a\nthird line of a\n');
      },
      () => appendFileSync(workspace.at('a.txt'), 'of the user\n'),
      'new.txt',
    ],
  ];

  describe('is left by a restore that leaves the other one', () => {
    for (const [name, agent, user, holder] of cases()) {
      it(name, async () => {
        assert.deepEqual(await restore(agent, user), [`${holder} moved`]);
        assert.match(workspace.read(holder), /line of a\n/);
      });
    }
  });

  describe('is left by an undo of all that leaves the other one', () => {
    for (const [name, agent, user, holder] of cases().slice(0, 5)) {
      it(name, async () => {
        const left = await undo(agent, user);
        assert.ok(left.includes(`${holder} moved`), left.join());
        assert.match(workspace.read(holder), /line of a\n/);
      });
    }
  });

  describe('is left when the folder of the other one has become a link', () => {
    const agent = (): void => {
      replace('src/c.txt', EDITED);
      move('src/c.txt', 'new.txt');
    };
    const user = (): void => {
      rmdirSync(workspace.at('src'));
      symlinkSync(tmpdir(), workspace.at('src'));
    };
    beforeEach(async () => {
      workspace.write('src/c.txt', A);
      await workspace.settle();
    });

    it('by a restore', async () => {
      assert.ok((await restore(agent, user)).includes('new.txt moved'));
      assert.equal(workspace.read('new.txt'), EDITED);
    });

    it('by an undo', async () => {
      assert.deepEqual((await undo(agent, user)).sort(), ['c.txt elsewhere', 'new.txt moved']);
      assert.equal(workspace.read('new.txt'), EDITED);
    });
  });

  it('is undone when the other one gets its lines back', async () => {
    const left = await undo(
      () => {
        move('a.txt', 'b.txt');
        workspace.write('b.txt', EDITED);
      },
      () => undefined,
    );
    assert.deepEqual([left, workspace.read('a.txt'), workspace.read('b.txt')], [[], A, B]);
  });

  it('is restored when the other one gets its lines back', async () => {
    const left = await restore(
      () => {
        move('a.txt', 'b.txt');
        workspace.write('b.txt', EDITED);
      },
      () => undefined,
    );
    assert.deepEqual([left, workspace.read('a.txt'), workspace.read('b.txt')], [[], A, B]);
  });

  it('is restored when the lines stay in a third file', async () => {
    workspace.write('c.txt', A);
    await workspace.settle();
    const left = await restore(() => {
      move('a.txt', 'b.txt');
      workspace.write('b.txt', EDITED);
      appendFileSync(workspace.at('c.txt'), 'agent\n');
    }, again);
    assert.deepEqual([left, workspace.read('b.txt')], [[], B]);
  });

  it('is restored when it has only a small part of the missing lines', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `line ${index} of a\n`).join('');
    workspace.write('a.txt', many);
    await workspace.settle();
    const left = await restore(() => {
      workspace.remove('a.txt');
      workspace.write('new.txt', `line 1 of a\nof the agent\n${many.replaceAll('of a', 'agent')}`);
    }, again);
    assert.deepEqual(left, []);
  });
});
