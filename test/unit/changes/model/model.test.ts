/**
 * Random sequences of an agent's and a user's changes, undos and restores, beside a model that knows each byte's author. To play more of them: `npx
 * tsx test/unit/changes/model/run.ts --sequences 33000 --seed 1 --jobs 2`, or `ACP_HOST_MODEL_SEQUENCES` and `ACP_HOST_SEED` here.
 */
import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { disposeTemplates, playMany } from './many';
import { realPathOf } from '../../../../src/util/realPath';
import { lineEditBetween, realOf } from './documents';
import { linesBy } from './lines';
import { capture, linesInside, lostBy } from './oracle';
import { ModelSession, type Outcome } from './session';
import { replay, shrink } from './shrink';
import { type EditorStep, type FileStep, type Sequence, script, type SessionStep } from './steps';
import { World } from './world';

const SEQUENCES = Number(process.env['ACP_HOST_MODEL_SEQUENCES'] ?? 60);
const SEED = Number(process.env['ACP_HOST_SEED'] ?? 1);

const step = (number: number, what: Omit<FileStep, 'number' | 'by'> & { readonly by?: FileStep['by'] }): FileStep => ({
  by: 'agent',
  number,
  ...what,
});
const turn = (hurry = false): SessionStep => ({ by: 'session', do: 'turn', hurry });
const end: SessionStep = { by: 'session', do: 'end' };
const saved = (path: string): EditorStep => ({ by: 'editor', do: 'save', path, number: 0 });
const restore: SessionStep = { by: 'session', do: 'restore', nth: 0, choose: false };

