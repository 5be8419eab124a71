/** The next prompt reports changes to the agent: the changes that the user undid or overwrote, once. */
import assert from 'node:assert/strict';
import { ChangeReport, type FileNote } from '../../../src/changes/review/changeReport';
import { Review } from '../../../src/changes/review/review';
import { systemClock } from '../../../src/util/clock';
import { playTurn, Workspace, type WorkspaceSession } from '../../support/changes/workspace';

describe('a report of changes', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let review: Review;
  let report: ChangeReport;
  let turns = 0;
  let sent: string[];
  const open: { dispose(): void }[] = [];
  const path = (): string => workspace.at('a.txt');

  async function load(): Promise<void> {
    review = new Review({
      store: session.store,
      folder: session.storeFolder,
      clock: systemClock,
      text: async (file) => workspace.read(file.slice(workspace.folder.length + 1)),
      decode: async (_, bytes) => Buffer.from(bytes).toString(),
    });
    report = new ChangeReport({
      sessionKey: 'session',
      folder: session.storeFolder,
      clock: systemClock,
      review,
      nameOf: (file) => file.slice(workspace.folder.length + 1),
      access: { maySend: () => true, refresh: () => undefined, onDidChange: () => ({ dispose: () => undefined }) },
      wasSent: (uri) => sent.includes(uri),
    });
    open.push(review, report);
    await review.load();
    await report.load();
  }

  async function reload(): Promise<void> {
    await Promise.all([review.flush(), report.flush()]);
    session = workspace.session();
    await load();
  }

  beforeEach(async () => {
    [turns, sent] = [0, []];
    workspace = new Workspace(true);
    workspace.write('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n');
    workspace.commit();
    await workspace.settle();
    session = workspace.session();
    await load();
    await agentWrites('one\n2\nthree\nfour\nfive\nsix\n7\neight\nnine\n');
  });

  afterEach(() => {
    open.splice(0).forEach((each) => each.dispose());
    workspace.dispose();
  });

  async function agentWrites(text: string): Promise<void> {
    const { turnId, files } = await playTurn(session, `turn-${++turns}`, () => workspace.write('a.txt', text));
    report.written(files.map((file) => file.path));
    await review.recorded(turnId, files);
  }

  /** Replaces the first occurrence of `old` in the file, as the user does. */
  function userReplaces(old: string, text: string): void {
    const start = workspace.read('a.txt').indexOf(old);
    const edit = { start, end: start + old.length, text };
    workspace.write('a.txt', workspace.read('a.txt').replace(old, text));
    review.documentChanged(path(), [edit], { type: 'user' });
  }

  function undo(index: number): void {
    const { hunkId } = review.file(path())!.hunks!.hunks[index]!;
    for (const { start, end, text } of review.undoEdits(path(), [hunkId])) {
      const before = workspace.read('a.txt');
      workspace.write('a.txt', before.slice(0, start) + text + before.slice(end));
      review.documentChanged(path(), [{ start, end, text }], { type: 'user' });
    }
  }

  const textOf = (taken = report.take()): string => {
    const [block] = taken?.content ?? [];
    return block?.type === 'resource' ? block.text! : '';
  };

  it('omits changes that the user only viewed, or kept unchanged', () => {
    assert.deepEqual(report.summary, []);
    review.keep(path());
    assert.deepEqual(report.summary, []);
    assert.equal(report.take(), undefined);
  });

  it("describes undone changes once, as a diff against the agent's version", () => {
    undo(0);
    undo(1);
    assert.deepEqual(report.summary, [{ path: 'a.txt', undone: 2 }]);
    const text = textOf();
    assert.match(text, /^## a\.txt\n\nThe user undid 2 of your changes\./m);
    assert.ok(text.endsWith('--- a.txt\n+++ a.txt\n@@ -1,9 +1,8 @@\n one\n-2\n+two\n three\n four\n five\n six\n 7\n eight\n-nine\n```'));
    assert.deepEqual(report.summary, []);
    assert.equal(report.take(), undefined);
  });

  it("describes the user's edits in a change, kept or not, and only those since the last report", () => {
    userReplaces('7', 'seven!');
    assert.deepEqual(report.summary, [{ path: 'a.txt', changed: 1 }]);
    review.keep(path());
    assert.deepEqual(report.summary, [{ path: 'a.txt', changed: 1 }]);
    assert.match(textOf(), /The user edited 1 of your changes\.[\s\S]*\n-7\n\+seven!\n/);
    assert.deepEqual(report.summary, []);
  });

  it('describes a second edit of a change relative to the reported first one', () => {
    userReplaces('7', 'seven!');
    report.take();
    userReplaces('seven!', 'seven?');
    assert.match(textOf(), /\n-seven!\n\+seven\?\n/);
    userReplaces('seven?', '7');
    assert.match(textOf(), /\n-seven\?\n\+7\n/);
  });

  it('omits edits outside changes, reverted edits, and writes of another program', async () => {
    userReplaces('four', 'vier');
    assert.deepEqual(report.summary, []);
    undo(0);
    userReplaces('two', '2');
    assert.deepEqual(report.summary, []);
    workspace.write('a.txt', 'another branch\n');
    await review.fileChanged(path());
    assert.deepEqual(report.summary, []);
  });

  it('describes that an undone change was applied again, if its undo was reported', () => {
    undo(0);
    report.take();
    const { hunkId } = review.file(path())!.hunks!.setAside[0]!;
    const edit = review.file(path())!.hunks!.reapplyEdit(hunkId)!;
    userReplaces('two\n', edit.text);
    assert.deepEqual(report.summary, [{ path: 'a.txt', applied: 1 }]);
    assert.match(textOf(), /\n-two\n\+2\n/);
    undo(0);
    assert.deepEqual(report.summary, [{ path: 'a.txt', undone: 1 }]);
  });

  it('describes an edit that replaced a change and the text around it', () => {
    userReplaces('six\n7\neig', 'x');
    assert.deepEqual(report.summary, [{ path: 'a.txt', changed: 1 }]);
    assert.match(textOf(), /^-7$/m);
    assert.deepEqual(report.summary, []);
  });

  it('omits dismissed entries, even after a reload, and includes later ones', async () => {
    undo(0);
    report.dismiss(path());
    assert.deepEqual(report.summary, []);
    await reload();
    assert.equal(report.take(), undefined);
    undo(0);
    assert.deepEqual(report.summary, [{ path: 'a.txt', undone: 1 }]);
  });

  it('is kept across a reload, and sent once', async () => {
    undo(0);
    userReplaces('7', 'seven!');
    await reload();
    assert.deepEqual(report.summary, [{ path: 'a.txt', undone: 1, changed: 1 }]);
    assert.match(textOf(), /-2\n\+two[\s\S]*-7\n\+seven!/);
    await reload();
    assert.equal(report.take(), undefined);
  });

  it('is sent once even if a crash follows the prompt', async () => {
    undo(0);
    await reload();
    sent = ['acp-host:/session/your-changes-1.md'];
    await reload();
    assert.equal(report.take(), undefined);
  });

  it('is restored when the prompt was not sent, except for entries added since', () => {
    undo(0);
    undo(0);
    const taken = report.take()!;
    userReplaces('seven', '7');
    taken.markUnsent();
    assert.deepEqual(report.summary, [{ path: 'a.txt', undone: 1 }]);
    assert.match(textOf(), /^-2\n\+two$/m);
  });

  it('omits an undone change that the agent overwrote in a later turn', async () => {
    undo(0);
    await agentWrites(workspace.read('a.txt').replace('two', 'TWO'));
    assert.deepEqual(report.summary, []);
  });

  it('describes whole files; a reverted entry, or a write of the agent, removes it', () => {
    const note: FileNote = {
      path: path(),
      whole: 'restored',
      words: 'It was put back.',
      believed: { kind: 'file', hash: 'a', size: 1, mode: 0o644, kept: true },
      actual: { kind: 'none' },
      diff: '@@ -1,1 +0,0 @@\n-a',
    };
    report.note(note);
    assert.deepEqual(report.summary, [{ path: 'a.txt', whole: 'deleted' }]);
    report.note({ ...note, believed: note.actual, actual: note.believed });
    assert.deepEqual(report.summary, []);
    report.note({ ...note, actual: { kind: 'file', hash: 'b', size: 1, mode: 0o644, kept: true } });
    assert.deepEqual(report.summary, [{ path: 'a.txt', whole: 'restored' }]);
    report.written([path()]);
    assert.deepEqual(report.summary, []);
    report.note(note);
    report.written([path()]);
    assert.deepEqual(report.summary, []);
    report.note(note);
    assert.match(textOf(), /## a\.txt\n\nIt was put back\. From your version/);
    assert.equal(report.take(), undefined);
  });

  it('omits long diffs from the message, and fences text that looks like a fence', () => {
    userReplaces('7', `${'seven '.repeat(10_000)}`);
    assert.match(textOf(), /too long for this message: read the file/);
    userReplaces('2', '```\n````');
    assert.match(textOf(), /\n`````diff\n[\s\S]*\n`````$/);
  });

  it('omits the diffs of files beyond 4 M characters, and counts their changes', async () => {
    const before = 'line\n'.repeat(300_000);
    const names = ['b.txt', 'c.txt'];
    names.forEach((name) => workspace.write(name, before));
    workspace.commit();
    await workspace.settle();
    const { turnId, files } = await playTurn(session, 'turn-large', () =>
      names.forEach((name) => workspace.write(name, `${before}agents\n`)),
    );
    await review.recorded(turnId, files);
    names.forEach((name) => review.documentChanged(workspace.at(name), review.undoEdits(workspace.at(name)), { type: 'user' }));
    const text = textOf();
    assert.match(text, /## b\.txt\n\nThe user undid 1 of your changes\. From your version/);
    assert.match(text, /## c\.txt\n\nThe user undid 1 of your changes\. The difference is too long/);
  });
});
