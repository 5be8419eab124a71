/** Each file system call of a turn's start and of its end fails once, or is the last one before the process is killed. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type FileRecord, type FileState, sameState } from '../../../src/core/fileChanges/records';
import { diskFiles } from '../../../src/changes/disk/diskFiles';
import { DEFAULT_CHANGE_LIMITS, FileStates } from '../../../src/changes/turns/fileStates';
import type { RecordedTurn } from '../../../src/changes/turns/changeRecorder';
import { type DiskFault, FaultyDisk } from '../../support/changes/faultyDisk';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const FAULTS: readonly DiskFault[] = ['ENOSPC', 'EIO', 'EMFILE', 'EACCES', 'kill'];
/** With ACP_HOST_ALL_SEQUENCES every call is tried. Otherwise each fault hits different calls. */
const STEP = process.env['ACP_HOST_ALL_SEQUENCES'] ? 1 : 150;
const NAMES = ['edited.txt', 'deleted.txt', 'moved.txt', 'run.sh', 'to-link.txt', 'untouched.txt', 'dirty.txt'];

function isBefore(name: string): string {
  return `${name} of the user\n`.repeat(20);
}

type Phase = 'start' | 'end';

/** The workspace of all attempts. One per attempt would take minutes for the repositories, so each attempt restores the files. */
class Stage {
  readonly workspace: Workspace;
  readonly disk = new FaultyDisk();
  private key = 0;

  constructor(isRepository: boolean) {
    this.workspace = new Workspace(isRepository);
    this.reset();
    if (isRepository) {
      this.workspace.commit();
    }
  }

  reset(): void {
    const { workspace } = this;
    for (const name of [...NAMES, 'created.txt', 'elsewhere.txt']) {
      rmSync(workspace.at(name), { force: true });
    }
    NAMES.forEach((name) => workspace.write(name, isBefore(name)));
    // The content differs from the commit's, so that only a copy has it.
    workspace.write('dirty.txt', isBefore('dirty.txt') + `${this.key}\n`);
    chmodSync(workspace.at('run.sh'), 0o755);
  }

  nextKey(): string {
    return `session-${this.key++}`;
  }

  act(): void {
    const { workspace } = this;
    workspace.write('edited.txt', 'by the agent\n');
    workspace.write('dirty.txt', 'by the agent\n');
    workspace.write('created.txt', 'by the agent\n');
    workspace.remove('deleted.txt');
    renameSync(workspace.at('moved.txt'), workspace.at('elsewhere.txt'));
    chmodSync(workspace.at('run.sh'), 0o644);
    workspace.remove('to-link.txt');
    symlinkSync('untouched.txt', workspace.at('to-link.txt'));
  }

  /** The present states of all files. Their content is in no store. */
  async states(): Promise<Map<string, FileState>> {
    const none = { put: async () => undefined, has: async () => false, get: async () => undefined } as never;
    const states = new FileStates(diskFiles, none, DEFAULT_CHANGE_LIMITS, Date.now);
    const found = new Map<string, FileState>();
    for (const name of [...NAMES, 'created.txt', 'elsewhere.txt']) {
      found.set(this.workspace.at(name), (await states.of(this.workspace.at(name), false)).state);
    }
    return found;
  }
}

/** Plays a turn in which call number `at` of the phase fails. `failed` is undefined when the phase makes fewer calls. */
async function play(stage: Stage, phase: Phase, at: number, fault: DiskFault): Promise<Played> {
  const { workspace, disk } = stage;
  stage.reset();
  await workspace.settle();
  const before = await stage.states();
  const key = stage.nextKey();
  disk.disarm();
  const session = workspace.session({ key, files: disk.files });
  let turn: RecordedTurn | undefined;
  const attempt = async (): Promise<void> => {
    if (phase === 'start') {
      disk.arm(at, fault);
    }
    session.recorder.turnStarted('turn-1', Date.now());
    await session.recorder.copied();
    await delay(15);
    stage.act();
    if (phase === 'end') {
      disk.arm(at, fault);
    }
    turn = await session.recorder.turnEnded('turn-1');
  };
  // A killed process receives no result.
  await attempt().catch((error: unknown) => assert.ok(fault === 'kill', String(error)));
  const { failed } = disk;
  disk.disarm();
  return { key, session, before, after: await stage.states(), turn, failed };
}