describe("the model of each byte's author", function () {
  this.timeout(60_000);
  let world: World;
  before(() => (world = World.begin()));
  after(async () => {
    await world.dispose();
    disposeTemplates();
  });

  const sequence: Sequence = {
    kind: 'plain',
    seed: 0,
    steps: [
      step(11, { by: 'user', do: 'append', path: 'b.txt' }),
      turn(),
      step(21, { do: 'edit', path: 'a.txt', at: 0, tell: 'announced' }),
      step(31, { do: 'write', path: 'new.txt', tell: 'silent' }),
      end,
      step(41, { by: 'user', do: 'append', path: 'src/c.txt' }),
      restore,
    ],
  };

  it("reports nothing when the product restores only the agent's changes", async () => {
    assert.equal(await replay(world, sequence), undefined);
  });

  it('reports a line of the user that an action loses, and drops unnecessary steps', async () => {
    const careless = (folder: World): ModelSession =>
      new (class extends ModelSession {
        override async restoreTo(): Promise<Outcome> {
          writeFileSync(folder.at('src/c.txt'), '');
          return { chosen: [], left: [] };
        }
      })(folder);
    const failure = await replay(world, sequence, careless);
    assert.equal(failure?.rule, 'lost');
    const { steps } = (await shrink(world, failure, careless)).sequence;
    assert.deepEqual(
      steps.map((each) => each.do),
      ['restore'],
    );
  });

  it('reports writes of an action outside the folder, and in a .git', async () => {
    for (const [name, rule] of [
      ['../outside/a.txt', 'outside'],
      ['.git/config', 'git'],
    ] as const) {
      const reckless = (folder: World): ModelSession =>
        new (class extends ModelSession {
          override async restoreTo(): Promise<Outcome> {
            writeFileSync(folder.at(name), 'written');
            return { chosen: [], left: [] };
          }
        })(folder);
      assert.equal((await replay(world, { ...sequence, kind: 'git' }, reckless))?.rule, rule);
    }
  });

  it('reports content from outside the folder in the store', async () => {
    const curious = (folder: World): ModelSession => {
      const session = new ModelSession(folder);
      writeFileSync(path.join(folder.base, 'canary'), 'c1; canary');
      session.recorder.turnEnded = async () => {
        writeFileSync(path.join(folder.storage, 'pack-0'), 'c1; canary');
        return undefined;
      };
      return session;
    };
    assert.equal((await replay(world, { ...sequence, steps: sequence.steps.slice(0, -1) }, curious))?.rule, 'canary');
  });

  it('accepts the loss of files that the user chose, and of moved ones, but of no others', async () => {
    await world.reset('plain');
    const before = capture(world, []);
    rmSync(world.at('a.txt'));
    const after = capture(world, []);
    assert.match(lostBy(before, after, new Set(), new Map())?.message ?? '', /of a\.txt is nowhere/);
    assert.equal(lostBy(before, after, new Set(['a.txt']), new Map()), undefined);
    writeFileSync(world.at('moved.txt'), before.files.get('a.txt')!.text, 'latin1');
    assert.equal(lostBy(before, capture(world, []), new Set(), new Map()), undefined);
  });

  describe('a line that the user typed over, and that is only on the disk', () => {
    const retyped = (path: string, at: number, numbers: readonly number[]): readonly EditorStep[] =>
      numbers.map((number) => ({ by: 'editor', do: 'retype', path, at, number }));
    const undoRestore: SessionStep = { by: 'session', do: 'undoRestore', choose: true };
    const chosen: SessionStep = { ...restore, choose: true };
    const typed = (path: string, at: number, numbers: readonly number[]): Sequence => ({
      kind: 'plain',
      seed: 0,
      steps: [turn(), step(21, { do: 'edit', path, at: 0, tell: 'after' }), end, ...retyped(path, at, numbers), chosen, undoRestore],
    });

    for (const [name, given] of [
      ['in the middle', typed('b.txt', 1, [51])],
      ['at the end', typed('a.txt', 3, [51])],
      ['twice', typed('src/c.txt', 2, [51, 61])],
    ] as const) {
      it(`goes with the undo of a restore that saved the text of the user first: ${name}`, async () => {
        assert.equal(await replay(world, given), undefined);
      });
    }

    it('ends with the very bytes that are on the disk when the user had saved the text', async () => {
      const unsaved = typed('b.txt', 1, [51]);
      const save: EditorStep = { by: 'editor', do: 'save', path: 'b.txt', number: 61 };
      const texts: string[] = [];
      for (const steps of [unsaved.steps, unsaved.steps.toSpliced(4, 0, save)]) {
        assert.equal(await replay(world, { ...unsaved, steps }), undefined);
        texts.push(capture(world, []).files.get('b.txt')!.text);
      }
      assert.equal(texts[0], texts[1]);
      assert.match(texts[0]!, /u51; typed/);
    });

    it('counts as lost when no restore has saved the text', async () => {
      const careless = (folder: World): ModelSession =>
        new (class extends ModelSession {
          override async restoreTo(): Promise<Outcome> {
            rmSync(folder.at('b.txt'));
            return { chosen: [], left: [] };
          }
        })(folder);
      assert.match((await replay(world, typed('b.txt', 1, [51]), careless))?.message ?? '', /of b\.txt is nowhere/);
    });
  });

  describe('a line from outside the folder', () => {
    const moveIn = (path: string): FileStep => step(21, { do: 'moveIn', path, tell: 'silent' });
    const played = (...steps: readonly FileStep[]): Sequence => ({ kind: 'plain', seed: 0, steps: [turn(), ...steps, end, restore] });

    it('is found when that very file is lost', async () => {
      const careless = (folder: World): ModelSession =>
        new (class extends ModelSession {
          override async restoreTo(): Promise<Outcome> {
            rmSync(folder.at('run.sh'));
            return { chosen: [], left: [] };
          }
        })(folder);
      const found = await replay(
        world,
        played(moveIn('run.sh'), step(31, { do: 'edit', path: 'run.sh', at: 0, tell: 'silent' })),
        careless,
      );
      assert.match(found?.message ?? '', /of run\.sh is nowhere/);
    });

    for (const name of ['run.sh', 'src/c.txt', 'new.txt']) {
      it(`leaves no trace once the agent made another file of it: ${name}`, async () => {
        const sequence = played(moveIn(name), step(31, { do: 'sed', path: name, at: 0, tell: 'silent' }));
        const recorded: unknown[] = [];
        const recording = (folder: World): ModelSession => {
          const session = new ModelSession(folder);
          const { recorder } = session;
          const turnEnded = recorder.turnEnded.bind(recorder);
          recorder.turnEnded = async (turnId) => {
            const found = await turnEnded(turnId);
            recorded.push(found?.files);
            return found;
          };
          return session;
        };
        assert.equal(await replay(world, sequence, recording), undefined);
        await world.reset('plain');
        const session = recording(world);
        // The agent itself writes the same bytes.
        await delay(30);
        session.turnStarted();
        await session.recorder.copied();
        await delay(30);
        const [, kept] = linesBy('u', readFileSync(path.join(world.base, 'arrivals', 'in.txt'), 'latin1'));
        const mode = statSync(path.join(world.base, 'arrivals', 'in.txt')).mode;
        writeFileSync(world.at(`${name}.new`), `a31; by agent\n${kept}\n`, { mode });
        renameSync(world.at(`${name}.new`), world.at(name));
        await session.turnEnded();
        await session.dispose();
        assert.deepEqual(recorded[1], recorded[0]);
      });
    }
  });

  describe('a line that the user deletes while the agent has a copy of it', () => {
    const copied = (from: string, ...steps: Sequence['steps']): Sequence => ({
      kind: 'plain',
      seed: 0,
      steps: [turn(), step(11, { do: 'copy', path: from, to: 'new.txt', tell: 'after' }), end, ...steps, restore],
    });
    const replaced = (what: 'move' | 'copy', to: string): FileStep => step(31, { by: 'user', do: what, path: 'src/c.txt', to });

    for (const [name, given] of [
      ['types over it and saves', copied('b.txt', { by: 'editor', do: 'retype', path: 'b.txt', at: 1, number: 21 }, saved('b.txt'))],
      ['moves another file over it', copied('b.txt', replaced('move', 'b.txt'))],
      ['copies another file over it', copied('a.txt', replaced('copy', 'a.txt'))],
    ] as const) {
      it(`goes with the copy when the user ${name}`, async () => {
        assert.equal(await replay(world, given), undefined);
      });
    }

    it('is lost when the copy goes and the text is not saved', async () => {
      const careless = (folder: World): ModelSession =>
        new (class extends ModelSession {
          override async restoreTo(): Promise<Outcome> {
            ['b.txt', 'new.txt'].forEach((name) => rmSync(folder.at(name)));
            return { chosen: [], left: [] };
          }
        })(folder);
      const given = copied('b.txt', { by: 'editor', do: 'retype', path: 'b.txt', at: 1, number: 21 });
      assert.match((await replay(world, given, careless))?.message ?? '', /is nowhere/);
    });
  });

  it('treats a line that the user typed over a pattern of the agent as a part of its change', async () => {
    const steps: Sequence['steps'] = [
      turn(),
      step(21, { do: 'ignore', path: 'untracked.txt', tell: 'announced' }),
      end,
      { by: 'editor', do: 'retype', path: '.gitignore', at: 2, number: 41 },
      { by: 'session', do: 'undo', scope: 'all', nth: 0, choose: false },
    ];
    assert.equal(await replay(world, { kind: 'git', seed: 0, steps }), undefined);
  });

  it('leaves unsaved text when its file was written behind it, because VS Code does not save that', async () => {
    const steps: Sequence['steps'] = [
      turn(),
      { by: 'editor', do: 'type', path: 'b.txt', at: 3, number: 11 },
      end,
      step(21, { by: 'user', do: 'sed', path: 'b.txt', at: 1 }),
      turn(),
      step(31, { do: 'append', path: 'b.txt', tell: 'silent' }),
      end,
      { by: 'session', do: 'restore', nth: 1, choose: true },
      { by: 'session', do: 'undoRestore', choose: false },
    ];
    assert.equal(await replay(world, { kind: 'plain', seed: 0, steps }), undefined);
    assert.match(readFileSync(world.at('b.txt'), 'latin1'), /u21; by user\n[^]*a31; by agent/);
  });

  for (const [name, action] of [
    ['an undo', { by: 'session', do: 'undo', scope: 'all', nth: 0, choose: false }],
    ['a restore', restore],
  ] as const) {
    it(`keeps the lines of a file whose folder became a link, by ${name}`, async () => {
      const steps: Sequence['steps'] = [
        turn(true),
        step(21, { do: 'move', path: 'src/c.txt', to: 'core-new', tell: 'announced' }),
        step(31, { do: 'sed', path: 'core-new', at: 1, tell: 'announced' }),
        end,
        step(51, { by: 'user', via: 'terminal', do: 'linkFolder', path: 'src', at: 3 }),
        action,
      ];
      assert.equal(await replay(world, { kind: 'plain', seed: 0, steps }), undefined);
    });
  }

  for (const edit of [[], [step(31, { do: 'insert', path: 'link.txt', at: 1, tell: 'announced' })]]) {
    it(`keeps a file that was moved over a link when its deletion was kept${edit.length > 0 ? ', also when it was edited' : ''}`, async () => {
      const steps: Sequence['steps'] = [
        turn(true),
        step(21, { do: 'move', path: 'src/deep/d.txt', to: 'link.txt', tell: 'announced' }),
        ...edit,
        end,
        { by: 'session', do: 'keep', scope: 'file', nth: 1 },
        { by: 'session', do: 'reload', late: false },
        { by: 'session', do: 'undo', scope: 'all', nth: 0, choose: false },
      ];
      assert.equal(await replay(world, { kind: 'plain', seed: 0, steps }), undefined);
    });
  }

  it('keeps a file moved over a link when the row of the link comes back', async () => {
    const undoAll: SessionStep = { by: 'session', do: 'undo', scope: 'all', nth: 0, choose: false };
    const steps: Sequence['steps'] = [
      turn(false),
      step(21, { do: 'move', path: 'src/deep/d.txt', to: 'link.txt', tell: 'announced' }),
      end,
      { by: 'session', do: 'keep', scope: 'file', nth: 1 },
      restore,
      { by: 'session', do: 'undoRestore', choose: false },
      undoAll,
    ];
    assert.equal(await replay(world, { kind: 'plain', seed: 0, steps }), undefined);
  });

  it('edits whole lines, like VS Code', () => {
    for (const [before, after, edit] of [
      ['u15;\nu51;\n', 'u15;\nu61;\nu51;\n', { start: 5, end: 5, text: 'u61;\n' }],
      ['u51;\n', 'u61;\nu51;\n', { start: 0, end: 0, text: 'u61;\n' }],
      ['u51;\nu15;', 'u51;\nu15;\nu16;', { start: 9, end: 9, text: '\nu16;' }],
      ['u15;\nu16;\nu17;\n', 'u15;\nu17;\n', { start: 5, end: 10, text: '' }],
      ['u15;\n', 'u16;\n', { start: 0, end: 5, text: 'u16;\n' }],
      ['u15;\n', 'u15;\n', { start: 5, end: 5, text: '' }],
    ] as const) {
      assert.deepEqual(lineEditBetween(before, after), edit);
    }
  });

  it('resolves the path of a document as the product does', async () => {
    await world.reset('plain');
    rmSync(world.at('src'), { recursive: true });
    symlinkSync(world.outside, world.at('src'));
    symlinkSync('nowhere', world.at('dangling'));
    for (const name of ['a.txt', 'link.txt', 'missing.txt', 'missing/below.txt', 'src/c.txt', 'src/missing.txt', 'src/deep/missing.txt']) {
      assert.equal(realOf(world.at(name)), await realPathOf(world.at(name)), name);
    }
    assert.equal(realOf(world.at('src/deep/missing.txt')), path.join(world.outside, 'deep', 'missing.txt'));
    assert.equal(realOf(world.at('dangling')), undefined);
  });

  it('counts a line as part of a change only if the agent wrote above and below it', () => {
    assert.deepEqual([...linesInside('a1; x\nu2; x\na3; x\nu4; x\n')], ['u2; x']);
  });
});

describe('random sequences of agent and user', function () {
  this.timeout(Math.max(60_000, SEQUENCES * 200));
  after(disposeTemplates);

  it(`lose no byte of the user and no file without a question: ${SEQUENCES}`, async () => {
    const { failures, actions, exact } = await playMany({ seed: SEED, from: 0, to: SEQUENCES, mostFailures: 3 });
    assert.deepEqual(
      failures.map(({ rule, message, sequence }) => `${rule}: ${message}\n${script(sequence)}`),
      [],
    );
    assert.ok(actions > SEQUENCES / 4 && exact > SEQUENCES / 20, `${actions} undos and restores, ${exact} of them exact`);
  });
});
