/** The model of each byte's author, for files that are reached through a link or by a second name. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { disposeTemplates } from './many';
import { ModelSession, type Outcome } from './session';
import { replay } from './shrink';
import type { FileStep, Sequence, SessionStep } from './steps';
import { World } from './world';

const turn: SessionStep = { by: 'session', do: 'turn', hurry: false };
const end: SessionStep = { by: 'session', do: 'end' };
const keep = (nth: number): SessionStep => ({ by: 'session', do: 'keep', scope: 'file', nth });
const undo = (scope: 'all' | 'file' | 'hunk', nth = 0): SessionStep => ({ by: 'session', do: 'undo', scope, nth, choose: false });
const agent = (number: number, what: Omit<FileStep, 'number' | 'by'>): FileStep => ({ by: 'agent', number, ...what });
const user = (number: number, what: Omit<FileStep, 'number' | 'by'>): FileStep => ({ by: 'user', via: 'terminal', number, ...what });
const plain = (...steps: Sequence['steps']): Sequence => ({ kind: 'plain', seed: 0, steps });

/** Returns a session whose undo empties the files `names`. */
const emptying =
  (...names: readonly string[]) =>
  (folder: World): ModelSession =>
    new (class extends ModelSession {
      override async undoChanges(): Promise<Outcome> {
        names.forEach((name) => writeFileSync(folder.at(name), ''));
        return { chosen: [], left: [] };
      }
    })(folder);

describe('the model of files with links and several names', function () {
  this.timeout(60_000);
  let world: World;
  before(() => (world = World.begin()));
  after(async () => {
    await world.dispose();
    disposeTemplates();
  });

  it('keeps a file that a restore has put back, when the next turn wrote the moved one early', async () => {
    const restore: SessionStep = { by: 'session', do: 'restore', nth: 0, choose: false };
    const sequence = plain(
      turn,
      user(11, { do: 'link', at: 2, path: 'link.txt', to: 'lib2x/z.txt' }),
      agent(21, { do: 'move', tell: 'silent', path: 'src/deep/d.txt', to: 'lib2x/z.txt' }),
      end,
      restore,
      { ...turn, hurry: true },
      agent(61, { do: 'write', tell: 'before', at: 4, path: 'link.txt' }),
      end,
      { by: 'session', do: 'undoRestore', choose: false },
    );
    assert.equal(await replay(world, sequence), undefined);
  });

  it('undoes a restore exactly, when a later turn had already replaced the moved file before it', async () => {
    const sequence = plain(
      turn,
      agent(31, { do: 'move', tell: 'after', path: 'src/c.txt', to: 'made/new.txt' }),
      end,
      turn,
      agent(41, { do: 'move', tell: 'before', path: 'b.txt', to: 'made/new.txt' }),
      end,
      { by: 'session', do: 'restore', nth: 0, choose: false },
      { by: 'session', do: 'undoRestore', choose: false },
    );
    assert.equal(await replay(world, sequence), undefined);
  });

  describe("the agent's copy of a file", () => {
    const copied = (step: FileStep): Sequence =>
      plain(turn, agent(11, { do: 'copy', path: 'a.txt', to: 'lib2x/z.txt', tell: 'silent' }), end, step, undo('all'));

    it('may go when the user wrote over the file through a link', async () => {
      assert.equal(await replay(world, copied(user(21, { do: 'write', path: 'link.txt', at: 1 }))), undefined);
    });

    for (const [name, step] of [
      ['deletes', user(21, { do: 'delete', path: 'link.txt' })],
      ['moves a file over', user(21, { do: 'move', path: 'b.txt', to: 'link.txt' })],
      ['replaces the target of', user(21, { do: 'link', path: 'link.txt', to: 'b.txt' })],
    ] as const) {
      it(`does not excuse the loss of the file when the user ${name} the link`, async () => {
        assert.match((await replay(world, copied(step), emptying('a.txt', 'lib2x/z.txt')))?.message ?? '', /of a\.txt.* is nowhere/);
      });
    }
  });

  it("allows the undo of a file's change when the user kept only a link to the file", async () => {
    const given = plain(
      turn,
      agent(11, { do: 'edit', path: 'big.txt', at: 0, tell: 'announced' }),
      agent(31, { do: 'link', path: 'run.sh', to: 'big.txt', tell: 'silent' }),
      end,
      keep(1),
      undo('all'),
    );
    assert.equal(await replay(world, given), undefined);
  });

  describe("a second name that the agent made for a file with the agent's lines", () => {
    const named = (...steps: Sequence['steps']): Sequence =>
      plain(
        turn,
        agent(11, { do: 'write', path: 'empty.txt', at: 0, tell: 'after' }),
        agent(31, { do: 'hardLink', path: 'empty.txt', to: 'made/new.txt', tell: 'silent' }),
        end,
        ...steps,
      );

    it('allows the undo of the lines in the row of the file when only the name was kept', async () => {
      assert.equal(await replay(world, named(keep(1), undo('hunk'))), undefined);
    });

    it('keeps the lines when the row of the file was kept', async () => {
      assert.equal(await replay(world, named(keep(0), undo('all'))), undefined);
    });

    for (const [name, steps] of [
      ['the row of the file was', [keep(0)]],
      ['both rows were', [keep(1), keep(0)]],
    ] as const) {
      it(`does not excuse the loss of the lines when ${name} kept`, async () => {
        // The last turn leaves a change that can be undone.
        const later = [turn, agent(51, { do: 'write', path: 'core-new', at: 0, tell: 'after' }), end, undo('all')] as const;
        assert.match(
          (await replay(world, named(...steps, ...later), emptying('empty.txt')))?.message ?? '',
          /which the user kept, is nowhere/,
        );
      });
    }
  });
});
