/** Two sessions in one folder: the pending changes of the first one, while turns of the second one replace their lines and are undone. */
import assert from 'node:assert/strict';
import type { RestorePlan } from '../../../src/changes/restore';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace, type WorkspaceSession } from '../../support/changes/workspace';

const NAME = 'calc.js';
const LINES = Array.from({ length: 22 }, (_, index) => `  line(${index + 1});`);

/** The file with other lines at some line numbers. An empty list removes the line. */
function textWith(lines: Readonly<Record<number, string | readonly string[]>> = {}): string {
  return LINES.flatMap((line, index) => lines[index + 1] ?? line)
    .map((line) => `${line}\n`)
    .join('');
}

const FIRST = { 11: '  return b * a;' } as const;
const PENDING = ['  line(11);\n>  return b * a;\n'];

describe('a pending change whose lines another session replaces', function () {
  this.timeout(30_000);
  let workspace: Workspace;
  let session: WorkspaceSession;
  let first: Undoing;
  let second: Undoing;

  const at = (): string => workspace.at(NAME);
  const shown = ({ review }: Undoing): string[] => {
    const hunks = review.file(at())?.hunks;
    return hunks?.hunks.map(({ start, end, oldText }) => `${oldText}>${hunks.text.slice(start, end)}`) ?? [];
  };
  const turn = async (bench: Undoing, text: string): Promise<void> => {
    await bench.turn(() => workspace.write(NAME, text));
    const other = bench === first ? second : first;
    await other.review.fileChanged(at());
    await workspace.settle();
  };
  /** Undoes the second session's first change, with the document open or closed. */
  const undoHunk = async (isOpen: boolean): Promise<void> => {
    const { review, undo, editor } = second;
    const file = review.file(at())!;
    const hunkIds = file.hunks!.hunks.slice(0, 1).map(({ hunkId }) => hunkId);
    const edits = review.undoEdits(at(), hunkIds);
    void (isOpen && editor.open(at()));
    const { left } = await undo.perform(await undo.plan([{ file, hunkIds }]));
    assert.deepEqual(left, []);
    if (isOpen) {
      first.review.documentChanged(at(), edits, { type: 'user' });
    } else {
      await first.review.fileChanged(at());
    }
  };
  const perform = async (plan: RestorePlan): Promise<string> => {
    const { restoreId } = await session.restore.perform(plan, [at()]);
    for (const file of plan.files) {
      await first.review.restored(file.path, file.now, file.to);
    }
    return restoreId!;
  };
  const reload = async (): Promise<void> => {
    await first.review.flush();
    first.dispose();
    first = undoing(workspace, session);
    await first.review.load();
  };

  beforeEach(async () => {
    workspace = new Workspace(false);
    workspace.write(NAME, textWith());
    await workspace.settle();
    session = workspace.session({ key: 'first' });
    first = undoing(workspace, session);
    second = undoing(workspace, workspace.session({ key: 'second' }));
    await turn(first, textWith(FIRST));
    assert.deepEqual(shown(first), PENDING);
  });
  afterEach(() => {
    first.dispose();
    second.dispose();
    workspace.dispose();
  });

  for (const isOpen of [true, false]) {
    for (const [when, prepare] of [
      ['', async () => undefined],
      [
        ', after a restore and its undo',
        async () => {
          const restoreId = await perform((await session.restore.toCheckpoint('turn-1'))!);
          assert.deepEqual(shown(first), []);
          await perform((await session.restore.undoing(restoreId))!);
          await workspace.settle();
          assert.deepEqual(shown(first), PENDING);
        },
      ],
      [
        ', after another change in it was undone',
        async () => {
          await turn(second, textWith({ ...FIRST, 3: '  third();' }));
          await undoHunk(isOpen);
        },
      ],
    ] as const) {
      for (const [what, lines] of [
        ['the line', { 11: '  return a ** b;' }],
        ['the line by two', { 11: ['  check();', '  return a;'] }],
        ['the line by none', { 11: [] }],
        ['the lines around it', { 10: '  check();', 11: '  return a;', 12: [] }],
        ['the lines around it by none', { 10: [], 11: [], 12: [] }],
      ] as const) {
        it(`is pending again when one of two changes is undone: ${what}, ${isOpen ? 'open' : 'closed'}${when}`, async () => {
          await prepare();
          await turn(second, textWith({ ...FIRST, ...lines, 19: '  other();' }));
          assert.deepEqual(shown(first), []);
          await undoHunk(isOpen);
          assert.equal(workspace.read(NAME), textWith({ ...FIRST, 19: '  other();' }));
          assert.deepEqual([shown(first), first.review.file(at())?.hunks?.setAside], [PENDING, []]);
          await first.undoFiles([NAME]);
          assert.equal(workspace.read(NAME), textWith({ 19: '  other();' }));
        });
      }
    }
  }

  for (const isReloadedFirst of [true, false]) {
    it(`is pending again in a reloaded window, ${isReloadedFirst ? 'reloaded before' : 'undone before'}`, async () => {
      await turn(second, textWith({ 11: '  return a ** b;', 19: '  other();' }));
      await (isReloadedFirst && reload());
      await undoHunk(true);
      await (!isReloadedFirst && reload());
      assert.deepEqual(shown(first), PENDING);
    });
  }

  it('stays set aside when its text is typed elsewhere', async () => {
    await turn(second, textWith({ 11: '  return a ** b;', 19: '  other();' }));
    const typed = first.review.file(at())!.hunks!.text.indexOf('  line(5)');
    first.review.documentChanged(at(), [{ start: typed, end: typed, text: '  return b * a;\n' }], { type: 'user' });
    assert.deepEqual(shown(first), []);
  });
});
