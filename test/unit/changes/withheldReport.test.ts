/** The report of changes leaves out the text of files that the user has not agreed to show to the agent. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ChangeReport, type FileNote } from '../../../src/changes/review/changeReport';
import { Review } from '../../../src/changes/review/review';
import { Consents } from '../../../src/policy/consents';
import { ReadAccess } from '../../../src/policy/readAccess';
import { systemClock } from '../../../src/util/clock';
import { identityOf } from '../../../src/util/checkedFiles';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const SECRET = 'sk_live_4711';

describe('a report of changes', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let review: Review;
  let report: ChangeReport;
  let consents: Consents;
  let access: ReadAccess;
  let setting: Record<string, string>;
  let turns = 0;
  let nameOf: (file: string) => string;
  const open: { dispose(): void }[] = [];
  const at = (name: string): string => workspace.at(name);

  async function load(): Promise<void> {
    const folder = session.storeFolder;
    review = new Review({
      store: session.store,
      folder,
      clock: systemClock,
      text: async (file) => readFileSync(file, 'utf8'),
      decode: async (_, bytes) => Buffer.from(bytes).toString(),
    });
    access = new ReadAccess({
      roots: { cwd: workspace.folder, additionalDirectories: [] },
      consents,
      setting: () => setting,
      nameOf: (file) => nameOf(file),
      now: () => 0,
    });
    report = new ChangeReport({
      sessionKey: 'session',
      folder,
      clock: systemClock,
      review,
      nameOf: (file) => nameOf(file),
      access,
      wasSent: () => false,
    });
    open.push(review, report, access);
    await review.load();
    await report.load();
    await access.settled();
  }

  async function reload(): Promise<void> {
    await Promise.all([review.flush(), report.flush()]);
    session = workspace.session();
    await load();
  }

  beforeEach(async () => {
    [turns, setting, nameOf] = [0, {}, (file) => file];
    workspace = new Workspace(true);
    for (const name of ['.env', 'plain.txt', 'config/settings.txt']) {
      workspace.write(name, 'one\ntwo\nthree\n');
    }
    workspace.commit();
    await workspace.settle();
    session = workspace.session();
    consents = new Consents();
    await load();
  });

  afterEach(() => {
    open.splice(0).forEach((each) => each.dispose());
    workspace.dispose();
  });

  async function agentDoes(what: () => void): Promise<void> {
    const { turnId, files } = await playTurn(session, `turn-${++turns}`, what);
    files.forEach(({ path: file, oldPath }) => oldPath !== undefined && report.moved(file, oldPath));
    report.written(files.map((file) => file.path));
    await review.recorded(turnId, files);
    await access.settled();
  }

  /** The agent changes the second line of a file, and the user writes a secret there. */
  async function secretIn(name: string): Promise<void> {
    await agentDoes(() => workspace.write(name, 'one\nagent\nthree\n'));
    userWrites(name, 'agent', SECRET);
    await access.settled();
  }

  function userWrites(name: string, old: string, text: string): void {
    const start = workspace.read(name).indexOf(old);
    workspace.write(name, workspace.read(name).replace(old, text));
    review.documentChanged(at(name), [{ start, end: start + old.length, text }], { type: 'user' });
  }

  const note = (name: string, more: Partial<FileNote> = {}): FileNote => ({
    path: at(name),
    whole: 'undone',
    words: 'It was put back.',
    believed: { kind: 'file', hash: 'a', size: 1, mode: 0o644, kept: true },
    actual: { kind: 'none' },
    diff: `@@ -1,1 +1,1 @@\n-agent\n+${SECRET}`,
    ...more,
  });

  function textOf(taken = report.take()): string {
    const [block] = taken?.content ?? [];
    return block?.type === 'resource' ? block.text! : '';
  }

  async function stored(): Promise<string> {
    await report.flush();
    return Buffer.from((await session.storeFolder.readAll('report.json'))!).toString();
  }

  async function agree(name: string): Promise<void> {
    consents.agree((await identityOf(at(name)))!);
    await access.settled();
  }

  async function assertWithheld(name: string): Promise<void> {
    assert.doesNotMatch(await stored(), new RegExp(SECRET));
    const text = textOf();
    assert.ok(text.includes(`## ${nameOf(at(name))}\n`), text);
    assert.doesNotMatch(text, new RegExp(SECRET));
    assert.doesNotMatch(text, /agent\n/);
    assert.match(text, /The difference is not in this message/);
    assert.doesNotMatch(await stored(), new RegExp(SECRET), 'the report was sent, and its text is stored');
  }

  it('contains the text of a file that no rule protects', async () => {
    await secretIn('plain.txt');
    assert.match(textOf(), new RegExp(`-agent\\n\\+${SECRET}`));
  });

  it('mentions that a protected file was changed, without its text', async () => {
    await secretIn('.env');
    assert.deepEqual(report.summary, [{ path: at('.env'), changed: 1 }]);
    await assertWithheld('.env');
  });

  it('leaves out the text of an undone change', async () => {
    workspace.write('.env', `one\n${SECRET}\nthree\n`);
    workspace.commit();
    await agentDoes(() => workspace.write('.env', 'one\nagent\nthree\n'));
    const { hunkId } = review.file(at('.env'))!.hunks!.hunks[0]!;
    for (const edit of review.undoEdits(at('.env'), [hunkId])) {
      userWrites('.env', workspace.read('.env').slice(edit.start, edit.end), edit.text);
    }
    assert.deepEqual(report.summary, [{ path: at('.env'), undone: 1 }]);
    await assertWithheld('.env');
  });

  it('leaves out an earlier diff, and does not store it', async () => {
    report.note(note('.env'));
    await access.settled();
    await assertWithheld('.env');
  });

  it('contains the text after the user agreed to reading this very file', async () => {
    await secretIn('.env');
    report.note(note('config/settings.txt'));
    await agree('.env');
    assert.match(textOf(), new RegExp(`-agent\\n\\+${SECRET}`));
  });

  it('leaves it out again after another file replaced the one that the user agreed to', async () => {
    await secretIn('.env');
    await agree('.env');
    workspace.write('other', workspace.read('.env'));
    renameSync(at('other'), at('.env'));
    await review.fileChanged(at('.env'));
    await access.settled();
    await assertWithheld('.env');
  });

  it('leaves it out while a consent is checked again', async () => {
    await secretIn('.env');
    await agree('.env');
    userWrites('.env', SECRET, `${SECRET}2`);
    assert.doesNotMatch(textOf(), new RegExp(SECRET));
  });

  it('leaves it out while the first check runs, and when it failed', async () => {
    report.note(note('config/new.txt'));
    assert.doesNotMatch(textOf(), new RegExp(SECRET));
    nameOf = () => {
      throw new Error('no name');
    };
    assert.equal(access.maySend([at('config/other.txt')]), false);
    await access.settled();
    assert.equal(access.maySend([at('config/other.txt')]), false);
  });

  it('follows the name that the session uses, and other names that point to the file', async () => {
    await secretIn('plain.txt');
    symlinkSync('plain.txt', at('.env.local'));
    access.refresh([at('plain.txt')]);
    await access.settled();
    assert.equal(access.maySend([at('plain.txt')]), true, 'a fresh verdict is not checked again');
    setting = { unused: 'read' };
    access.maySend([at('plain.txt')]);
    await access.settled();
    await assertWithheld('plain.txt');

    nameOf = (file) => (file === at('config/settings.txt') ? at('.env.d/settings.txt') : file);
    await secretIn('config/settings.txt');
    await assertWithheld('config/settings.txt');
  });

  it('follows the other path of a moved file, also after a reload', async () => {
    rmSync(at('plain.txt'));
    await agentDoes(() => {
      renameSync(at('.env'), at('notes.txt'));
      workspace.git('add', '--all');
    });
    assert.deepEqual(report.otherPathsOf(at('notes.txt')), [at('.env')]);
    review.drop(at('notes.txt'));
    await reload();
    report.note(note('notes.txt', { moved: true }));
    await access.settled();
    await assertWithheld('notes.txt');
  });

  it('leaves out the text of a moved file whose other path is unknown', async () => {
    report.note(note('config/settings.txt', { moved: true }));
    await access.settled();
    await assertWithheld('config/settings.txt');
  });

  it('leaves out the text of a path that now points elsewhere', async () => {
    const outside = path.join(workspace.folder, '..', `${path.basename(workspace.folder)}-outside`);
    mkdirSync(outside);
    try {
      writeFileSync(path.join(outside, 'settings.txt'), SECRET);
      rmSync(at('config'), { recursive: true });
      symlinkSync(outside, at('config'));
      report.note(note('config/settings.txt'));
      await access.settled();
      await assertWithheld('config/settings.txt');
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('follows the rules at the time when it is sent', async () => {
    await secretIn('plain.txt');
    setting = { 'plain.txt': 'read' };
    assert.doesNotMatch(textOf(report.take()), new RegExp(SECRET));
    userWrites('plain.txt', SECRET, `${SECRET}2`);
    setting = {};
    access.maySend([at('plain.txt')]);
    await access.settled();
    assert.match(textOf(), new RegExp(SECRET));
  });

  it("is not repeated after a reload, and includes the user's later changes", async () => {
    await secretIn('.env');
    await assertWithheld('.env');
    await reload();
    assert.equal(report.take(), undefined);
    userWrites('.env', SECRET, `${SECRET}2`);
    await access.settled();
    assert.deepEqual(report.summary, [{ path: at('.env'), changed: 1 }]);
    await assertWithheld('.env');
  });
});