interface Played {
  readonly key: string;
  readonly session: WorkspaceSession;
  readonly before: ReadonlyMap<string, FileState>;
  readonly after: ReadonlyMap<string, FileState>;
  readonly turn: RecordedTurn | undefined;
  readonly failed: string | undefined;
}

async function checkRecords(played: Played, where: string): Promise<void> {
  const { store } = played.session;
  const files: readonly FileRecord[] = (await played.session.log.records()).flatMap((record) => ('files' in record ? record.files : []));
  for (const { path: file, oldPath, before, after } of files) {
    const wasAt = oldPath ?? file;
    if (before.kind !== 'unknown') {
      const was = played.before.get(wasAt) ?? { kind: 'none' };
      assert.ok(sameState(before, was), `${where}: ${wasAt} was ${JSON.stringify(was)}, recorded as ${JSON.stringify(before)}`);
    }
    if (after.kind !== 'unknown') {
      const is = played.after.get(file) ?? { kind: 'none' };
      assert.ok(sameState(after, is), `${where}: ${file} is ${JSON.stringify(is)}, recorded as ${JSON.stringify(after)}`);
    }
    for (const state of [before, after]) {
      if (state.kind === 'file' && state.kept) {
        assert.ok(await store.verify(state.hash), `${where}: the version of ${file} is not in the store`);
      }
    }
  }
}

/** Restores in a window that opens afterwards, and answers every question with yes. */
async function checkRestore(stage: Stage, played: Played, where: string): Promise<void> {
  const { restore } = stage.workspace.session({ key: played.key });
  await restore.transaction.recover();
  const plan = await restore.toCheckpoint('turn-1');
  await (plan &&
    restore.perform(
      plan,
      plan.files.map((file) => file.path),
    ));
  const now = await stage.states();
  const contents = [...now.values()];
  for (const [file, was] of played.before) {
    const is = now.get(file)!;
    const isLeft = sameState(is, played.after.get(file)!);
    assert.ok(sameState(is, was) || isLeft, `${where}: ${file} is neither as before nor as the agent left it: ${JSON.stringify(is)}`);
    if (file.endsWith('moved.txt') && was.kind === 'file') {
      assert.ok(
        contents.some((state) => state.kind === 'file' && state.hash === was.hash),
        `${where}: the only copy of the moved file is gone`,
      );
    }
  }
  assert.ok(existsSync(stage.workspace.at('untouched.txt')) && statSync(stage.workspace.at('untouched.txt')).size > 0, where);
}

for (const isRepository of [false, true]) {
  describe(`a turn ${isRepository ? 'in a repository' : 'in a plain folder'} whose disk fails`, function () {
    this.timeout(1_800_000);
    let stage: Stage;
    before(() => (stage = new Stage(isRepository)));
    after(() => stage.workspace.dispose());

    it('is restored exactly when no call fails', async () => {
      const played = await play(stage, 'end', Infinity, 'EIO');
      await checkRecords(played, 'no fault');
      await checkRestore(stage, played, 'no fault');
      assert.equal(played.turn?.files.length, 7);
      assert.deepEqual(await stage.states(), played.before);
    });

    for (const phase of ['start', 'end'] as const) {
      it(`records only true states, and loses nothing, when a call of its ${phase} fails`, async () => {
        for (const [index, fault] of FAULTS.entries()) {
          let tried = 0;
          for (let at = 1 + (STEP === 1 ? 0 : index * 7); ; at += STEP) {
            const played = await play(stage, phase, at, fault);
            if (played.failed === undefined) {
              break;
            }
            const where = `${fault} at call ${at} of the ${phase} (${played.failed})`;
            tried++;
            await checkRecords(played, where);
            await checkRestore(stage, played, where);
          }
          assert.ok(tried > 0, `no call of the ${phase} was hit by ${fault}`);
        }
      });
    }
  });
}
