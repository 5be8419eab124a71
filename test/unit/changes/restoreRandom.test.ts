/** Restoring back and forth between messages leaves no new files, and touches nothing of git. */
import assert from 'node:assert/strict';
import { chmodSync, lstatSync, renameSync, rmSync, type Stats, symlinkSync } from 'node:fs';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const CHECKPOINTS = process.env['ACP_HOST_ALL_SEQUENCES'] ? 20 : 7;

type Random = (below: number) => number;

function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

/** Some names differ only in case, and some are in a folder with the name of another file. */
const NAMES = ['a.txt', 'A.txt', 'b.txt', 'src/c.ts', 'src/d.ts', 'src/deep/e.bin', 'src/deep', 'src/c.ts/below', 'ümlaut und leer.txt'];

/** Writes a file when there may be a folder, or when a file may be in the place of one of its folders. */
function put(workspace: Workspace, name: string, content: string | Uint8Array): void {
  makeRoom(workspace, name);
  workspace.write(name, content);
}

function makeRoom(workspace: Workspace, name: string): void {
  const folders = name.split('/').slice(0, -1);
  folders.forEach((_, index) => {
    const folder = workspace.at(folders.slice(0, index + 1).join('/'));
    void (statsOf(folder)?.isDirectory() === false && rmSync(folder));
  });
  rmSync(workspace.at(name), { recursive: true, force: true });
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    // The file does not exist, or a file is in the place of one of its folders.
    return undefined;
  }
}

/** The changes of an agent in a turn. */
function change(workspace: Workspace, random: Random, turn: number): void {
  for (let times = 1 + random(3); times > 0; times--) {
    const name = NAMES[random(NAMES.length)]!;
    const stats = statsOf(workspace.at(name));
    switch (stats && !stats.isDirectory() ? random(6) : 0) {
      case 0:
      case 1:
        put(workspace, name, `turn ${turn}.${times}\r\n${'line\n'.repeat(random(5))}`);
        break;
      case 2:
        rmSync(workspace.at(name));
        workspace.write(name, Buffer.from([0, 255, turn, times, 13, 10]));
        break;
      case 3:
        rmSync(workspace.at(name));
        break;
      case 4: {
        const to = NAMES[random(NAMES.length)]!;
        const isWithin = to.startsWith(`${name}/`) || name.startsWith(`${to}/`);
        if (to !== name && !isWithin) {
          put(workspace, to, '');
          renameSync(workspace.at(name), workspace.at(to));
        }
        break;
      }
      default:
        if (random(2) === 0 || lstatSync(workspace.at(name)).isSymbolicLink()) {
          rmSync(workspace.at(name));
          symlinkSync(`elsewhere-${turn}`, workspace.at(name));
        } else {
          chmodSync(workspace.at(name), 0o755);
        }
    }
  }
}

/** All files of git, byte by byte, and git's output. */
function gitFacts(workspace: Workspace): unknown {
  return workspace.isRepository ? workspace.tree(workspace.at('.git'), []) : undefined;
}

const FIRST = ['a.txt', 'b.txt', 'src/c.ts', 'src/d.ts'];

async function play(kind: 'git' | 'plain' | 'dirty', seed: number): Promise<void> {
  const random = randomOf(seed);
  const workspace = new Workspace(kind !== 'plain');
  try {
    FIRST.forEach((name) => workspace.write(name, `first ${name}\n`));
    if (workspace.isRepository) {
      workspace.write('.gitignore', 'ignored/\n');
      workspace.commit();
      workspace.write('ignored/secret', 'x');
    }
    if (kind === 'dirty') {
      workspace.write('stashed.txt', 'stashed\n');
      workspace.git('stash', 'push', '-q', '-u');
      workspace.write('a.txt', 'changed and staged\n');
      workspace.git('add', 'a.txt');
      workspace.write('a.txt', 'changed again\n');
      workspace.write('untracked.txt', 'the user has this alone\n');
    }
    let session: WorkspaceSession = workspace.session();
    const trees: Record<string, string>[] = [];
    for (let turn = 0; turn < CHECKPOINTS; turn++) {
      await workspace.settle();
      trees.push(workspace.tree());
      await playTurn(session, `turn-${turn}`, () => change(workspace, random, turn));
    }
    const [last, git] = [workspace.tree(), gitFacts(workspace)];
    const order = Array.from({ length: CHECKPOINTS }, (_, turn) => turn);
    order.sort(() => random(3) - 1);
    const steps: string[] = [];
    for (const turn of order) {
      session = random(4) === 0 ? workspace.session() : session;
      const plan = (await session.restore.toCheckpoint(`turn-${turn}`))!;
      assert.deepEqual(
        plan.files.filter(({ action, changedSince }) => action === 'unavailable' || changedSince),
        [],
      );
      const { restoreId, left } = await session.restore.perform(plan);
      assert.deepEqual(left, []);
      assert.deepEqual(workspace.tree(), trees[turn], `${kind} ${seed}: at turn ${turn}`);
      steps.push(...(restoreId === undefined ? [] : [restoreId]));
    }
    for (const restoreId of steps.reverse()) {
      const { left } = await session.restore.perform((await session.restore.undoing(restoreId))!);
      assert.deepEqual(left, []);
    }
    assert.deepEqual(workspace.tree(), last, `${kind} ${seed}: undone`);
    assert.deepEqual(gitFacts(workspace), git, `${kind} ${seed}: git`);
  } finally {
    workspace.dispose();
  }
}

describe(`restoring to each of ${CHECKPOINTS} checkpoints in random order, and undoing that`, function () {
  this.timeout(300_000);
  const first = Number(process.env['ACP_HOST_SEED'] ?? 1);
  const seeds = process.env['ACP_HOST_ALL_SEQUENCES'] ? 12 : 1;

  for (const kind of ['git', 'plain', 'dirty'] as const) {
    it(`leaves a ${kind} tree and all files of git unchanged`, async () => {
      for (let seed = first; seed < first + seeds; seed++) {
        await play(kind, seed);
      }
    });
  }
});
