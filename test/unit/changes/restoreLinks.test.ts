/** Links, shared files, and files that change between the preview and the restore. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Restore } from '../../../src/changes/restore';
import { diskFiles } from '../../../src/changes/disk/diskFiles';
import { DEFAULT_CHANGE_LIMITS, FileStates } from '../../../src/changes/turns/fileStates';
import { RootCheck } from '../../../src/util/roots';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe('a restore', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let restore: Restore;
  let outside: string;

  beforeEach(() => {
    workspace = new Workspace(true);
    outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'restore-outside-')));
  });
  afterEach(() => {
    workspace.dispose();
    rmSync(outside, { recursive: true, force: true });
  });

  async function begin(): Promise<void> {
    workspace.commit();
    await workspace.settle();
    session = workspace.session();
    const { log, store } = session;
    // The window decides by the real path, which follows a link at the end.
    const check = new RootCheck({ cwd: workspace.folder, additionalDirectories: [] });
    restore = new Restore({
      states: new FileStates(diskFiles, store, DEFAULT_CHANGE_LIMITS, Date.now),
      log,
      contains: async (file) => (await check.resolve(file).catch(() => undefined)) === file,
      now: Date.now,
      mintId: () => randomUUID(),
    });
  }

  const actions = (files: readonly { readonly path: string; readonly action: string }[]): string[] =>
    files.map((file) => `${path.relative(workspace.folder, file.path)} ${file.action}`);

  it('restores links of every kind, and can be undone exactly', async () => {
    workspace.write('target.txt', 'target\n');
    workspace.write('file-to-link.txt', 'a file\n');
    workspace.write('file-to-dangling.txt', 'a file\n');
    [
      ['target.txt', 'changed-link'],
      ['target.txt', 'deleted-link'],
      ['target.txt', 'link-to-file'],
      ['nowhere', 'dangling'],
      ['/etc/passwd', 'absolute'],
    ].forEach(([target, name]) => symlinkSync(target!, workspace.at(name!)));
    await begin();
    const before = workspace.tree();
    const { files } = await playTurn(session, 'one', () => {
      const relink = (name: string, target?: string): void => {
        rmSync(workspace.at(name), { force: true });
        void (target !== undefined && symlinkSync(target, workspace.at(name)));
      };
      relink('file-to-link.txt', 'target.txt');
      relink('file-to-dangling.txt', 'nowhere at all');
      relink('changed-link', 'file-to-link.txt');
      relink('deleted-link');
      relink('dangling', 'elsewhere');
      relink('absolute', outside);
      relink('new-link', 'target.txt');
      relink('new-outside', outside);
      relink('link-to-file');
      workspace.write('link-to-file', 'a file by now\n');
    });
    assert.equal(files.length, 9);
    const after = workspace.tree();
    const plan = (await restore.toCheckpoint('one'))!;
    assert.deepEqual(
      plan.files.filter(({ action, changedSince }) => action === 'unavailable' || action === 'none' || changedSince),
      [],
    );
    const { restoreId, reasons } = await restore.perform(plan);
    assert.deepEqual(reasons, []);
    assert.deepEqual(workspace.tree(), before);
    await restore.perform((await restore.undoing(restoreId!))!);
    assert.deepEqual(workspace.tree(), after);
    assert.equal(workspace.read('target.txt'), 'target\n');
  });

  it('restores a folder that became a link to another place, and touches nothing there', async () => {
    workspace.write('conf/authorized_keys', 'ours\n');
    workspace.write('conf/evil.sh', 'ours\n');
    writeFileSync(path.join(outside, 'authorized_keys'), 'of the user\n');
    await begin();
    const before = workspace.tree();
    const { log } = session;
    const states = new Map(
      await Promise.all(
        ['authorized_keys', 'evil.sh'].map(async (name) => {
          const file = workspace.at(`conf/${name}`);
          await session.store.put(readFileSync(file));
          return [file, await restore.stateOf(file)] as const;
        }),
      ),
    );
    rmSync(workspace.at('conf'), { recursive: true });
    symlinkSync(outside, workspace.at('conf'));
    const at = Date.now();
    await log.append({ type: 'checkpoint', turnId: 'one', at });
    await log.append({
      type: 'turn',
      turnId: 'one',
      at,
      files: [
        { path: workspace.at('conf'), before: { kind: 'none' }, after: { kind: 'link', target: outside } },
        ...[...states].map(([file, state]) => ({ path: file, before: state, after: { kind: 'none' } as const })),
      ],
    });
    const plan = (await restore.toCheckpoint('one'))!;
    assert.deepEqual(actions(plan.files), ['conf delete', 'conf/authorized_keys create', 'conf/evil.sh create']);
    // Without the deletion of the link, nothing can be written below it.
    const alone = await restore.perform({ ...plan, files: plan.files.slice(1) });
    assert.deepEqual(
      alone.reasons.map(({ reason }) => reason),
      ['outside', 'outside'],
    );
    const { restoreId, reasons } = await restore.perform(plan);
    assert.deepEqual(reasons, []);
    assert.deepEqual(workspace.tree(), before);
    const undone = await restore.perform((await restore.undoing(restoreId!))!);
    assert.deepEqual(undone.reasons, []);
    assert.equal(workspace.tree()['conf'], `-> ${outside}`);
    assert.deepEqual(workspace.tree(outside, []), { authorized_keys: workspace.tree(outside, [])['authorized_keys'] });
    assert.equal(readFileSync(path.join(outside, 'authorized_keys'), 'utf8'), 'of the user\n');
  });

  it('leaves a file that was replaced by a link after the preview', async () => {
    workspace.write('hooks-sample/post-checkout', 'before\n');
    workspace.write('a.txt', 'before\n');
    await begin();
    await playTurn(session, 'one', () => {
      workspace.write('hooks-sample/post-checkout', 'by the agent\n');
      workspace.write('a.txt', 'by the agent\n');
    });
    const plan = (await restore.toCheckpoint('one'))!;
    renameSync(workspace.at('hooks-sample'), workspace.at('moved'));
    symlinkSync('.git/hooks', workspace.at('hooks-sample'));
    renameSync(workspace.at('a.txt'), workspace.at('b.txt'));
    symlinkSync('b.txt', workspace.at('a.txt'));
    const git = workspace.tree(workspace.at('.git'), []);
    const { restored, reasons } = await restore.perform(
      plan,
      plan.files.map((file) => file.path),
    );
    assert.deepEqual(restored, []);
    assert.deepEqual(
      reasons.map((file) => `${path.relative(workspace.folder, file.path)} ${file.reason}`),
      ['a.txt changed', 'hooks-sample/post-checkout outside'],
    );
    assert.equal(workspace.read('b.txt'), 'by the agent\n');
    assert.deepEqual(workspace.tree(workspace.at('.git'), []), git);
  });

  it('keeps permissions, and the second name of a file', async () => {
    workspace.write('secret.txt', 'before\n');
    workspace.write('linked.txt', 'before\n');
    await begin();
    await session.recorder.copied();
    await playTurn(session, 'one', () => {
      workspace.write('secret.txt', 'by the agent\n');
      workspace.write('linked.txt', 'by the agent\n');
    });
    linkSync(workspace.at('linked.txt'), path.join(outside, 'second name'));
    const plan = (await restore.toCheckpoint('one'))!;
    assert.deepEqual((await restore.perform(plan)).reasons, []);
    assert.equal(readFileSync(path.join(outside, 'second name'), 'utf8'), 'before\n');
    assert.equal(statSync(workspace.at('linked.txt')).nlink, 2);
  });

  it('names files that another session has written too, and those whose version cannot be read', async () => {
    workspace.write('shared.txt', 'before\n');
    workspace.write('lost.txt', 'before, and lost\n');
    workspace.write('fine.txt', 'before, and fine\n');
    await begin();
    const { files } = await playTurn(session, 'one', () =>
      ['shared.txt', 'lost.txt', 'fine.txt'].forEach((name) => workspace.write(name, 'by the agent\n')),
    );
    const lost = files.find((file) => file.path.endsWith('lost.txt'))!.before;
    const get = session.store.get.bind(session.store);
    session.store.get = async (hash) => (lost.kind === 'file' && hash === lost.hash ? undefined : get(hash));
    await session.log.append({
      type: 'turn',
      turnId: 'two',
      at: Date.now(),
      files: files.filter((file) => file.path.endsWith('shared.txt')).map((file) => ({ ...file, shared: true })),
    });
    const plan = (await restore.toCheckpoint('one'))!;
    assert.deepEqual(actions(plan.files), ['fine.txt write', 'lost.txt unavailable', 'shared.txt write']);
    assert.deepEqual(
      plan.files.map(({ shared }) => shared ?? false),
      [false, false, true],
    );
    mkdirSync(workspace.at('unrelated'));
    await restore.perform(plan);
    assert.equal(workspace.read('lost.txt'), 'by the agent\n');
  });

  it('does not count the files of an interrupted restore as changed since', async () => {
    ['a.txt', 'b.txt', 'c.txt'].forEach((name) => workspace.write(name, 'before\n'));
    await begin();
    await playTurn(session, 'one', () => ['a.txt', 'b.txt', 'c.txt'].forEach((name) => workspace.write(name, 'by the agent\n')));
    const plan = (await restore.toCheckpoint('one'))!;
    await session.log.append({
      type: 'restore',
      restoreId: 'killed',
      at: Date.now(),
      ends: true,
      files: plan.files.map((file) => ({ path: file.path, before: file.now, after: file.to })),
    });
    workspace.write('a.txt', 'before\n');
    workspace.write('c.txt', 'by the user\n');
    const again = (await restore.toCheckpoint('one'))!;
    assert.deepEqual(
      again.files.map(({ changedSince }) => changedSince),
      [false, false, true],
    );
  });
});
